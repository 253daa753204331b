"""The saving throws that a stat block's traits and actions force on others, with their DCs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.abilities import ABILITY_OF

ABILITY: Final = "|".join(rf"{short}(?:{ability[3:]})?" for short, ability in ABILITY_OF.items())
_ABILITIES: Final = rf"(?:{ABILITY})(?:(?:,?\s+or\s+|,\s*|/)(?:{ABILITY}))*"
_SAVE: Final = re.compile(
    rf"""
    \bDC\s*(?P<dc>\d+)\s+(?P<abilities>{_ABILITIES})\b(?!\s*\()
      (?:
        \s+(?:saving(?:\s+throws?|(?=\s+or\b))|saves?|negates|half|partial)\b
        | (?=\s+or\b(?!\s+(?:{ABILITY})\b))
      )
    | \b(?P<named>{_ABILITIES})\s+(?:saving\s+throws?|saves?)\b[:_*]*\s*
      (?:\(?DC\s*(?:(?P<after>\d+)\b(?!\s+plus\b)|equals\b)|your\s+spell\s+save\s+DC\b)
    | (?:\bmakes\s+a\s|\bmust\s+succeed\s+on\s+an?\s|:\s)\s*(?P<bare>{_ABILITIES})\s+
      (?:saving\s+throw|save)(?:,\s+taking|\s+or)\b
    | \((?P<first>{_ABILITIES})\s+DC\s*(?P<first_dc>\d+)\s+(?:negates|half|partial)\b
    | \(DC\s*(?P<terse_dc>\d+)\s+(?P<terse>{_ABILITIES})\b(?!\s*\(|\s+(?:ability\s+)?checks?\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ESCAPED: Final = re.compile(r"\b(?:break|burst|pry|tear)\w*\b[^.();]{0,30}$", re.IGNORECASE)
"""Text before the DC of a check that ends something: "until somebody breaks the thread (DC 9 Str)"."""
_UNNUMBERED: Final = re.compile(r"(?:throw|save)(?:, taking| or)\b", re.IGNORECASE)
_UNNAMED_SAVE: Final = re.compile(
    r"\b(?:save|spell\s?casting)\s+DC\s*(?:is\s+)?(?P<dc>\d+)|\((?:spell save )?DC\s*(?P<bare>\d+)\)"
    r"|\bDC\s*(?P<any>\d+)\s+saving\s+throw\b",
    re.IGNORECASE,
)
"""Saves without a named ability: those against spells, and "a DC 11 saving throw"."""
_DISGORGES: Final = re.compile(
    r"[^.]*?\bor\s+(?:it\s+)?(?:regurgitates?|disgorges?|expels?|transforms?\s+into\s+its)\b", re.IGNORECASE
)
"""Text after the creature's own save, made to keep what it has swallowed, or its form."""


def saves(sentence: str) -> Iterator[tuple[str, int | None]]:
    """(ability, DC) of the saves that a sentence calls for; the DC is None if the sentence does not give it."""
    for match in _SAVE.finditer(sentence) if "DC" in sentence or _UNNUMBERED.search(sentence) else ():
        if _DISGORGES.match(sentence, match.end()) or (match["terse"] and _ESCAPED.search(sentence, 0, match.start())):
            continue
        abilities = match["abilities"] or match["named"] or match["bare"] or match["first"] or match["terse"]
        for ability in re.findall(ABILITY, abilities, re.IGNORECASE):
            dc = match["dc"] or match["after"] or match["first_dc"] or match["terse_dc"]
            yield ABILITY_OF[ability[:3].lower()], int(dc) if dc else None


def unnamed_dcs(text: str) -> Iterator[int]:
    """The DCs of saving throws without a named ability: those against spells, and "a DC 11 saving throw"."""
    for match in _UNNAMED_SAVE.finditer(text):
        yield int(match[match.lastgroup or 0])
