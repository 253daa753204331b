"""Ranges and durations as numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.measures import feet, minutes


@pytest.mark.parametrize(
    ("told", "number"),
    [
        ("Self", 0),
        ("Touch", 0),
        ("Self (15-foot cone or 30-foot line)", 0),
        ("5 feet", 5),
        ("1000 feet", 1000),
        ("1,000 feet", 1000),
        ("1 mile", 5280),
        ("500 miles", 2_640_000),
        ("Sight", None),
        ("Special", None),
        ("Unlimited", None),
        ("Touch or 30 feet", None),
    ],
)
def test_ranges_are_read(told: str, number: int | None) -> None:
    assert feet(told) == number


@pytest.mark.parametrize(
    ("told", "number"),
    [
        ("Instantaneous", 0),
        ("1 round", 0.1),
        ("10 minutes", 10),
        ("Up to 1 hour", 60),
        ("7 days", 10_080),
        ("1 year", 525_600),
        ("1 minute, until expended", 1),
        ("24 hours or until the target hums a third song", 1_440),
        ("Until dispelled or triggered", None),
        ("Instantaneous or special", None),
        ("1 minute or 1 hour", None),
        ("1d4+2 rounds", 0.6),
        ("1d10 hours", 600),
        ("2d6 + 1 days", 13 * 1_440),
        ("2-12 hours", 720),
        ("Concentration, 1d4", None),
        ("1 hour/caster level", None),
        ("Concentration + 1 round", None),
        ("Special", None),
    ],
)
def test_durations_are_read(told: str, number: float | None) -> None:
    assert minutes(told) == (None if number is None else pytest.approx(number))


@given(st.text(max_size=40))
def test_reading_never_fails(told: str) -> None:
    assert (feet(told) or 0) >= 0
    assert (minutes(told) or 0) >= 0
