"""Lists and values in stat blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from server.dataset.schema import ABILITIES
from server.dataset.vocabulary import DAMAGE_TYPES

PHRASE = "bludgeoning, piercing, and slashing from nonmagical attacks"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fire", ["fire"]),
        ("Acid, Cold, and Fire", ["acid", "cold", "fire"]),
        (f"cold, fire; {PHRASE}", ["cold", "fire", PHRASE]),
        (f"poison, {PHRASE}", ["poison", PHRASE]),
        ("poison; nonmagic B/P/S attacks", ["poison", PHRASE]),
        ("radiant; damage from nonmagical weapons", ["radiant", "damage from nonmagical weapons"]),
        ("piercing, bludgeoning and slashing from nonmagical attacks", [PHRASE]),
        ("piercing or slashing damage with nonmagical weapons", ["piercing and slashing from nonmagical weapons"]),
        (f"fire, {PHRASE} that aren't silvered", ["fire", f"{PHRASE} not made with silvered weapons"]),
        (f"{PHRASE} not made with cold iron", [f"{PHRASE} not made with cold iron weapons"]),
        ("bludgeoning, piercing, slashing", ["bludgeoning", "piercing", "slashing"]),
        ("poison,poisoned", ["poison", "poisoned"]),
        ("cold, fire; piercing damage", ["cold", "fire", "piercing"]),
        ("psychic (while asleep), fire", ["psychic (while asleep)", "fire"]),
        ("piercing from magic weapons of heroes", ["piercing from magic weapons of heroes"]),
        ("The wisp is immune to cold damage.", ["The wisp is immune to cold damage."]),
        ("one of fire, cold, or acid (see Moods)", ["one of fire, cold, or acid (see Moods)"]),
        ("False", []),
        ("", []),
        (None, []),
    ],
)
def test_lists_of_damage_are_read(text, expected):
    assert stat_block.damage_kinds(text) == expected


@given(st.lists(st.sampled_from(DAMAGE_TYPES), unique=True), st.booleans())
def test_every_listed_type_is_a_member(kinds, phrase):
    text = "; ".join(filter(None, [", ".join(kinds), PHRASE if phrase else ""]))
    assert stat_block.damage_kinds(text) == [*kinds, *([PHRASE] if phrase else [])]


@given(st.text())
def test_reading_never_fails(text):
    stat_block.damage_kinds(text)
    stat_block.conditions(text)
    stat_block.senses(text)
    stat_block.alignment(text)
    stat_block.armor_description(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Charmed, Exhausted, poison", ["charmed", "exhaustion", "poisoned"]),
        ("frightened, prone poisoned", ["frightened", "prone", "poisoned"]),
        ("False", []),
    ],
)
def test_conditions_are_read(text, expected):
    assert stat_block.conditions(text) == expected


def test_senses_are_read():
    assert stat_block.senses("blindsight 30 ft., Darkvision 60', passive Perception 12") == {
        "darkvision": 60,
        "blindsight": 30,
        "tremorsense": None,
        "truesight": None,
        "keensense": None,
        "blind_beyond": False,
        "passive_perception": 12,
    }
    blind = stat_block.senses("blindsight 60 ft. or 20 ft. while deafened (blind beyond this radius)")
    assert (blind["blindsight"], blind["blind_beyond"]) == (60, True)
    assert stat_block.senses("darkvision 60 ft.")["blind_beyond"] is None
    assert stat_block.senses("tremorsense 60 ft. (blind beyond this radius)")["blind_beyond"]
    assert stat_block.senses("blindsense 30 ft.")["blindsight"] == 30
    keen = stat_block.senses("keensense 30 ft. (can't sense beyond this radius)")
    assert (keen["keensense"], keen["blind_beyond"]) == (30, True)
    assert stat_block.senses("blindsight 30 ft.", records_blindness=False)["blind_beyond"] is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("30 ft.", {"walk": 30}),
        ("0 ft., fly 50 ft. (hover)", {"walk": 0, "fly": 50, "hover": True}),
        ("10 ft., Burrow 20 ft., Swim 40 ft.", {"walk": 10, "burrow": 20, "swim": 40}),
        ("20 ft., Climb or Fly 15 ft. (GM's choice)", {"walk": 20, "climb": 15, "fly": 15, "hover": False}),
        ("30 ft. (40 ft., climb 30 ft. in goat form)", {"walk": 30, "climb": 30}),
        ("30 ft., 40 ft. (goat form only), Climb 30 ft. (goat form only)", {"walk": 30, "climb": 30}),
        ("20 ft., Climb 20 ft. (Fly 30 ft. moth only)", {"walk": 20, "climb": 20, "fly": 30, "hover": False}),
        ("20 ft., Climb 20 ft., Climb 40 ft. (goat form only)", {"walk": 20, "climb": 20}),
        ("fast", None),
    ],
)
def test_printed_speeds_are_read(line, expected):
    found = stat_block.printed_speed(line)
    assert (found and {mode: feet for mode, feet in found.items() if feet is not None}) == expected


def test_hovering_is_unknown_if_the_source_never_gives_it():
    assert stat_block.speed({"walk": 0, "fly": 50}, records_hover=False)["hover"] is None
    assert stat_block.speed({"walk": 0, "fly": 50, "hover": True}, records_hover=False)["hover"] is True


@pytest.mark.parametrize(("feet", "expected"), [(60, 60), (10560, None), (6018, None), (0, None), (None, None)])
def test_impossible_ranges_are_unknown(feet, expected):
    assert stat_block.plausible_range(feet) == expected


def test_speeds_are_read():
    assert stat_block.speed({"walk": 0, "fly": "50 ft.", "hover": True, "unit": "feet"}) == {
        "walk": 0,
        "fly": 50,
        "swim": None,
        "climb": None,
        "burrow": None,
        "hover": True,
    }
    assert stat_block.speed({"walk": 30, "bur.": 15})["burrow"] == 15
    assert stat_block.speed({"walk": 30})["hover"] is None
    assert stat_block.speed({"walk": 30, "hover": True})["hover"] is True


def test_skills_are_read_in_any_spelling():
    assert stat_block.skills({"Sleight of Hand": 4, "perception": 2, "animal": 1, "any": 3}) == {
        "animal_handling": 1,
        "perception": 2,
        "sleight_of_hand": 4,
    }


def test_only_proficient_saves_are_read():
    scores = dict(zip(ABILITIES, (10, 14, 10, 8, 12, 10), strict=True))
    all_six = dict(zip(ABILITIES, (0, 4, 0, -1, 1, 0), strict=True))
    assert stat_block.proficient_saves(all_six, scores) == {"dexterity": 4}
    assert stat_block.proficient_saves({"wisdom": 1}, scores) == {"wisdom": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chaotic Evil", "chaotic evil"),
        ("any evil", "any evil alignment"),
        ("any", "any alignment"),
        ("Titan)", None),
        ("False", None),
    ],
)
def test_alignments_are_read(text, expected):
    assert stat_block.alignment(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("natural", "natural armor"),
        ("15 with _mage armor_", "15 with mage armor"),
        ("18 mage armor", "18 with mage armor"),
        ("natural armor), 18 at night", "natural armor, 18 at night"),
        ("", None),
        (None, None),
    ],
)
def test_descriptions_of_armor_are_read(text, expected):
    assert stat_block.armor_description(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in newt form, 11 (natural armor) in bear form", "10 in newt form, 11 (natural armor) in bear form"),
        ("n humanoid form, 11 (hide) in bear for", "10 in humanoid form, 11 (hide) in bear form"),
        ("natural armor in newt form", "natural armor in newt form"),
        ("natural armor", "natural armor"),
    ],
)
def test_an_armor_class_of_one_form_among_several_is_named_with_it(text, expected):
    assert stat_block.armor_description(text, 10) == expected


@pytest.mark.parametrize(("text", "expected"), [("Newtfolk)", "newtfolk"), ("neutral (or good)", None), (None, None)])
def test_the_rest_of_a_cut_type_is_a_subtype(text, expected):
    assert stat_block.end_of_type(text) == expected
