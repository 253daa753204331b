"""The spells that a subclass gives or adds to its class's list, from the tables in its features."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.text.tables import table_data
from server.dataset.names import slugify

_LEVEL: Final = re.compile(r"(?:(?P<of>\w+) )?Level")
_SPELLS: Final = re.compile(r"(?:(?P<of>.+) )?Spells")
_NUMBER: Final = re.compile(r"(\d+)(?:st|nd|rd|th)?")
_NOTE: Final = re.compile(r"\s*\([^()]*\)")
_OF_SPELLS: Final = "Spell"
"""The level in the first column is then the spells' own: the class may learn them, which it can once it has slots."""


def subclass_spells(name: str, features: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The spells in tables of the features of a subclass, in the order of the tables.

    Each is {name (as printed), id (None, resolved in merging.links), level (the spell's, if the table gives it),
    class_level (at which the class gets it; None if the table gives the spell's level), choice (the title or column
    heading that it depends on; None if everyone gets it)}.

    Args:
        name: the subclass's; a column headed by it is for everyone.
        features: each with a `description`.
    """
    return [row for feature in features for row in _in_text(name, feature["description"] or "")]


def _in_text(name: str, text: str) -> Iterator[dict[str, Any]]:
    tables = [table for table in table_data(text) if _lists_spells(table["columns"])]
    for table in tables:
        first, *others = table["columns"]
        of_spells = _of(_LEVEL, first) == _OF_SPELLS
        for level, *cells in table["rows"]:
            number = _NUMBER.fullmatch(level or "")
            if number is None:
                continue
            for heading, cell in zip(others, cells, strict=True):
                of = _of(_SPELLS, heading) if len(others) > 1 else table["title"] if len(tables) > 1 else None
                yield from (
                    {
                        "name": spell,
                        "id": None,
                        "level": int(number[1]) if of_spells else None,
                        "class_level": None if of_spells else int(number[1]),
                        "choice": None if of is None or slugify(name).startswith(slugify(of)) else of,
                    }
                    for each in _NOTE.sub("", cell or "").split(",")
                    if (spell := each.strip())
                )


def _lists_spells(columns: list[str | None]) -> bool:
    first, *others = columns or [None]
    return bool(_LEVEL.fullmatch(first or "") and others) and all(_SPELLS.fullmatch(each or "") for each in others)


def _of(heading: re.Pattern[str], text: str) -> str | None:
    match = heading.fullmatch(text)
    return match["of"] if match else None
