"""Saving throws that a text requires, and the effect of a success."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.spells.saves import forced_saves, save_effect, saving_throw
from server.dataset.schema import ABILITIES

AGAINST_IT = "against the maneuver DC"
TO_MOVE = "to move up to its Speed"
IT_DEALT = "the damage it dealt"


@given(st.sampled_from(ABILITIES), st.sampled_from(("must make a", "makes a", "must succeed on a", "fails its")))
def test_a_required_save_is_read_back(ability, demand):
    assert saving_throw(f"The target {demand} {ability.capitalize()} saving throw.") == ability


@pytest.mark.parametrize(
    ("text", "told", "expected"),
    [
        ("It has advantage on Dexterity saving throws.", "dexterity", None),
        ("It makes all Wisdom saving throws with advantage.", "wisdom", None),
        (
            "A beast of Intelligence 4 or more is safe; others must make a Wisdom saving throw.",
            "intelligence",
            "wisdom",
        ),
        ("Half with a successful Dexterity saving throw. Then it must make a Wisdom save.", None, "dexterity"),
        ("The target must make a saving throw or stand still.", "wisdom", "wisdom"),
        ("The target must succeed on a Fortitude saving throw.", "constitution", "constitution"),
        ("It may attempt a saving throw. It has advantage on Strength saving throws.", "strength", None),
        ("You give it disadvantage on a saving throw.", "wisdom", None),
        ("You grow taller.", "strength", None),
        ("When the newt makes a Wisdom saving throw against an effect that dazes, it can hum.", "wisdom", None),
        ("When it meets with a failure on a Wisdom saving throw, it can reroll the save.", "wisdom", None),
        ("It can automatically succeed on Strength saving throws against bad weather.", "strength", None),
        ("It can add the number rolled to a check or Wisdom saving throw of its own.", "wisdom", None),
        ("The hedge gives it cover (+4 to AC, Dexterity saving throws, and hiding).", "dexterity", None),
    ],
)
def test_the_required_save_is_read(text, told, expected):
    assert saving_throw(text, told) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It makes a Dexterity saving throw, taking 9d4 damage, or half as much on a success.", "half"),
        ("It takes 3d6 cold damage, half on a successful save.", "half"),
        ("A creature takes 3d6 fire damage, or half with a successful Dexterity saving throw.", "half"),
        ("It must succeed on a Wisdom save or hum.", "none"),
        ("To leave the pond, it must first succeed on a Charisma save.", "none"),
        ("A glued newt can break free by using two paws to make a successful Strength saving throw.", "none"),
        (f"It can make a Dexterity saving throw {TO_MOVE} to escape.", "other"),
        ("Each turn it makes a Wisdom saving throw. After three successful saves, it wakes up.", "other"),
        ("It makes a Wisdom save. If the saving throw succeeds, it gains one action (a hum only).", "other"),
        ("It makes a Wisdom save. On a successful save, this spell fails.", "none"),
        ("It hums unless it makes a Wisdom saving throw.", "none"),
        ("On a failed save it hums. On a success, it hums for one round.", "other"),
        ("It makes a Wisdom save. On a success, it hums until the end of the song.", "other"),
        ("On a failed Wisdom save it hums. You can halve the size of a panel.", "none"),
        (
            "It deals half damage. It can make a Wisdom saving throw each turn. On a success, the spell ends.",
            "none",
        ),
        ("A successful Wisdom saving throw halves the cold damage.", "half"),
        (
            f"It takes damage equal to half {IT_DEALT} and makes a Wisdom save. On a failed save, it hums.",
            "none",
        ),
        ("It must make a Wisdom saving throw. Failure indicates that it hums.", "none"),
        (
            "It must succeed on a Wisdom save or hum. While humming, it takes half the damage from bells.",
            "none",
        ),
        ("It can repeat a Wisdom saving throw once a day.", None),
        ("If a creature you name within range fails a Wisdom saving throw, its hat sings.", "none"),
        ("A newt can make a Dexterity saving throw to hold on to a jar, thus avoiding the soup.", "none"),
        ("An unwilling newt prevents the effect with a successful Wisdom saving throw.", "none"),
        ("It sinks. It can make a Wisdom save. On a successful save it swims and the spell ends.", "none"),
        (
            "If the newt makes a successful Wisdom saving throw, it stays, but hums whenever it ends its turn there.",
            "other",
        ),
        ("A hit deafens it. If the target succeeds on a Wisdom saving throw, it is not deafened.", "none"),
        ("It makes a Wisdom save. On a failure, it deals half damage with weapon attacks.", "none"),
        (
            (
                "It must succeed on a Wisdom save or hum. Each jam has it make a Dexterity saving "
                "throw. It takes 9d4 damage on a failed save, half as much on a success."
            ),
            "none",
        ),
        ("Those that fail a Wisdom saving throw take 6d4 damage. Those that succeed take 3d4 damage.", "half"),
        ("It makes a Wisdom save. On a success, it takes 1d8 damage, on a failure 2d8.", "half"),
        (
            "It makes a Wisdom save. On a success, it takes 1d8 damage, on a failure 4d8 or, far off, 2d8.",
            "other",
        ),
    ],
)
def test_the_effect_of_a_success_is_read(text, expected):
    assert save_effect(text) == expected


@given(st.text())
def test_reading_never_fails(text):
    saving_throw(text)
    save_effect(text)


@pytest.mark.parametrize(
    "text",
    [
        "It must succeed on a Strength save or sink. It can try a check each turn. On a success, it gets out.",
        "Each must make a Dexterity save. If that fails, the newt is glued. On a success, it frees itself.",
        "It must make a successful Wisdom save or dance. If it succeeds, it acts freely that turn.",
    ],
)
def test_a_later_success_is_not_the_effect_of_the_first(text):
    assert save_effect(text) == "none"


@pytest.mark.parametrize("apart", ["\n\n", "\n- ", "\n\n**Later.** "])
def test_half_damage_of_a_later_save_is_not_of_the_first(apart):
    later = "A jar bursts. Those near it make a Dexterity saving throw, taking 9d4 fire damage, or half on a success."
    assert save_effect(f"Each must make a Dexterity save. On a failure, it trips.{apart}{later}") == "none"
    again = "It makes another Dexterity saving throw later. On a success half as much."
    assert save_effect(f"Each must make a Dexterity saving throw or take 9d4 fire damage.{apart}{again}") == "half"


@pytest.mark.parametrize(
    "later",
    [
        "Each newt in the soup makes a Dexterity saving throw, taking 9d4 fire damage, or half on a success.",
        "A newt makes a Dexterity save. On a failed save, it takes 8d6; on a successful save, it takes 4d6.",
        "A newt takes 6d8 fire damage; a successful Constitution save halves the damage.",
    ],
)
def test_half_damage_of_another_save_is_not_of_the_first(later):
    assert save_effect(f"Each newt makes a Dexterity saving throw or trips. {later}") == "none"
    assert save_effect(f"Each newt must pass a Dexterity saving throw or trip. {later}") == "none"


def test_a_success_may_have_its_own_effect():
    assert save_effect("It makes a Wisdom save. On a successful save, it hums for a round.") == "other"


@pytest.mark.parametrize(
    ("text", "first", "expected"),
    [
        ("It makes a Wisdom saving throw. It then must make a Dexterity save.", "wisdom", ["dexterity", "wisdom"]),
        ("It must pass a Strength or Dexterity saving throw.", "strength", ["strength", "dexterity"]),
        ("It makes a Wisdom save. Each round you must make a Charisma saving throw.", "wisdom", ["wisdom"]),
        ("It makes a Wisdom save. It automatically fails Strength saving throws.", "wisdom", ["wisdom"]),
        ("It makes a Wisdom save, and has advantage on Strength saving throws.", "wisdom", ["wisdom"]),
        ("It must make a saving throw.", "charisma", ["charisma"]),
        ("When it ends, you must make a Wisdom saving throw.", "wisdom", []),
        ("Make a DC 15 Wisdom saving throw. On a failure, you sneeze.", "wisdom", []),
        (
            "It makes a Wisdom save. Those near you must make a Strength save.",
            "wisdom",
            ["strength", "wisdom"],
        ),
        (f"The paw makes a Strength saving throw {AGAINST_IT} of a newt.", None, []),
        ("It sings.", None, []),
    ],
)
def test_all_required_saves_are_read(text, first, expected):
    assert forced_saves(text, first) == expected
