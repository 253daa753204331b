"""Dice and damage read out of running text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.dice import (
    average,
    canonical_dice,
    damage_rolls,
    damage_types,
    dealt_at_once,
    dealt_damage,
    mean,
)
from server.dataset.vocabulary import DAMAGE_TYPES

DICE = st.builds(
    lambda count, sides, bonus: f"{count}d{sides}" + (f"{bonus:+d}" if bonus else ""),
    st.integers(1, 40),
    st.sampled_from((4, 6, 8, 10, 12, 20, 100)),
    st.integers(-9, 300),
)


@given(DICE)
def test_canonical_dice_is_its_own_canonical_form(dice):
    assert canonical_dice(dice) == dice


@given(DICE, st.sampled_from((" - ", " − ", "–", "-")))
def test_spacing_and_minus_signs_do_not_matter(dice, minus):
    spaced = re.sub(r"\+", " + ", dice.upper().replace("-", minus))
    assert canonical_dice(f"roll {spaced} now") == dice


@given(st.text())
def test_reading_never_fails(text):
    canonical_dice(text)
    damage_rolls(text)
    assert damage_types(text) == sorted(set(damage_types(text)))


@given(DICE)
def test_an_average_is_within_the_range_of_the_dice(dice):
    count, sides, bonus = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", dice).groups()
    low = int(count) + int(bonus or 0)
    assert low <= average(dice) <= low + int(count) * (int(sides) - 1)


def test_damage_that_grows_with_the_spells_level_is_read():
    assert damage_types("The bite deals 1d6 + 3 plus the spell's level Piercing damage.") == ["piercing"]
    assert damage_types("The bite deals 1d6 + 4 + the spell's level Cold damage.") == ["cold"]


def test_types_are_read_from_tables_and_with_notes():
    table = "| Round | Damage |\n|---|---|\n| 1 | 1d6 cold |\n| 2 | 2d6 cold or fire |"
    assert damage_types(f"It takes what the table says.\n\n{table}") == ["cold", "fire"]
    rolled = (
        "It takes 3d8 damage, of a type determined by a die.\n\n| d4 | Type |\n|---|---|\n| 1 | Acid |\n| 2 | Fire |"
    )
    assert damage_types(rolled) == ["acid", "fire"]
    assert damage_types("| d4 | Hue |\n|---|---|\n| 1 | Acid |") == []
    assert damage_types("A hit deals 1d8 Radiant (Day), Cold (Dusk), or Fire (Night) damage.") == [
        "cold",
        "fire",
        "radiant",
    ]


def test_averages_are_rounded_as_printed():
    assert [average(dice) for dice in ("18d10+72", "1d8", "2d4-1")] == [171, 4, 4]


def test_without_dice_there_is_no_average():
    with pytest.raises(ValueError, match="neither canonical dice"):
        average("a handful")


def test_means_are_exact():
    assert [mean(dice) for dice in ("8d6", "1d8", "2d4-1", "5")] == [28.0, 4.5, 4.0, 5.0]


@given(DICE, st.sampled_from(DAMAGE_TYPES))
def test_rendered_damage_is_read_back(dice, kind):
    text = f"Each creature there takes {dice} {kind} damage."
    assert [(found.dice, found.types) for found in dealt_damage(text)] == [(dice, (kind,))]
    assert damage_rolls(text) == [dice]
    assert damage_types(text) == [kind]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It takes 2d8 Bludgeoning damage and 4d6 Cold damage.", ["bludgeoning", "cold"]),
        ("Each dart deals 1d4 + 1 force damage. Every dart deals the same.", ["force"]),
        ("Every dart deals 1d4 + 1 force damage.", ["force"]),
        ("Whoever hits you takes 2d8 fire damage from the warm shield.", ["fire"]),
        ("The attacker suffers 2d8 points of fire damage or cold.", ["cold", "fire"]),
        ("It deals 2d8 damage. The damage is acid or fire (your choice).", ["acid", "fire"]),
        ("You gain resistance to cold damage.", []),
        ("The spear deals cold damage instead of piercing damage.", ["cold"]),
        ("The newt can be freed by prayer or by taking 20 acid damage.", []),
        ("Choose a type that isn't acid or cold. It takes damage of the chosen type.", []),
        ("The shield gives you cold damage resistance.", []),
        ("It has Immunity to Poison and Psychic damage.", []),
        ("The web burns away when it takes fire damage.", []),
        ("The spell ends if the creature takes 5 or more fire damage.", []),
        ("The wall falls if it takes at least 99 force damage.", []),
        ("It takes acid damage equal to half the cost of the plate.", ["acid"]),
        ("Choose acid, cold, or fire. The orb deals 3d8 damage of the chosen type.", ["acid", "cold", "fire"]),
        ("Choose acid, cold, or fire. You have resistance to it.", []),
        ("A burst of 5d8 acid, cold, or thunder damage (your choice).", ["acid", "cold", "thunder"]),
    ],
)
def test_only_dealt_damage_counts(text, expected):
    assert damage_types(text) == expected


def test_a_sources_types_are_kept_unless_the_text_only_resists_them():
    text = "You have resistance to cold damage, and your blade burns those it touches with fire."
    assert damage_types(text, ["cold", "fire", "psychic"]) == ["fire"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A wisp that deals force damage equal to 1d8.", ["force"]),
        ("If the target takes fire damage equal to its level, the spell ends.", []),
        ("A noise loud enough to deal thunder damage is not within its power.", []),
        ("Choose acid or cold. The target's resistance to the chosen damage type is lost.", []),
        ("Choose acid or cold. It deals 1d6 damage of the chosen type.", ["acid", "cold"]),
        (
            "You grow claws (slashing) or horns (piercing), which deal 1d6 damage of the type in parentheses.",
            ["piercing", "slashing"],
        ),
        ("The layer is destroyed by 25 cold damage.", []),
        ("If it deals damage, it can be force damage.", ["force"]),
    ],
)
def test_damage_in_other_words_is_read(text, expected):
    assert damage_types(text) == expected


def test_repairs_are_not_damage():
    assert damage_rolls("You repair 1d8 + 5 damage to a kettle.") == []


def test_damage_that_triggers_an_effect_is_not_dealt():
    assert damage_types("It takes 5 additional points of damage when it suffers cold or fire damage.") == []


def test_rolls_that_are_not_damage_are_left_out():
    assert damage_rolls("It adds 1d4 to its saves and regains 2d8 hit points.") == []
    assert damage_rolls("The ghost deals force damage equal to 1d8 + 3.") == ["1d8+3"]
    assert damage_rolls("It deals cold damage to itself equal to 2d4 + its level.") == ["2d4"]


def test_damage_to_the_caster_counts_if_there_is_no_other():
    assert damage_rolls("You fill a cup with your blood (taking 1d4 piercing damage) and sing.") == ["1d4"]
    assert damage_types("You fill a cup with your blood (taking 1d4 piercing damage) and sing.") == ["piercing"]


def test_a_damage_die_is_a_roll():
    assert damage_rolls("The damage die is a d4, and it takes 3d6 acid damage besides.") == ["1d4", "3d6"]


def test_a_ruling_is_not_a_trigger():
    assert damage_types("The cook might rule that a spoon inflicts acid or fire damage.") == ["acid", "fire"]


def test_damage_to_the_caster_comes_last():
    assert damage_rolls("You take 1d6 cold damage. The newt takes 2d10 fire damage.") == ["2d10", "1d6"]
    assert damage_rolls("You take 4d6 cold damage. Later you take an extra 1d6 cold damage.") == ["4d6", "1d6"]
    assert damage_rolls("The bat deals 1d6 bonus damage, then 2d4 acid damage.") == ["1d6", "2d4"]


@pytest.mark.parametrize(
    ("text", "rolls"),
    [
        ("A kettle takes 5d6 Fire damage and 4d4 Cold damage on a failed save.", ["5d6", "4d4"]),
        ("The lid deals 5d6 extra fire and 1d6 extra radiant damage on a hit.", ["5d6", "1d6"]),
        ("It takes 5d6 fire damage plus 2d8 cold damage, and 1d8 acid damage.", ["5d6", "2d8", "1d8"]),
        ("It takes 5d6 acid damage and 2d4 acid damage at the end of its next turn.", ["5d6"]),
        ("It takes 5d6 fire damage. The newt takes 2d4 cold damage.", ["5d6"]),
        ("Soup is served.", ["5d6"]),
    ],
)
def test_damage_of_several_types_is_dealt_at_once(text: str, rolls: list[str]) -> None:
    assert dealt_at_once(text, "5d6") == rolls
