"""Effects of traits and actions that only refer to another creature's: "As the **orc**, except the save DC is 18"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.creatures.creatures import stat_block
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.stat_blocks.effects import effects

_WORD: Final = re.compile(r"\w+")
_AS_ANOTHER: Final = re.compile(r"As (?:the )?\**(?P<name>[a-z][\w’' -]*?)\**(?:\.$|,? (?:except|with|but)\b)")

_DC: Final = re.compile(r"\bDC (?:is )?(?P<number>\d+)")
_SIZE: Final = re.compile(r"\b(?P<number>\d+)-foot (?=(?:cone|cube|line)\b)")

Row = Mapping[str, Any]
_Owners = Mapping[tuple[str, str], list[tuple[frozenset[str], Row]]]
"""(document, name of a row) → (words of the creature's name, row) for each creature with such a row."""


def add_inherited_effects(entities: Iterable[Entity]) -> None:
    """Add to creatures' own effects those of the rows that their rows refer to, in the same book."""
    creatures = [entity for entity in entities if entity.entity_type == "creature"]
    owners: dict[tuple[str, str], list[tuple[frozenset[str], Row]]] = defaultdict(list)
    for entity in creatures:
        for row in _rows(entity):
            if not _referred(row):
                owners[entity.document_key, row["name"]].append((_words(entity.name), row))
    for entity in creatures:
        if any(map(_referred, _rows(entity))):
            found = effects(entity.name, _whole(entity, owners))
            entity.from_text |= {column for column, value in found.items() if value != entity.facts.get(column)}
            entity.facts |= found


def _rows(entity: Entity) -> Iterator[Row]:
    return (row for rows in stat_block(entity.facts).values() for row in rows)


def _whole(entity: Entity, owners: _Owners) -> dict[str, list[Row]]:
    """Its traits and actions by column, each with what the one that it refers to says."""

    def whole(row: Row) -> Row:
        named = _referred(row)
        theirs = [other for other in owners[entity.document_key, row["name"]] if named and named <= other[0]]
        return _with_own_numbers(min(theirs, key=lambda each: len(each[0]))[1], row) if theirs else row

    return {column: [whole(row) for row in rows] for column, rows in stat_block(entity.facts).items()}


def _with_own_numbers(theirs: Row, own: Row) -> Row:
    """Another creature's row, with the DC and the size of the area that the row referring to it gives instead.

    What else that row says comes after.
    """
    text = theirs["description"]
    for pattern, written in ((_DC, "DC {}"), (_SIZE, "{}-foot ")):
        if instead := pattern.search(own["description"]):
            text = pattern.sub(written.format(instead["number"]), text)
    return {**theirs, "description": f"{text}\n\n{own['description']}"}


def _referred(row: Row) -> frozenset[str]:
    """The words of the creature whose row of the same name this one refers to; empty if it states its own effect."""
    match = _AS_ANOTHER.match(row["description"] or "")
    return _words(match["name"]) if match else frozenset()


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(name.casefold()))
