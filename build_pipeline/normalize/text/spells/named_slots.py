"""A spell's effects at slot levels that its text names: "with a slot of 5th level, the duration is 8 hours"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, canonical_dice
from build_pipeline.normalize.text.measures import FEET_PER_MILE
from build_pipeline.normalize.text.numerals import NUMBER, number

HIGHEST_SLOT: Final = 9
UNIT: Final = r"(?:round|minute|hour|day|month|year)s?"
"""Pattern for a unit of time."""

_AT_SLOT: Final = re.compile(
    r"\b(?:slots?\s+of\s+|an?\s+(?:level\s+)?|using\s+)(?P<from>\d)(?:st|nd|rd|th)?[\s-]*"
    r"(?:(?:or|to|and)\s+\d(?:st|nd|rd|th)?[\s-]*)?(?:level|spell\s+slot)\b"
    r"(?P<then>[^.]*)",
    re.IGNORECASE,
)
_LASTS: Final = re.compile(
    rf"""
    \b(?:
        concentration\s+\(
        | (?:
            concentration[^.]{{0,30}}?up\s+to
            | duration\s+is(?:\s+concentration,\s+up\s+to)?
            | (?P<longer>duration\s+increases\s+to)
            | lasts\s+for
          )\s+
      )(?P<time>\d+\s+{UNIT}|a\s+year(?:\s+and\s+a\s+day)?)
    | \blasts?\s+until\s+(?:it\s+is\s+)?(?:dispelled|ended\s+by\s+one)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HEALS_AT: Final = re.compile(
    rf"\b(?P<dice>{DICE})\s+(?:hit\s+points\s+)?at\s+(?P<from>\d)(?:st|nd|rd|th)\s+level", re.IGNORECASE
)
_DEALS_NOW: Final = re.compile(
    rf"\b(?:damage\s+increases\s+(?:from\s+{DICE}\s+)?to|deals)\s+(?P<dice>{DICE})(?!\s+(?:extra|additional)\b)",
    re.IGNORECASE,
)
_MENDS_NOW: Final = re.compile(rf"\brepairs\s+(?P<dice>{DICE})\s+damage\b", re.IGNORECASE)
_MEASURES_NOW: Final = re.compile(
    r"\b(?:cube\s+is|radius\s+is|area\s+increases\s+to\s+an?)\s+(?P<size>\d+)[\s-](?P<unit>f(?:ee|oo)t|miles?)\b",
    re.IGNORECASE,
)
_MEASURES_AT: Final = re.compile(
    rf"{_MEASURES_NOW.pattern}\s+\w+\s+when\s+using\s+an?\s+(?P<from>\d)(?:st|nd|rd|th)\b", re.IGNORECASE
)
"""A size before the slot that gives it: "area grows to a 9-foot cube when using a 9th-level slot"."""
_REACHES_NOW: Final = re.compile(
    r"\brange\s+(?:of\s+the\s+spell\s+)?increases\s+to\s+(?P<range>\d[\d,]*\s+(?:feet|miles?))", re.IGNORECASE
)
_SUMMONS_NOW: Final = re.compile(
    rf"[\w\s-]*,\s+you\s+(?:summon|call\s+forth)\s+(?P<count>{NUMBER})\s+(?P<rest>[^.]*)", re.IGNORECASE
)
_OR: Final = re.compile(r"\bor\b|\badditional\b|\bmore\b", re.IGNORECASE)
_SLOT: Final = re.compile(
    r"\b(?:(?:slots?\s+of\s+|an?\s+|using\s+)(?P<level>\d)(?:st|nd|rd|th)|an?\s+level\s+(?P<at>\d))\b", re.IGNORECASE
)
_WITHOUT_CONCENTRATION: Final = re.compile(
    r"\b(?:without|doesn['’]t|does\s+not|no\s+longer)\s+requir\w+\s+(?:your\s+)?concentration", re.IGNORECASE
)

_OF_CONCENTRATION: Final = re.compile(r"\b(?:duration\s+is|maintain(?:\s+your)?)\s+concentration\b", re.IGNORECASE)


def at_named_slots(higher_level: str) -> Iterator[dict[str, Any]]:
    """The effects at each slot level that the text names, and at those above it up to the next one named."""
    yield from _healing_at_named_slots(higher_level)
    for match in _MEASURES_AT.finditer(higher_level):
        yield from (
            {"slot_level": slot, "area_size": _feet(match)} for slot in range(int(match["from"]), HIGHEST_SLOT + 1)
        )
    told_elsewhere = bool(_OF_CONCENTRATION.search(higher_level))
    for match in _AT_SLOT.finditer(higher_level):
        if effect := _told(match["then"], concentration_is_told=told_elsewhere):
            first = int(match["from"])
            named = (int(slot["level"] or slot["at"]) for slot in _SLOT.finditer(higher_level, match.end()))
            last = next((level - 1 for level in named if level > first), HIGHEST_SLOT)
            yield from ({"slot_level": slot, **effect} for slot in range(first, last + 1))
            if _WITHOUT_CONCENTRATION.search(match["then"]):  # higher slots do not need it either
                yield from ({"slot_level": slot, "concentration": False} for slot in range(last + 1, HIGHEST_SLOT + 1))


def _healing_at_named_slots(higher_level: str) -> Iterator[dict[str, Any]]:
    if not re.search(r"\brestores\b", higher_level):
        return
    for match in _HEALS_AT.finditer(higher_level):
        following = _HEALS_AT.search(higher_level, match.end())
        for slot in range(int(match["from"]), int(following["from"]) if following else HIGHEST_SLOT + 1):
            yield {"slot_level": slot, "healing": canonical_dice(match["dice"])}


def _told(then: str, *, concentration_is_told: bool) -> dict[str, Any]:
    """Duration, concentration, damage, healing, area, range and number summoned that a sentence gives for a slot.

    A duration needs no concentration only if the text says so, or says that another of its durations needs it
    (`concentration_is_told`).
    """
    lasts, deals, reaches = _LASTS.search(then), _DEALS_NOW.search(then), _REACHES_NOW.search(then)
    found: dict[str, Any] = {}
    if lasts:
        time = " ".join(lasts["time"].split()) if lasts["time"] else "until dispelled"
        found["duration"] = time[:1].upper() + time[1:]
    if _WITHOUT_CONCENTRATION.search(then):
        found["concentration"] = False
    elif lasts and "concentration" in then.lower():
        found["concentration"] = True
    elif lasts and not lasts["longer"] and concentration_is_told:
        found["concentration"] = False
    if deals:
        found["damage"] = canonical_dice(deals["dice"])
    if mends := _MENDS_NOW.search(then):
        found["healing"] = canonical_dice(mends["dice"])
    if measures := _MEASURES_NOW.search(then):
        found["area_size"] = _feet(measures)
    if reaches:
        found["range"] = " ".join(reaches["range"].split())
    if (summoned := _SUMMONS_NOW.fullmatch(then)) and not _OR.search(summoned["rest"]):
        found["targets"] = number(summoned["count"])
    return found


def _feet(measure: re.Match[str]) -> int:
    return int(measure["size"]) * (FEET_PER_MILE if measure["unit"].lower().startswith("mile") else 1)
