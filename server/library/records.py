"""Entities as response records: the fields that their type has, full or in summary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.columns import Column
from server.dataset.schema import CHILD, REFERENCE, TABLE_OF
from server.dataset.sentences import first_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from server.library.catalogue import Catalogue

Record = dict[str, Any]

_HAS_FACTS: Final = {"weapon": "is_weapon", "armor": "is_armor"}
"""The facts of these types an entity of another type has only where this column says so."""
_FLAGS: Final = frozenset(_HAS_FACTS.values())


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a type's records.

    Attributes:
        name: the column's.
        sparse: absent members of the struct are left out.
        flag: a column that must be true for the entity to have the field.
        inside: (value, documents) → the value without what stands in other documents.
    """

    name: str
    sparse: bool
    flag: str | None
    inside: Callable[[Any, Collection[str]], Any] | None


class Records:
    """Renders entities of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def full(self, numbers: Iterable[int], documents: Collection[str] | None) -> list[Record]:
        """Everything about the entities, in the order given.

        `documents`: leave out what stands in others; None for no limit.
        """
        return self._render(list(numbers), documents, summary=False)

    def summaries(self, numbers: Iterable[int], documents: Collection[str] | None) -> list[Record]:
        """Identity, filterable facts and first sentence."""
        records = self._render(list(numbers), documents, summary=True)
        for record in records:
            record["description"] = first_sentence(record["description"])
        return records

    def _render(self, numbers: list[int], documents: Collection[str] | None, *, summary: bool) -> list[Record]:
        rows: dict[int, Record] = {}
        for part in self._catalogue.parts:
            mine = [number for number in numbers if part.start <= number < part.stop]
            if mine:
                columns = [c.name for c in part.table.columns if _is_read(c, summary=summary)]
                found = part.frame.select(columns)[[number - part.start for number in mine]].to_dicts()
                rows.update(zip(mine, found, strict=True))
        return [_record(rows[number], documents, summary=summary) for number in numbers]


def _is_read(column: Column, *, summary: bool) -> bool:
    return column.name in _FLAGS or (column.response and (column.summary or not summary))


@cache
def _fields(entity_type: str, *, summary: bool) -> tuple[_Field, ...]:
    """The fields of a type's records, in order."""
    return tuple(
        _Field(
            name=column.name,
            sparse=column.sparse,
            flag=next((_HAS_FACTS[t] for t in _HAS_FACTS if t in column.entity_types and t != entity_type), None),
            inside=_inside(column),
        )
        for column in TABLE_OF[entity_type].columns_of(entity_type)
        if column.response and (column.summary or not summary)
    )


def _record(row: Record, documents: Collection[str] | None, *, summary: bool) -> Record:
    record: Record = {}
    for field in _fields(row["entity_type"], summary=summary):
        if field.flag is not None and not row[field.flag]:
            continue
        value = row[field.name]
        if value is not None:
            if field.sparse:
                value = {member: fact for member, fact in value.items() if fact is not None}
            if documents is not None and field.inside is not None:
                value = field.inside(value, documents)
        if field.name == "document_key":
            record["document"] = value
        record[field.name] = value
    return record


def _inside(column: Column) -> Callable[[Any, Collection[str]], Any] | None:
    """How a column's value is rid of what stands in other documents; None where it names none."""
    if column.dtype == REFERENCE:
        return _reference_inside
    if column.dtype == pl.List(CHILD):
        return _children_inside
    return _related_inside if column.name == "related" else None


def _reference_inside(reference: Record, documents: Collection[str]) -> Record:
    """A subclass still says what class it is of, but no longer where that is."""
    if reference["document_key"] in documents:
        return reference
    return {"id": None, "name": reference["name"], "document_key": None}


def _children_inside(children: list[Record], documents: Collection[str]) -> list[Record]:
    return [child for child in children if child["document_key"] in documents]


def _related_inside(related: list[str], documents: Collection[str]) -> list[str]:
    """Of ids those in the documents; mere names stay."""
    return [entry for entry in related if (parts := entry.split("/"))[0] not in TABLE_OF or parts[1] in documents]
