"""Spells in stat blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks.actions import action, trait
from build_pipeline.normalize.text.stat_blocks.spells import spells_in

REST = "finish a Long Rest"


def of(text: str, name: str = "Spellcasting") -> list[tuple[str, str | None, int | None]]:
    return [(spell["name"], spell["usage"], spell["level"]) for spell in spells_in([action(name, text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "It casts (spell save DC 13):\n\nAt will: *light*\n3/day each: *fear* (self only), *sleep*",
            [("light", "At Will", None), ("fear", "3/Day", None), ("sleep", "3/Day", None)],
        ),
        (
            "3/day each: fear (within 300 ft. of it), mend 21 (4d8 + 3), sleep. It sings, too.",
            [("fear", "3/Day", None), ("mend", "3/Day", None), ("sleep", "3/Day", None)],
        ),
        (
            "- **At Will:** _mend_, speak with animals\n- **1/Day Each:** Acid Arrow (level 4 version)",
            [("mend", "At Will", None), ("speak with animals", "At Will", None), ("Acid Arrow", "1/Day", 4)],
        ),
        (
            "Cantrips (at will): *light*\n\n1st level (4 slots): *shield*, *sleep*\n\n9th level (1 slots): *wish*",
            [("light", "At Will", 0), ("shield", "4 slots", 1), ("sleep", "4 slots", 1), ("wish", "1 slot", 9)],
        ),
        (
            "**Cantrips** (at will): light\n**2nd Level** (2 slot): blur",
            [("light", "At Will", 0), ("blur", "2 slots", 2)],
        ),
        ("1st (4 slots): shield", [("shield", "4 slots", 1)]),
        ("1/week: geas", [("geas", "1/Week", None)]),
        (
            "The mage casts *Counterspell* or *Shield* (level 3 version).",
            [("Counterspell", None, None), ("Shield", None, 3)],
        ),
        ("It can innately cast gust of wind, requiring no material components.", [("gust of wind", None, None)]),
        (
            "It casts *Fear* twice. It can replace one *Fear* with *Blur* or *Shield*.",
            [("Fear", None, None), ("Blur", None, None), ("Shield", None, None)],
        ),
        (
            "At will: *charm* (it lasts a day; it ends early if the newt dies), *mend*",
            [("charm", "At Will", None), ("mend", "At Will", None)],
        ),
        (
            "The newt can cast *fear* at will and has these spells:\n\n1st level (2 slots): *blur*",
            [("blur", "2 slots", 1), ("fear", "At Will", None)],
        ),
        (
            "The hags cast one of these (spell save DC 11): *Augury, Scrying,* or *Wish*.",
            [("Augury", None, None), ("Scrying", None, None), ("Wish", None, None)],
        ),
        ("The newt casts the gust of wind spell, requiring no components.", [("gust of wind", None, None)]),
        ("Can cast the fear spell and mend cantrip at will.", [("fear", "At Will", None), ("mend", "At Will", None)]),
        ("It can try to cast Fear or Blur at will.", [("Fear", "At Will", None), ("Blur", "At Will", None)]),
        ("It can cast wish for a newt, using no components.", [("wish", None, None)]),
        (
            "It can cast blur, fear, and Major Image once per long rest each, without components.",
            [("blur", "1/Long Rest", None), ("fear", "1/Long Rest", None), ("Major Image", "1/Long Rest", None)],
        ),
        (
            "It can cast the mend cantrip at will and can cast fear or blur three times per day.",
            [("mend", "At Will", None), ("fear", "3/Day", None), ("blur", "3/Day", None)],
        ),
        (
            "It can cast *blur* at will, and can take time to cast *fear* on itself once per day.",
            [("blur", "At Will", None), ("fear", "1/Day", None)],
        ),
        (
            "constant: *fly*, see invisibility\nat will: fear",
            [("fly", "Constant", None), ("see invisibility", "Constant", None), ("fear", "At Will", None)],
        ),
        (
            "It can innately cast blur (itself only), Fear, and mend once per long rest.",
            [("blur", "1/Long Rest", None), ("Fear", "1/Long Rest", None), ("mend", "1/Long Rest", None)],
        ),
        (
            "It can cast mend as a cantrip and Blur and Fear once each per long rest.",
            [("mend", "At Will", None), ("Blur", "1/Long Rest", None), ("Fear", "1/Long Rest", None)],
        ),
        ("The newt can use an action to stop singing and cast mass fear.", [("mass fear", None, None)]),
        (
            "The newt can use an action to cast mass fear. It can't use Hum again until it finishes a long rest.",
            [("mass fear", "1/Long Rest", None)],
        ),
        (
            f"It casts *Blur* or *Fear*. It must {REST} before using this trait to cast that spell again.",
            [("Blur", "1/Long Rest", None), ("Fear", "1/Long Rest", None)],
        ),
        ("Once every 30 days, the newt can cast wish for a friend.", [("wish", "1/30 Days", None)]),
        (
            "It can innately cast blur (self only, mud only) and Fear (self only) once per long rest without jars.",
            [("blur", "1/Long Rest", None), ("Fear", "1/Long Rest", None)],
        ),
        ("It can cast blur as a 4th-level spell, twice per day.", [("blur", "2/Day", 4)]),
        ("It casts *blur* as a 5th-level spell.", [("blur", None, 5)]),
        ("It can cast blur as a spellcaster of the 5th level.", [("blur", None, None)]),
        ("Any creature that casts the knock spell frees it.", []),
        ("It casts purple light for 30 feet.", []),
        ("Summon (1/day): The fiend has a 30 percent chance of summoning one fiend.", []),
        ("It can cast these spells, requiring only its tail.", []),
    ],
)
def test_spells_are_read_from_lists_and_sentences(text, expected):
    assert of(text) == expected


def test_an_action_that_casts_a_spell_has_its_own_usage():
    assert of("It casts *Misty Step*.", "Misty Step (3/Day)") == [("Misty Step", "3/Day", None)]


def test_a_spell_is_listed_once_with_its_usage():
    rows = [
        trait("Spellcasting", "At will: *fear*\n\n1/day each: *fear*, *blur*"),
        action("Multiattack", "It bites twice, or uses Spellcasting to cast *Fear*."),
    ]
    assert [(spell["name"], spell["usage"]) for spell in spells_in(rows)] == [
        ("fear", "At Will"),
        ("fear", "1/Day"),
        ("blur", "1/Day"),
    ]


@given(st.text())
def test_reading_never_fails_and_gives_only_names_of_spells(text):
    assert all(spell["name"].strip() and spell["id"] is None for spell in spells_in([trait("Any", text)]))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Mend (1/Day)", "The newt casts mend without components.", [("Mend", "1/Day", None)]),
        ("Mend (Costs 2 Actions)", "The newt casts mend on itself.", [("Mend", None, None)]),
        ("Charm", "The newt casts charm person.", []),
        ("Bolt", "(3rd-Level; V) The newt spits. Its target is wet.", [("Bolt", None, 3)]),
        ("Ray", "(Cantrip; V, S) The newt spits.", [("Ray", "At Will", 0)]),
        ("Fear", "(1st-Level; V) The newt spits.\n\n1/day: *fear/calm*", [("fear/calm", "1/Day", None)]),
    ],
)
def test_an_action_named_after_a_spell_casts_it(name, text, expected):
    assert of(text, name) == expected
