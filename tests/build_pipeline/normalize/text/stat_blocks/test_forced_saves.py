"""What a saving throw costs, spares and covers, read from the texts of traits and actions."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks.effects import effects
from server.dataset.closed_sets import CLOSED_SETS

FIRE: Final = [("8d6", "fire")]
MAKES: Final = "A creature makes a DC 15 Dexterity saving throw"
HIT: Final = "*Melee Weapon Attack:* +5 to hit, reach 5 ft., one creature. *Hit:* 9 (2d6 + 2) slashing damage"


def saves(*texts: str) -> list[dict[str, Any]]:
    rows = [{"name": f"Slap {number}", "description": text} for number, text in enumerate(texts)]
    found: list[dict[str, Any]] = effects("Fen Newt", {"actions": rows})["saves"]
    return found


def told(text: str) -> list[tuple[Any, ...]]:
    return [
        (save["dc"], save["save_effect"], [(roll["dice"], roll["type"]) for roll in save["damage"]])
        for save in saves(text)
    ]


@pytest.mark.parametrize(
    ("text", "effect", "damage"),
    [
        (f"{MAKES}, taking 28 (8d6) fire damage on a failure, or half damage.", "half", FIRE),
        (
            "It makes a DC 15 Dexterity save. On a failure, it takes 28 (8d6) fire damage, or half as much otherwise.",
            "half",
            FIRE,
        ),
        ("*Dexterity Saving Throw:* DC 15. *Failure:* 28 (8d6) Fire damage. *Success:* Half damage.", "half", FIRE),
        ("*Dexterity Saving Throw:* DC 15, all. *Failure:* 28 (8d6) Fire damage.", "none", FIRE),
        ("A creature takes 28 (8d6) fire damage, or half as much with a successful DC 15 DEX save.", "half", FIRE),
        ("A creature takes 28 (8d6) fire damage, or half if it makes a successful DC 15 DEX save.", "half", FIRE),
        ("A creature takes 28 (8d6) fire damage; a DC 15 DEX save halves it.", "half", FIRE),
        ("A creature burns, or takes no damage with a successful DC 15 DEX save.", "none", []),
        ("Each creature: 28 (8d6) fire (DC 15 Dex half).", "half", FIRE),
        ("Each creature falls prone (DC 15 Dex negates).", "none", []),
        (f"{HIT} plus 28 (8d6) fire damage (DC 15 Dex half fire).", "half", FIRE),
        (f"{HIT} and prone (DC 15 Dex negates).", "none", []),
        (f"{HIT}, and the target must succeed on a DC 15 DEX save or take 8d6 fire damage.", "none", FIRE),
        (f"{MAKES}. It takes 28 (8d6) fire damage on a failed save.", "none", FIRE),
        (f"{MAKES} or takes 28 (8d6) fire damage. It regains hp equal to half the damage.", "none", FIRE),
        (f"{MAKES}, taking 9 fire damage on a failure.", "none", [("9", "fire")]),
        (f"{MAKES}, taking 28 (8d6) damage on a failure.", "none", [("8d6", None)]),
        (
            f"{MAKES} or takes 7 (2d6) cold damage plus 3 (1d6) acid or fire damage.",
            "none",
            [("2d6", "cold"), ("1d6", "acid or fire")],
        ),
        (f"{MAKES}. On a success, it is slowed. If it fails, it burns.", "other", []),
        (f"{MAKES}. On a success, it takes 5 (1d10) cold damage.", "other", []),
        # What comes with time, or of failing once more, is no cost of the first failure.
        (f"{MAKES} or takes 5 (1d10) cold damage at the start of each of its turns.", "none", []),
        (f"{MAKES} or burns. It repeats the save. On a failure, it takes 5 (1d10) fire damage.", "none", []),
        (f"{MAKES} or flees. It takes 5 (1d10) cold damage.", "none", []),
        ("A creature is asked for a DC 15 Dexterity saving throw.", None, []),
    ],
)
def test_a_save_has_its_damage_and_the_effect_of_a_success(text, effect, damage):
    assert told(text) == [(15, effect, damage)]


def test_each_save_of_a_text_has_its_own_cost():
    first = (
        "Each creature makes a DC 15 Dexterity saving throw, taking 28 (8d6) fire damage on a failure, or half damage."
    )
    then = "A creature that fails must succeed on a DC 12 Constitution saving throw or be blinded."
    assert told(f"{first} {then}") == [(15, "half", FIRE), (12, "none", [])]
    nested = f"{MAKES}. On a failure, it takes 8d6 fire damage and must succeed on a DC 12 CON save or trip."
    assert told(f"{nested} On a success, it takes half the damage.") == [(15, "half", FIRE), (12, "none", [])]


@pytest.mark.parametrize(
    ("again", "count"),
    [
        ("It repeats the DC 15 Dexterity saving throw at the end of its turn.", 1),
        ("Later a creature makes a DC 15 Dexterity saving throw or takes 8d6 fire damage.", 1),
        ("Later a creature makes a DC 15 Dexterity saving throw or takes 2d6 acid damage.", 2),
        ("Later a creature makes a DC 14 Dexterity saving throw.", 2),
    ],
)
def test_a_repeated_save_is_listed_once(again, count):
    assert len(told(f"{MAKES} or takes 8d6 fire damage. {again}")) == count


def test_the_target_chooses_among_the_abilities_of_one_save():
    (save,) = saves("The target makes a DC 9 Dexterity or Strength saving throw, or falls.")
    assert save["abilities"] == ["strength", "dexterity"]


def test_a_save_says_which_trait_or_action_forces_it():
    swim = [{"name": "Swim", "description": "A creature near it makes a DC 9 Wisdom save or sinks."}]
    slap = [
        {"name": "Slap", "description": "It hums."},
        {"name": "Spit", "description": "Everyone: DC 8 Con save or wet."},
    ]
    found = effects("Fen Newt", {"traits": swim, "actions": slap})["saves"]
    assert [(save["section"], save["feature"], save["dc"]) for save in found] == [
        ("traits", "Swim", 9),
        ("actions", "Spit", 8),
    ]


MUST: Final = "Each creature there must succeed on a DC 9 Dexterity saving throw or be wet."


@pytest.mark.parametrize(
    ("text", "area"),
    [
        (f"The newt spits in a 30-foot cone. {MUST}", ("cone", 30)),
        (f"The newt spits in a 30' cone. {MUST}", ("cone", 30)),
        (f"The newt spits in a 90-foot-long, 5-foot wide-line. {MUST}", ("line", 90)),
        (f"The newt spits in a line 5 feet wide and 60 feet long. {MUST}", ("line", 60)),
        (f"The newt spits a 5-foot-wide, 60-foot-long jet. {MUST}", ("line", 60)),
        (f"An 80-foot-long, 5-foot-wide lightning bolt leaves the newt. {MUST}", ("line", 80)),
        ("*Dexterity Saving Throw:* DC 9, each creature in a 20-foot Emanation. *Failure:* Wet.", ("emanation", 20)),
        (f"The newt sheds light in a 20-foot radius. {MUST}", None),
        (f"The newt spits. {MUST}", None),
        (f"The newt spits in a 30-foot cone. {MUST} A creature must succeed on a DC 8 WIS save or flee.", ("cone", 30)),
    ],
)
def test_a_save_has_the_area_that_the_text_names(text, area):
    first, *others = saves(text)
    found = first["area_of_effect"]
    assert (found and (found["shape"], found["size"])) == area
    assert [save["area_of_effect"] for save in others] == [None] * len(others)


@given(st.lists(st.text(), max_size=4))
def test_any_text_is_read_and_only_known_words_come_out(texts):
    effects_known = next(each.meanings for each in CLOSED_SETS if "creatures.saves[].save_effect" in each.paths)
    for save in saves(*texts, MUST):
        assert save["abilities"]
        assert save["save_effect"] in {None, *effects_known}
