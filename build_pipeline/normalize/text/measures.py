"""Ranges and durations in words as numbers that compare and add up."""

from __future__ import annotations

import re
from typing import Final

_FEET_PER_MILE: Final = 5280
_DISTANCE: Final = re.compile(r"(?<!\d)(?P<number>\d[\d,]{0,12}) (?P<unit>foot|feet|miles?)")
_MINUTES: Final = {"round": 0.1, "minute": 1.0, "hour": 60.0, "day": 1_440.0, "year": 525_600.0}
_DURATION: Final = re.compile(
    rf"(?:up to )?(?<!\d)(?P<number>\d+) (?P<unit>{'|'.join(_MINUTES)})s?(?:,? (?:or )?until .+)?"
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
    return number * _FEET_PER_MILE if distance["unit"].startswith("mile") else number


def minutes(duration: str) -> float | None:
    """The longest time that a duration names, in minutes; a round is a tenth of one, an instant 0.

    None where the words name no time ("Until dispelled", "Special"), or more than one, or one that is rolled.

    >>> minutes("3 rounds"), minutes("Up to 8 hours"), minutes("Instantaneous"), minutes("1 hour or until triggered")
    (0.3, 480.0, 0.0, 60.0)
    >>> minutes("Until dispelled"), minutes("2-12 hours"), minutes("1d10 hours"), minutes("1 minute or 1 hour")
    (None, None, None, None)
    """
    if duration == "Instantaneous":
        return 0.0
    named = _DURATION.fullmatch(duration.lower())
    return round(int(named["number"]) * _MINUTES[named["unit"]], 1) if named else None
