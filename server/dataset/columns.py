"""What a column and a table are: the words in which the schema is declared."""

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
        name: the column's and the response field's name.
        dtype: its polars type; Parquet and JSON schema follow from it.
        doc: what it means, with its unit.
        source: where the fact comes from first (source fields, best first).
        entity_types: the entity types that have it; empty for all of the table.
        summary: responses with `detail="summary"` carry it.
        response: responses carry it at all; False for what only the engine or data users need.
        required: never null.
        sparse: a struct whose absent members are left out of responses instead of being null.
    """

    name: str
    dtype: PolarsType
    doc: str
    source: str = ""
    entity_types: tuple[str, ...] = ()
    summary: bool = False
    response: bool = True
    required: bool = False
    sparse: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One Parquet file of the dataset.

    Attributes:
        name: the file's stem.
        doc: what it holds.
        entity_types: of entities of these types; empty where it holds none.
        columns: in order.
        optional: datasets may lack it, since some were made before it was; it is read as empty.
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

    def column(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)
