"""Dice as players write them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.play.dice import MOST_DICE, MOST_SIDES, can_be_rolled, dice_in, rolled_dice, written


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2d6+3", "2d6 + 3"),
        ("D20", "1d20"),
        (" d20 − 1 ", "1d20 - 1"),
        ("1d%", "1d100"),
        ("1d8 + 2d6 + 1d8", "1d8 + 2d6 + 1d8"),
        ("3 + d4", "3 + 1d4"),
        ("-d4+10", "-1d4 + 10"),
    ],
)
def test_sums_of_dice_and_numbers(text, shown):
    assert written(dice_in(text) or ()) == shown


@pytest.mark.parametrize("text", ["", "7", "2+3", "2d", "d", "2d6 fire", "2d6 3", "2d6+", "2d6*2", "dagger", "d20d4"])
def test_other_texts_are_not_dice(text):
    assert dice_in(text) is None


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        (f"{MOST_DICE}d6", True),
        (f"{MOST_DICE}d6+d6", False),
        (f"d{MOST_SIDES}", True),
        (f"d{MOST_SIDES + 1}", False),
        ("2d0", False),
        ("d1", True),
        ("d6+2d0", False),
        (f"d6+d{MOST_SIDES + 1}", False),
        (f"d6+{MOST_DICE}", True),
    ],
)
def test_dice_have_limits(text, possible):
    assert can_be_rolled(dice_in(text) or ()) is possible


@given(count=st.integers(1, 20), sides=st.integers(1, 100), bonus=st.integers(0, 50), seed=st.integers())
def test_the_sum_is_of_the_dice_and_the_numbers(count, sides, bonus, seed):
    terms = dice_in(f"{count}d{sides} - {bonus} + {count}d{sides}") or ()
    found = rolled_dice(terms, Random(seed))
    thrown = [int(each) for each in found["row"][f"{count}d{sides}"].split(", ")]
    assert len(thrown) == 2 * count
    assert all(1 <= each <= sides for each in thrown)
    assert found["row"].keys() == {f"{count}d{sides}"}
    assert found["roll"] == sum(thrown) - bonus
    assert found == rolled_dice(terms, Random(seed))
