"""Ranges and durations in words as numbers that compare and add up."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.dice import highest

FEET_PER_MILE: Final = 5280
_DISTANCE: Final = re.compile(r"(?<!\d)(?P<number>\d[\d,]{0,12}) (?P<unit>foot|feet|miles?)")
_MINUTES: Final = {"round": 0.1, "minute": 1.0, "hour": 60.0, "day": 1_440.0, "year": 525_600.0}
_DURATION: Final = re.compile(
    r"(?:up to )?(?<!\d)(?:(?P<dice>\d{1,3}d\d{1,3}(?: ?\+ ?\d+)?)|(?:\d{1,6}[-–])?(?P<number>\d{1,6})) "
    rf"(?P<unit>{'|'.join(_MINUTES)})s?(?:,? (?:or )?until .+)?"
)


def feet(spell_range: str) -> int | None:
    """The feet between caster and target; None where the range is not a distance ("Sight", "Unlimited", "Special").

    Spells that start at the caster or require touch have a range of 0 feet, whatever the size of their area.

    >>> feet("60 feet"), feet("1 mile"), feet("Touch"), feet("Self (60-foot cone)"), feet("Sight")
    (60, 5280, 0, 0, None)
    """
    if spell_range == "Touch" or spell_range.partition(" (")[0] == "Self":
        return 0
    distance = _DISTANCE.fullmatch(spell_range.partition(" (")[0])
    if not distance:
        return None
    number = int(distance["number"].replace(",", ""))
    return number * FEET_PER_MILE if distance["unit"].startswith("mile") else number


def minutes(duration: str) -> float | None:
    """The longest time that a duration names, in minutes; a round is a tenth of one, an instant 0.

    None where the words name no time ("Until dispelled", "Special"), or more than one. Of a roll, the highest counts.

    >>> minutes("3 rounds"), minutes("Up to 8 hours"), minutes("Instantaneous"), minutes("1 hour or until triggered")
    (0.3, 480.0, 0.0, 60.0)
    >>> minutes("2-12 hours"), minutes("1d10 hours"), minutes("Until dispelled"), minutes("1 minute or 1 hour")
    (720.0, 600.0, None, None)
    """
    if duration == "Instantaneous":
        return 0.0
    named = _DURATION.fullmatch(duration.lower())
    if named is None:
        return None
    longest = highest(named["dice"].replace(" ", "")) if named["dice"] else int(named["number"])
    return round(longest * _MINUTES[named["unit"]], 1)
