"""Entities as response records with the fields of their type, full or as summaries."""

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

_FLAG_OF: Final = {"weapon": "is_weapon", "armor": "is_armor"}
"""Other types carry these types' fields only if the flag is true."""
_FLAGS: Final = frozenset(_FLAG_OF.values())


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a type's records.

    Attributes:
        name: the column's.
        sparse: null members of the struct are left out.
        flag: a boolean column that must be true for the entity to have the field.
        inside: (value, document keys) → the value without references to other documents.
    """

    name: str
    sparse: bool
    flag: str | None
    inside: Callable[[Any, Collection[str]], Any] | None


class Records:
    """Renders entities of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def full(self, rows: Iterable[int], documents: Collection[str] | None) -> list[Record]:
        """Full records.

        Args:
            rows: catalogue rows, in the order of the result.
            documents: keys of the documents that records may refer to; None for all.
        """
        return self._render(list(rows), documents, summary=False)

    def summaries(self, rows: Iterable[int], documents: Collection[str] | None) -> list[Record]:
        """Identity, filterable facts and first sentence; arguments as of `full`."""
        records = self._render(list(rows), documents, summary=True)
        for record in records:
            record["description"] = first_sentence(record["description"])
        return records

    def _render(self, rows: list[int], documents: Collection[str] | None, *, summary: bool) -> list[Record]:
        facts: dict[int, Record] = {}
        for part in self._catalogue.parts:
            own = [row for row in rows if part.start <= row < part.stop]
            if own:
                columns = [c.name for c in part.table.columns if _is_read(c, summary=summary)]
                found = part.frame.select(columns)[[row - part.start for row in own]].to_dicts()
                facts.update(zip(own, found, strict=True))
        return [_record(facts[row], documents, summary=summary) for row in rows]


def _is_read(column: Column, *, summary: bool) -> bool:
    return column.name in _FLAGS or (column.response and (column.summary or not summary))


@cache
def _fields(entity_type: str, *, summary: bool) -> tuple[_Field, ...]:
    """The fields of a type's records, in order."""
    return tuple(
        _Field(
            name=column.name,
            sparse=column.sparse,
            flag=next((_FLAG_OF[t] for t in _FLAG_OF if t in column.entity_types and t != entity_type), None),
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
    """What removes references to other documents from a column's value; None if it has none."""
    if column.dtype == REFERENCE:
        return _reference_inside
    if column.dtype == pl.List(CHILD):
        return _children_inside
    return _ids_inside if column.name in {"related", "links"} else None


def _reference_inside(reference: Record, documents: Collection[str]) -> Record:
    """The name stays: a subclass is still of its class."""
    if reference["document_key"] in documents:
        return reference
    return {"id": None, "name": reference["name"], "document_key": None}


def _children_inside(children: list[Record], documents: Collection[str]) -> list[Record]:
    return [child for child in children if child["document_key"] in documents]


def _ids_inside(entries: list[str], documents: Collection[str]) -> list[str]:
    """Ids in the documents, and entries that are only names."""
    return [entry for entry in entries if (parts := entry.split("/"))[0] not in TABLE_OF or parts[1] in documents]
