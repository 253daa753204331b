"""Spellings of casting times and challenge ratings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.vocabulary import (
    CHALLENGE_RATINGS,
    canonical_casting_time,
    challenge_rating_text,
    proficiency_bonus,
)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("action", "1 action"),
        ("1 Action", "1 action"),
        ("Bonus Action", "1 bonus action"),
        ("bonus-action", "1 bonus action"),
        ("bonus", "1 bonus action"),
        ("1 bonus action", "1 bonus action"),
        ("Reaction", "1 reaction"),
        ("1 reaction, which you take when you fall", "1 reaction"),
        ("1minute", "1 minute"),
        ("10minutes", "10 minutes"),
        ("10 Minutes", "10 minutes"),
        ("10 min", "10 minutes"),
        ("1 hr", "1 hour"),
        ("24 hours", "24 hours"),
        ("Special", "special"),
    ],
)
def test_casting_times_have_one_spelling(spelling: str, canonical: str) -> None:
    assert canonical_casting_time(spelling) == canonical


@given(st.text(max_size=30))
def test_canonical_spellings_are_unchanged(text: str) -> None:
    once = canonical_casting_time(text)
    assert canonical_casting_time(once) == once


def test_challenge_ratings_are_formatted_as_printed() -> None:
    printed = [challenge_rating_text(r) for r in CHALLENGE_RATINGS[:6]]
    assert printed == ["0", "1/8", "1/4", "1/2", "1", "2"]


def test_the_proficiency_bonus_follows_from_the_challenge_rating() -> None:
    bonuses = {r: proficiency_bonus(r) for r in (0, 0.25, 1, 4, 5, 8, 9, 13, 17, 21, 24, 25, 29, 30)}
    assert bonuses == {0: 2, 0.25: 2, 1: 2, 4: 2, 5: 3, 8: 3, 9: 4, 13: 5, 17: 6, 21: 7, 24: 7, 25: 8, 29: 9, 30: 9}
