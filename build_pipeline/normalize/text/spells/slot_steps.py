"""Levels that a text counts: "for each slot level above 3rd", "for every two slot levels above 5th"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.numerals import number
from build_pipeline.normalize.text.spells.named_slots import HIGHEST_SLOT

_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_LEVELS_FIRST: Final = re.compile(
    r"(?:^|(?<=[.!?] ))(?P<levels>For (?:each|every) (?:\w+ )?slot levels? above \w+),? (?P<then>[^.]+)\."
)
"""A sentence that begins with the levels: "For each slot level above 3rd, one additional newt sings."."""


def per_level(place: int = 1) -> str:
    """Pattern for "for every two slot levels above 3rd"; `place` numbers its groups within one pattern."""
    return (
        rf"(?:,?\s+|(?<=—))(?:for\s+(?:each|every)|per)\s+(?P<step_{place}>(?:two|three|2|3)\s+)?"
        rf"(?:spell\s+)?(?:slots?\s+)?(?:levels?\s+)?(?:above|beyond|over)\s+(?:the\s+)?(?:level\s+)?(?P<above_{place}>\d|{'|'.join(_ORDINALS)})"
    )


PER_LEVEL: Final = re.compile(rf"{per_level()}(?:st|nd|rd|th)?\b(?:\s+level\b)?", re.IGNORECASE)


def levels_last(text: str) -> str:
    """A text with the levels after what happens at each.

    >>> levels_last("For each slot level above 3rd, one more newt sings.")
    'One more newt sings For each slot level above 3rd.'
    """
    return _LEVELS_FIRST.sub(lambda found: f"{found['then'][0].upper()}{found['then'][1:]} {found['levels']}.", text)


def slots_above(level: int, counted: re.Match[str]) -> Iterator[tuple[int, int]]:
    """(slot level, number of increments) for every slot above the spell's own level, if the text counts from that.

    Increments of several levels may also be counted from a higher level.
    """
    parts = counted.groupdict()
    step, above = (next((v for k, v in parts.items() if v and k.startswith(name)), "") for name in ("step_", "above_"))
    first = _ORDINALS.get(above.lower()) or int(above)
    if first == level or (step and first > level):
        width = number(step.strip()) if step else 1
        times = ((slot, (slot - first) // width) for slot in range(first + 1, HIGHEST_SLOT + 1))
        yield from ((slot, often) for slot, often in times if often)
