"""Hit points that a text restores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.spells.healing import healing

HALF = "half the damage dealt"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Each newt regains 2d8 + your spellcasting ability modifier hit points.",
            "2d8 + spellcasting ability modifier",
        ),
        ("The target regains 4d8 + 15 hit points.", "4d8+15"),
        ("You restore up to 1,200 hit points.", "1200"),
        (f"You regain Hit Points equal to {HALF}.", HALF),
        ("You regain hit points equal to half the amount of cold damage dealt.", HALF),
        ("It regains hit points equal to your spellcasting ability modifier.", "spellcasting ability modifier"),
        ("Roll 3d6. The number rolled is the amount of damage healed by it.", "3d6"),
        ("You regain hit points equal to 1d4 × the newt's length (minimum 1).", "1d4 × the newt's length"),
        ("The friend regains all its Hit Points.", "all"),
        ("It can't regain hit points.", None),
        ("When it regains 3 hit points, it hums.", None),
        ("The target gains 10 hit points at dawn.", "10"),
        ("You gain 5 temporary hit points.", None),
        ("If you choose to hum, the target regains 2d8 hit points.", "2d8"),
        ("If any are left, you regain that amount of hit points.", None),
        ("You repair 1d8 + 5 damage to a kettle.", "1d8+5"),
        ("The bell deals 2d6 cold damage, and you heal the same number of hit points.", "the damage dealt"),
        (
            "The newt loses 4d8 hit points, and a toad regains an equivalent number of hit points.",
            "the hit points lost",
        ),
        ("If it is not a ghost the newt returns to life with 1 hit point.", "1"),
        ("The toad is revived with all of its hit points.", "all"),
        ("When you regain hit points, the newt regains the same number of hit points.", None),
    ],
)
def test_healing_is_read(text, expected):
    assert healing(text) == expected


@given(st.integers(1, 20), st.sampled_from((4, 6, 8, 10)))
def test_a_rendered_amount_is_read_back(count, sides):
    assert healing(f"A friend regains {count}d{sides} hit points.") == f"{count}d{sides}"


@given(st.text())
def test_reading_never_fails(text):
    healing(text)
