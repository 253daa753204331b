"""How a spell grows with the slot or the caster's level."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.higher_levels import growth, split_higher_levels


def grown(level, description, higher, targets=None):
    return {
        row.get("slot_level") or row["character_level"]: {k: v for k, v in row.items() if not k.endswith("_level")}
        for row in growth(level, description, higher, targets)
    }


def test_damage_grows_with_every_slot():
    found = grown(7, "It takes 3d6 fire damage.", "The damage increases by 1d6 for each spell slot level above 7.")
    assert found == {8: {"damage": "4d6"}, 9: {"damage": "5d6"}}


def test_damage_that_grows_every_two_slots():
    higher = "the damage increases by 1d8 for every two slot levels above the 5th."
    assert grown(5, "Take 1d8 force damage.", higher) == {
        7: {"damage": "2d8"},
        8: {"damage": "2d8"},
        9: {"damage": "3d8"},
    }


def test_the_damage_that_is_named_grows():
    text = "It takes 1d6 piercing damage. Those near it take 2d6 cold damage."
    found = grown(8, text, "The cold damage increases by 1d6 for each slot level above 8th.")
    assert found == {9: {"damage": "3d6"}}


def test_which_of_two_rolls_grows_is_not_guessed():
    text = "It takes 1d6 piercing damage and 2d6 cold damage."
    assert grown(8, text, "The damage increases by 1d6 for each slot level above 8th.") == {}


def test_healing_and_damage_that_grow_together():
    text = "A friend regains hit points equal to 4d12. A foe takes 6d12 radiant damage."
    found = grown(8, text, "The healing and damage increase by 1d12 for each spell slot level above 8.")
    assert found == {9: {"damage": "7d12", "healing": "5d12"}}


def test_more_targets():
    higher = "You can target one additional creature for each slot level above 7th."
    assert grown(7, "Choose up to three creatures.", higher, 3) == {8: {"targets": 4}, 9: {"targets": 5}}


@pytest.mark.parametrize(
    "higher",
    [
        "The damage increases by 1d6 when you reach 5th level (2d6), 11th level (3d6), and 17th level (4d6).",
        "The damage increases by 1d6 when you reach levels 5 (2d6), 11 (3d6), and 17 (4d6).",
    ],
)
def test_cantrips_grow_with_their_caster(higher):
    found = grown(0, "It takes 1d6 cold damage.", higher)
    assert found == {5: {"damage": "2d6"}, 11: {"damage": "3d6"}, 17: {"damage": "4d6"}}


@pytest.mark.parametrize(
    ("text", "told", "more"),
    [
        ("You glow.\n\n***At Higher Levels.*** You glow more.", "You glow.", "You glow more."),
        ("You glow.\n\n_**At Higher Levels**_. You glow more.", "You glow.", "You glow more."),
        ("You glow.\n\n**Using a Higher-Level Spell Slot.** More.", "You glow.", "More."),
        (
            "You glow.\n\nThis spell's damage grows when you reach 5th level.",
            "You glow.",
            "This spell's damage grows when you reach 5th level.",
        ),
        ("You glow.", "You glow.", ""),
    ],
)
def test_descriptions_are_split(text, told, more):
    assert split_higher_levels(text) == (told, more)


@given(st.integers(0, 9), st.text(), st.text(), st.integers(1, 9))
def test_reading_never_fails(level, description, higher, targets):
    list(growth(level, description, higher, targets))
    split_higher_levels(description)
