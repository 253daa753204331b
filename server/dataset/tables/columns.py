"""`Column` and `Table`, the types in which the schema is declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl
from polars.datatypes import DataTypeClass

PolarsType = pl.DataType | DataTypeClass
"""A polars type, written as `pl.List(pl.String)` or as a bare class like `pl.String`."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of one table.

    Attributes:
        name: name of the column and of the response field.
        dtype: its polars type; Parquet and JSON schema follow from it.
        doc: what it means, with its unit.
        source: the fields it is read from, most trusted source first.
        unit: of its numbers: `feet`, `gp`.
        entity_types: the entity types that have it; empty for all of the table.
        summary: included in responses with `detail="summary"`; among `COMMON` columns, those that identify a record.
        choice: included there too, if a page has room: what people choose by. For a struct, the members included; for a
            list of structs, those that make up each one's name there: `Bite`, or `1: Rage` from level and name.
        response: included in responses at all; False if only the engine or data users need it.
        queried: in the tables that SQL queries see and in records for exports, even if not in responses.
        required: never null.
    """

    name: str
    dtype: PolarsType
    doc: str
    source: str = ""
    entity_types: tuple[str, ...] = ()
    summary: bool = False
    choice: bool | tuple[str, ...] = False
    response: bool = True
    queried: bool = False
    required: bool = False
    unit: str = ""

    @property
    def members(self) -> tuple[str, ...]:
        """The members of its struct, or of the structs in its list, in order; empty for any other type."""
        inner = self.dtype.inner if isinstance(self.dtype, pl.List) else self.dtype
        return tuple(field.name for field in inner.fields) if isinstance(inner, pl.Struct) else ()

    @property
    def holds_named_texts(self) -> bool:
        """Whether it is a list of texts with a name but no id of their own: traits, actions, features, benefits."""
        named = {"name", "description"} <= {*self.members} and "id" not in self.members
        return isinstance(self.dtype, pl.List) and named


def narrowed(column: Column, *members: str) -> pl.Expr:
    """A column of lists of structs, reduced to some members: the cost of reading a row depends on what is in it."""
    return pl.col(column.name).list.eval(pl.struct(pl.element().struct.field(member) for member in members))


@dataclass(frozen=True, slots=True)
class Table:
    """One Parquet file of the dataset.

    Attributes:
        name: stem of the file name.
        doc: what it contains.
        entity_types: types of the entities it contains; empty if it is not an entity table.
        columns: its columns, in order.
        optional: older datasets may lack it; then it is read as empty.
    """

    name: str
    doc: str
    entity_types: tuple[str, ...]
    columns: tuple[Column, ...]
    optional: bool = False

    @property
    def file(self) -> str:
        return f"{self.name}.parquet"

    @property
    def schema(self) -> dict[str, PolarsType]:
        return {column.name: column.dtype for column in self.columns}

    def columns_of(self, entity_type: str) -> Iterator[Column]:
        """The columns that entities of this type have."""
        return (c for c in self.columns if not c.entity_types or entity_type in c.entity_types)

    def meaning(self, column: Column) -> str:
        """What a column means, and which of the table's entity types have it if not all do."""
        if not column.entity_types or set(column.entity_types) == set(self.entity_types):
            return column.doc
        return f"{column.doc} Only for: {', '.join(column.entity_types)}."

    def column(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)
