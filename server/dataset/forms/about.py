"""The tables that explain the others: their columns, closed sets, the schema's revisions, the dataset itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.manifest import Manifest
from server.dataset.migrations import MIGRATIONS, introduced_in
from server.dataset.paths import resolve
from server.dataset.schema import PUBLISHED_TABLES
from server.dataset.tables.columns import Column, PolarsType, Table

COLUMNS: Final = Table(
    "columns",
    "Every column of the other tables, with its type.",
    (),
    (
        Column("table_name", pl.String, "Table.", required=True),
        Column("column_name", pl.String, "Column.", required=True),
        Column("position", pl.Int32, "Place in the table, from 1.", required=True),
        Column(
            "type",
            pl.String,
            "Its type in the Parquet tables: string, boolean, int32, float64, or list<…> and struct<name: type, …> of "
            "these.",
            required=True,
        ),
        Column("is_json", pl.Boolean, "A list or struct: in SQLite and CSV the cell is JSON text.", required=True),
        Column("required", pl.Boolean, "Never null.", required=True),
        Column("meaning", pl.String, "What it means.", required=True),
        Column("unit", pl.String, "Unit of its numbers."),
        Column("source", pl.String, "The fields it is read from, most trusted source first."),
        Column("entity_types", pl.List(pl.String), "The entity types that have it; empty for all.", required=True),
        Column("introduced_in", pl.String, "Revision of the schema; see `migrations`.", required=True),
    ),
)
ENUMS: Final = Table(
    "enums",
    "The values of columns that hold one of a fixed set.",
    (),
    (
        Column("table_name", pl.String, "Table.", required=True),
        Column(
            "column_name",
            pl.String,
            "Column, or a path into it: `area_of_effect.shape`, `actions[].attacks[].kind`.",
            required=True,
        ),
        Column("value", pl.String, "The value.", required=True),
        Column("meaning", pl.String, "Its meaning; null for a value outside the set, as homebrew may have."),
        Column("row_count", pl.Int32, "Rows that have it.", required=True),
    ),
)
MIGRATION_TABLE: Final = Table(
    "migrations",
    "What changed in the schema, oldest first.",
    (),
    (
        Column("revision", pl.String, "`<schema version>.<number>`.", required=True),
        Column("change", pl.String, "What changed.", required=True),
        Column("added", pl.List(pl.String), "Paths of what was added; `*` means every entity table.", required=True),
    ),
)
ABOUT: Final = Table(
    "about",
    "The dataset: its versions, and the notice with the credits and licences of every document.",
    (),
    (
        Column("name", pl.String, "Name of the fact.", required=True),
        Column("value", pl.String, "Its value.", required=True),
    ),
)
EXPLAINING_TABLES: Final = (COLUMNS, ENUMS, MIGRATION_TABLE, ABOUT)

_FACTS: Final = ("dataset_version", "schema_version", "content_hash", "built_at", "snapshot_at", "notice")
_SCALARS: Final[dict[Any, str]] = {
    pl.String: "string",
    pl.Boolean: "boolean",
    pl.Int32: "int32",
    pl.Float64: "float64",
}


def explaining_frames(frames: Mapping[str, pl.DataFrame], manifest: Manifest, notice: str) -> dict[str, pl.DataFrame]:
    """The rows of `EXPLAINING_TABLES` for the published tables in `frames`."""
    told: dict[str, Any] = {**manifest}
    facts = [{"name": name, "value": str(told[name])} for name in _FACTS if name in told]
    rows: dict[Table, list[dict[str, Any]]] = {
        COLUMNS: [row for table in (*PUBLISHED_TABLES, *EXPLAINING_TABLES) for row in _column_rows(table)],
        ENUMS: list(enum_rows(frames)),
        MIGRATION_TABLE: [
            {"revision": migration.revision, "change": migration.change, "added": list(migration.added)}
            for migration in MIGRATIONS
        ],
        ABOUT: [*facts, {"name": "licences", "value": notice}],
    }
    return {table.name: pl.DataFrame(found, schema=table.schema) for table, found in rows.items()}


def is_json(dtype: PolarsType) -> bool:
    """Whether values are written as JSON text where a cell holds a single value."""
    return isinstance(dtype, pl.List | pl.Struct)


def type_text(dtype: PolarsType) -> str:
    """A type as text: `list<struct<name: string, bonus: int32>>`."""
    if isinstance(dtype, pl.List):
        return f"list<{type_text(dtype.inner)}>"
    if isinstance(dtype, pl.Struct):
        return f"struct<{', '.join(f'{field.name}: {type_text(field.dtype)}' for field in dtype.fields)}>"
    return _SCALARS[dtype.base_type()]


def _column_rows(table: Table) -> Iterator[dict[str, Any]]:
    for position, column in enumerate(table.columns, 1):
        yield {
            "table_name": table.name,
            "column_name": column.name,
            "position": position,
            "type": type_text(column.dtype),
            "is_json": is_json(column.dtype),
            "required": column.required,
            "meaning": column.doc,
            "unit": column.unit or None,
            "source": column.source or None,
            "entity_types": list(column.entity_types),
            "introduced_in": introduced_in(f"{table.name}.{column.name}"),
        }


def enum_rows(frames: Mapping[str, pl.DataFrame]) -> Iterator[dict[str, Any]]:
    """The values of closed sets, and any others in their columns, with the number of rows that have them."""
    tables = {table.name: table for table in PUBLISHED_TABLES}
    for closed in CLOSED_SETS:
        for path in closed.paths:
            table, _, column = path.partition(".")
            values = frames[table].select(resolve(tables[table], column)[0].alias("value"))["value"]
            flat = values.explode() if isinstance(values.dtype, pl.List) else values
            counts = dict(flat.drop_nulls().value_counts().sort("value").iter_rows())
            for value in dict.fromkeys((*closed.meanings, *counts)):
                yield {
                    "table_name": table,
                    "column_name": column,
                    "value": value,
                    "meaning": closed.meanings.get(value),
                    "row_count": counts.get(value, 0),
                }
