"""Entities as response records with the fields of their type: by name only, as summaries, in full."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.schema import COMMON, TABLE_OF
from server.dataset.sentences import first_sentence
from server.dataset.tables.columns import Column, narrowed
from server.library.records.budget import rendered_apart
from server.library.records.references import inside
from server.sheets.classes import columns_of, level_table
from server.sheets.part_line import part_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from server.dataset.record import Record
    from server.library.catalogue import Catalogue, TableSlice
    from server.library.records.asked_parts import AskedPart
    from server.library.records.parts import Part

NAMES: Final = ("name", "document", "id")
"""The fields that a record has in any form."""


class Form(IntEnum):
    """How much of an entity a record has, from least to most.

    Only full and whole records have fields without a value (null); within a field, no record has nulls.
    """

    NAMES = 0
    IDENTITY = 1
    """The fields that identify it, and its first sentence."""
    FACTS = 2
    """The same, plus the facts that filters use."""
    SUMMARY = 3
    """The same, plus what people choose by."""
    FULL = 4
    WHOLE = 5
    """The same, plus what responses leave out because their texts say it: for exports."""


_IDENTITY: Final = frozenset(column.name for column in COMMON if column.summary)
_PART_OF: Final = _IDENTITY - {"description"} | {"document"}
"""Fields of a record that its parts carry too."""
_FLAG_OF: Final = {"weapon": "is_weapon", "armor": "is_armor"}
"""Other types carry these types' fields only if the flag is true."""
_FLAGS: Final = frozenset(_FLAG_OF.values())


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a type's records.

    Attributes:
        name: the column's.
        flag: a boolean column that must be true for the entity to have the field.
        inside: (value, document keys) → the value without references to other documents.
        members: members of the struct or structs that summaries have, as in `Column.choice`; empty for all.
    """

    name: str
    flag: str | None
    inside: Callable[[Any, Collection[str]], Any] | None
    members: tuple[str, ...]


class Records:
    """Renders entities of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        # Selected once: every selection of columns waits for polars's threads.
        self._frames = {form: {part.table.name: _columns_of(form, part) for part in catalogue.parts} for form in Form}

    def render(self, rows: Sequence[int], form: Form, documents: Collection[str] | None) -> list[Record]:
        """Records in one form.

        Args:
            rows: catalogue rows, in the order of the result.
            form: how much of them.
            documents: keys of the documents that records may refer to; None for all.
        """
        finish = {Form.NAMES: _named, Form.FULL: _in_full, Form.WHOLE: _in_full}.get(form, _shortened)
        return [finish(record) for record in self._read(rows, form, documents)]

    def parts(self, rows: Sequence[int], parts: Mapping[int, Part], documents: Collection[str] | None) -> list[Record]:
        """The identity and one part of each record: `part`, its name, and its entries as in the full record.

        Args:
            rows: catalogue rows, in the order of the result.
            parts: the part of each row.
            documents: as for `render`.
        """
        whole = self._read(rows, Form.FULL, documents)
        return [_in_full(_only(record, parts[row])) for row, record in zip(rows, whole, strict=True)]

    def part_lines(self, asked: AskedPart, rows: Sequence[int], documents: Collection[str] | None) -> dict[int, str]:
        """Catalogue row → what was asked of it, in a few words."""
        whole = zip(rows, self._read(rows, Form.FULL, documents), strict=True)
        each = ((row, asked.parts[row], record) for row, record in whole)
        return {row: part_line(_only(record, part), part.fields, asked.asked) for row, part, record in each}

    def whole_or_part(
        self, rows: Sequence[int], fitting: Mapping[int, Part], documents: Collection[str] | None
    ) -> list[Record]:
        """Full records; of those with a fitting part, only that in full, along with the facts that filters use."""

        def with_part(some: Sequence[int]) -> list[Record]:
            facts, parts = self.render(some, Form.FACTS, documents), self.parts(some, fitting, documents)
            return [fact | part for fact, part in zip(facts, parts, strict=True)]

        return rendered_apart(rows, fitting, with_part, lambda some: self.render(some, Form.FULL, documents))

    def _read(self, rows: Sequence[int], form: Form, documents: Collection[str] | None) -> list[Record]:
        """The fields of a form, with the values of the dataset."""
        return [_record(facts, form, documents) for facts in self._catalogue.read(self._frames[form], rows)]


def _columns_of(form: Form, part: TableSlice) -> pl.DataFrame:
    """The columns of a table that records of a form need."""
    return part.frame.select(
        _read_as(form, column) for column in part.table.columns if column.name in _FLAGS or _has(form, column)
    )


def _has(form: Form, column: Column) -> bool:
    """Whether records of a form have a column."""
    if not column.response:
        return column.queried and form is Form.WHOLE
    match form:
        case Form.FULL | Form.WHOLE:
            return True
        case Form.SUMMARY:
            return column.summary or bool(column.choice)
        case Form.FACTS:
            return column.summary
        case Form.IDENTITY | Form.NAMES:
            return column.name in _IDENTITY


def _read_as(form: Form, column: Column) -> pl.Expr:
    """A column as records of a form need it: only the chosen members of a list, unless its references are checked."""
    if form >= Form.FULL or not isinstance(column.choice, tuple) or column.dtype != pl.List or inside(column):
        return pl.col(column.name)
    return narrowed(column, *column.choice)


@cache
def _fields(entity_type: str, form: Form) -> tuple[_Field, ...]:
    """The fields of a type's records, in order."""
    return tuple(
        _Field(
            name=column.name,
            flag=next((_FLAG_OF[t] for t in _FLAG_OF if t in column.entity_types and t != entity_type), None),
            inside=inside(column),
            members=column.choice if form < Form.FULL and isinstance(column.choice, tuple) else (),
        )
        for column in TABLE_OF[entity_type].columns_of(entity_type)
        if _has(form, column)
    )


def _record(row: Record, form: Form, documents: Collection[str] | None) -> Record:
    record: Record = {}
    for field in _fields(row["entity_type"], form):
        if field.flag is not None and not row[field.flag]:
            continue
        value = row[field.name]
        if value is not None:
            if documents is not None and field.inside is not None:
                value = field.inside(value, documents)
            if field.members:
                value = _members(value, field.members)
        if field.name == "document_key":
            record["document"] = value
        record[field.name] = value
    return record


def _members(value: Record | list[Record], members: tuple[str, ...]) -> Record | list[Any]:
    """The members of a struct; for a list of structs, the name that they make up: `1: Rage` from level and name."""
    if isinstance(value, dict):
        return {member: value[member] for member in members}
    return [": ".join(str(part[member]) for member in members if part[member] is not None) for part in value]


def _named(record: Record) -> Record:
    return {field: record[field] for field in NAMES}


def _shortened(record: Record) -> Record:
    """A summary: the first sentence, and only what is known."""
    return _known_members(record | {"description": first_sentence(record["description"])})


def _known(value: object) -> object:
    """A value without anything null in it, and without the objects that this leaves empty; empty lists stay."""
    if isinstance(value, list):
        return value if value and isinstance(value[0], str) else [_known(member) for member in value]
    return _known_members(value) if isinstance(value, dict) else value


def _known_members(members: Record) -> Record:
    known: Record = {}
    for name, member in members.items():
        if isinstance(member, (dict, list)):
            member = _known(member)  # noqa: PLW2901 - most are neither, and a call costs more than the rest
        if member is not None and member != {}:
            known[name] = member
    return known


def _in_full(record: Record) -> Record:
    """A full record: level tables are Markdown, and the values of fields hold only what is known."""
    table = {"progression": level_table(record)} if record.get("progression") else {}
    return {name: _known(value) for name, value in (record | table).items()}


def _only(record: Record, part: Part) -> Record:
    only: Record = {name: record[name] for name in record if name in _PART_OF} | {"part": part.name}
    for path in part.fields:
        field, _, member = path.partition(".")
        if field in record:  # not every type of the table has it
            value = record[field]
            only[field] = {**only.get(field, {}), member: value[member]} if member and value is not None else value
    only |= {column: [record[column][place] for place in places] for column, places in part.places.items()}
    if "features" in only and "progression" not in only:
        only["features"] = [_with_columns(feature, record.get("progression") or ()) for feature in only["features"]]
    return only


def _with_columns(feature: Record, progression: Sequence[Record]) -> Record:
    """A feature with the columns of its class's level table that it refers to: alone it would not say how much."""
    columns = columns_of(feature, progression)
    return feature | ({"by_level": columns} if columns else {})
