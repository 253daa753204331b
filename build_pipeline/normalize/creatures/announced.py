"""Merges options that follow the row announcing them, as rows of their own, into that row's text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

Row = Mapping[str, Any]

_ANNOUNCES: Final = re.compile(
    r"(?:\bfollowing\s+(?!attack|action|additional)|\blist\s+below|\blisted\s+below|\broll\s+(?:a\s+|1)d\d+)[^\n:]*:$"
    r"|\bone\s+of\s+the\s+following\s+breath\s+weapons\.$"
    r"|\b(?:listed\s+below|following\s+table)\.[^\n]*$"
    r"|\bone\s+of\s+the\s+following\s+effects\b[^\n:]*\.$",
    re.IGNORECASE,
)
"""The end of a text that announces options. A single attack or action that it merely allows is not an option."""
_EFFECTS_OR_COLON: Final = re.compile(r":$|\bfollowing\s+effects\b[^\n:]*\.$", re.IGNORECASE)
_BREATH_WEAPONS: Final = re.compile(r"\bbreath\s+weapons[.:]$", re.IGNORECASE)
_BREATHES: Final = re.compile(r"\b(?:exhales|spits|burps|breathes)\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\d+\b")
_LETTERS: Final = re.compile(r"[a-z]{3,}")


def with_options(name: str, rows: Iterable[Row]) -> list[Row]:
    """The rows of the creature `name`, with the options that a row announces added to its text and attacks.

    Options are the rows that follow: all numbered ones; or breaths, after breath weapons; or otherwise those up to one
    that states what the creature itself does, how often, or how it attacks.
    """
    kept: list[Row] = []
    announcing: Row | None = None
    before: Row | None = None
    for row in rows:
        if announcing is not None and _is_option(row, announcing, before, name):
            kept[-1], before = _joined(kept[-1], row), row
            continue
        before = None
        announcing = row if _ANNOUNCES.search((row["description"] or "").rstrip()) else None
        kept.append(row)
    return kept


def _is_option(row: Row, announcing: Row, before: Row | None, name: str) -> bool:
    """Whether a row is an option; `before` is the option before it, if any."""
    if _NUMBERED.match(row["name"]) or row["name"] == announcing["name"]:
        return True
    if before is not None and _NUMBERED.match(before["name"]):
        return False
    text = row["description"] or ""
    if _BREATH_WEAPONS.search(announcing["description"].rstrip()):
        return bool(_BREATHES.search(text))
    if not _EFFECTS_OR_COLON.search(announcing["description"].rstrip()):
        return False
    return not (row.get("usage") or row.get("attacks") or set(_subject(text)) & set(_LETTERS.findall(name.lower())))


def _subject(text: str) -> Iterator[str]:
    """The first words of a text that begins with a single being: "The city watch captain …"."""
    yield from _LETTERS.findall(" ".join(text.split()[:4]).lower()) if text.startswith(("The ", "An ", "A ")) else ()


def _joined(row: Row, option: Row) -> Row:
    usage = f" ({option['usage']})" if option.get("usage") else ""
    attacks = {"attacks": [*row["attacks"], *option["attacks"]]} if "attacks" in row else {}
    text = f"{row['description']}\n\n***{option['name']}{usage}.*** {option['description'] or ''}".rstrip()
    return {**row, "description": text, **attacks}
