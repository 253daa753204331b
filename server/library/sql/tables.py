"""The tables that queries read (the dataset's, but one row per document), and the statements that copy them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, TAGS
from server.dataset.tables.columns import Column
from server.library.sql.references import inside, quoted

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from server.dataset.tables.columns import PolarsType, Table

_OF_A_SOURCE: Final = ("source_api", "entity_count", "entity_types")
"""The columns of `documents.parquet` that describe a source; the others are the same in all rows of a document."""
_SOURCES: Final = "sources"
_ONE_A_DOCUMENT: Final = replace(
    DOCUMENTS,
    doc="One row per document. (In documents.parquet one per document and source.)",
    columns=(
        *(column for column in DOCUMENTS.columns if column.name not in _OF_A_SOURCE),
        Column(
            _SOURCES,
            pl.List(pl.Struct({name: DOCUMENTS.column(name).dtype for name in _OF_A_SOURCE})),
            "The sources, each with the number of entities that it contributed to.",
        ),
    ),
)
"""One row per document, so that `JOIN documents` does not duplicate rows."""

TABLES: Final = (_ONE_A_DOCUMENT, *ENTITY_TABLES, TAGS)

_SCALAR_TYPES: Final[dict[Any, str]] = {
    pl.String: "VARCHAR",
    pl.Int32: "INTEGER",
    pl.Int64: "BIGINT",
    pl.Float32: "FLOAT",
    pl.Float64: "DOUBLE",
    pl.Boolean: "BOOLEAN",
}


def published(table: Table) -> tuple[Column, ...]:
    """The columns that queries see."""
    return tuple(column for column in table.columns if column.response or column.queried)


def creation(table: Table, folder: Path, documents: Collection[str] | None) -> str:
    """The statement that copies a table from a dataset: rows of the visible documents, without references to others.

    Optional columns missing from an older dataset (`server/dataset/compatibility.py`) are null; missing struct members
    become null in the cast.

    Args:
        table: one of `TABLES`.
        folder: the dataset's folder.
        documents: keys of the visible documents; None for all.
    """
    path = folder / table.file
    columns = published(table)
    if not path.is_file():
        declared = ", ".join(f'"{column.name}" {sql_type(column.dtype)}' for column in columns)
        return f'CREATE TABLE "{table.name}" ({declared})'
    held = pl.read_parquet_schema(path)
    # The second part of an entity's id is its document.
    key = "document_key" if "document_key" in held else "split_part(entity_id, '/', 2)"
    allowed = "" if documents is None else f" WHERE {key} IN ({', '.join(map(quoted, sorted(documents)))})"
    value, grouped = (_of_document, " GROUP BY document_key") if table is _ONE_A_DOCUMENT else (_of_row, "")

    def copied(c: Column) -> str:
        cast = f"CAST({value(c) if c.name in held or c.name == _SOURCES else 'NULL'} AS {sql_type(c.dtype)})"
        return f'{cast if documents is None else inside(c, cast, documents)} AS "{c.name}"'

    values = ", ".join(map(copied, columns))
    source = quoted(str(path))
    return f'CREATE TABLE "{table.name}" AS SELECT {values} FROM read_parquet({source}){allowed}{grouped}'  # noqa: S608 - names of the schema


def _of_row(column: Column) -> str:
    return f'"{column.name}"'


def _of_document(column: Column) -> str:
    """The value that all rows of a document share, or a list of what each says about its source."""
    if column.name != _SOURCES:
        return f'any_value("{column.name}")'
    members = ", ".join(f"'{name}': {name}" for name in _OF_A_SOURCE)
    return f"list({{{members}}} ORDER BY entity_count DESC)"


def sql_type(dtype: PolarsType) -> str:
    """A column's type in DuckDB syntax: `VARCHAR[]`, `STRUCT(walk INTEGER, …)`."""
    if isinstance(dtype, pl.List):
        return f"{sql_type(dtype.inner)}[]"
    if isinstance(dtype, pl.Struct):
        return f"STRUCT({', '.join(f'{f.name} {sql_type(f.dtype)}' for f in dtype.fields)})"
    return _SCALAR_TYPES[dtype if isinstance(dtype, type) else type(dtype)]
