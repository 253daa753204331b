"""What a spell's text asks of its caster."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text import spell_text


@pytest.mark.parametrize(
    "text",
    [
        "Make a ranged spell attack against it.",
        "You can make two melee spell attacks.",
        "You spit a seed, making a ranged spell attack.",
        "With a successful melee spell attack you steal a hat.",
    ],
)
def test_attack_rolls(text):
    assert spell_text.needs_attack_roll(text)


def test_attacks_of_others_are_no_attack_rolls():
    assert not spell_text.needs_attack_roll("It has disadvantage on melee attacks.")
    assert not spell_text.needs_attack_roll("It is immune to ranged spell attacks.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Choose up to three willing creatures you can see.", 3),
        ("Up to 12 creatures may eat.", 12),
        ("You and up to five allies vanish.", 5),
        ("A creature falls asleep.", None),
    ],
)
def test_target_counts(text, expected):
    assert spell_text.target_count(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You touch a willing creature, which grows moss.", True),
        ("One humanoid of your choice within range sneezes.", True),
        ("The target hums for the duration.", True),
        ("Each creature in the room, the target included, hums.", False),
        ("You draw the image of an object within range.", False),
        ("The targets hum.", False),
        ("Fog rises.", False),
    ],
)
def test_one_target(text, expected):
    assert spell_text.has_one_target(text) is expected


@given(st.text())
def test_reading_never_fails(text):
    spell_text.target_count(text)
    spell_text.has_one_target(text)
    spell_text.needs_attack_roll(text)
