"""How a cantrip scales with the caster's level, parsed from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, canonical_dice
from build_pipeline.normalize.text.numerals import number
from build_pipeline.normalize.text.spells.targeting import MADE, TARGET

_MISSILES_AT: Final = re.compile(
    rf"""
    \b(?P<count>two|three|four)\s+(?:{MADE}|{TARGET})\s+(?:at|when\s+you\s+reach)\s+(?:level\s+)?(?P<level>5|11|17)
    (?:th)?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_THRESHOLD: Final = re.compile(r"\bhit\s+points\s+(?:\w+\s+){0,4}?(?:can|may)\s+affect\b", re.IGNORECASE)
"""Dice that determine whom a spell affects, not how much damage it deals."""
_AT_LEVELS: Final = re.compile(
    rf"(?<![\w+])(?:levels?\s+)?(?P<level>5|1[0157])(?:th)?(?:\s+level)?\s*"
    rf"\((?:\+{DICE}\s+and\s+)?(?P<dice>{DICE}(?:\s*\+\s*{DICE})?)(?:\s+or\s+{DICE})?\)"
    rf"|(?<!by\s)(?<!\w)(?P<amount>{DICE})\s+(?:when\s+you\s+reach|at)\s+(?P<reached>5|11|17)th(?:\s+level)?",
    re.IGNORECASE,
)
"""If the dice of a weapon's hit and of the spell itself are given ("+1d6 and 2d6"), the spell's."""
_TOTAL_AT: Final = re.compile(
    r"\bat\s+5th\s+level\b[^.]*?\((?P<count>\d+)d(?P<sides>\d+)\s+total\)[^.]*\.[^.]*?"
    r"\bby\s+(?P<more>\d+)d(?P=sides)\s+again\s+at\s+11th\s+level\s+and\s+at\s+17th\s+level",
    re.IGNORECASE,
)


def at_character_levels(text: str) -> Iterator[dict[str, Any]]:
    """A cantrip's damage, or its number of beams, at each character level that its text names.

    Rows are {character_level, damage or targets}.
    """
    for beams in _MISSILES_AT.finditer(text):
        yield {"character_level": int(beams["level"]), "targets": number(beams["count"])}
    if _THRESHOLD.search(text):
        return
    if total := _TOTAL_AT.search(text):
        for steps, level in enumerate((5, 11, 17)):
            count = int(total["count"]) + steps * int(total["more"])
            yield {"character_level": level, "damage": f"{count}d{total['sides']}"}
    for match in _AT_LEVELS.finditer(text):
        reached, amount = match["level"] or match["reached"], match["dice"] or match["amount"]
        dice = (canonical_dice(part) for part in re.split(r"\+(?=\s*\d*d)", amount))
        yield {"character_level": int(reached), "damage": "+".join(filter(None, dice))}
