"""The dataset as one SQLite file: strict tables, lists and structs as JSON text, and full-text search."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from server.dataset.forms.about import is_json
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, TAGS
from server.dataset.strict_json import dump_json
from server.dataset.tables.columns import Column, Table

SEARCH: Final = "text_search"
"""The full-text index: `SELECT id, name FROM text_search WHERE text_search MATCH 'undead' ORDER BY rank`."""

_HEADER: Final = b"SQLite format 3\0"
_APPLICATION_ID: Final = int.from_bytes(b"Lore")
_ID_AT: Final = slice(68, 72)
"""The bytes of a SQLite file that hold the application id."""
_TYPES: Final[dict[Any, str]] = {pl.String: "TEXT", pl.Boolean: "INTEGER", pl.Int32: "INTEGER", pl.Float64: "REAL"}
_KEYS: Final = {DOCUMENTS.name: ("document_key", "source_api"), TAGS.name: ("entity_id", "tag")}
_INDEXED: Final = ("name_normalized", "document_key")
_TEXTS: Final = ("description", "higher_level", "legendary_description")
"""Columns of prose; in structs and lists, members called `name` and `description`."""


def check_replaceable(path: Path) -> None:
    """Refuse to write over a file that is not an earlier export.

    Raises:
        FileExistsError: it is something else.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        head = file.read(_ID_AT.stop)
    if not head.startswith(_HEADER) or head[_ID_AT] != _APPLICATION_ID.to_bytes(4):
        msg = f"{path} is not an earlier export as sqlite; name a new file"
        raise FileExistsError(msg)


def write_sqlite(path: Path, frames: Mapping[Table, pl.DataFrame]) -> None:
    """Write a new SQLite file.

    Booleans are 0 and 1. `text_search` finds names and texts (FTS5, English stems).
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("BEGIN")
        for table, frame in frames.items():
            _write_table(connection, table, frame)
        _write_search(connection, {table: frames[table] for table in frames if table in ENTITY_TABLES})
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    finally:
        connection.close()


def _write_table(connection: sqlite3.Connection, table: Table, frame: pl.DataFrame) -> None:
    key = _KEYS.get(table.name, ("id",) if "id" in table.schema else ())
    parts = [_definition(column) for column in table.columns]
    parts += [f"PRIMARY KEY ({', '.join(key)})"] if key else []
    connection.execute(f'CREATE TABLE "{table.name}" ({", ".join(parts)}) STRICT')
    places = ", ".join("?" * len(table.columns))
    connection.executemany(f'INSERT INTO "{table.name}" VALUES ({places})', _rows(table, frame))  # noqa: S608 - declared
    for column in _INDEXED:
        if table in ENTITY_TABLES:
            connection.execute(f'CREATE INDEX "{table.name}_{column}" ON "{table.name}" ({column})')


def _definition(column: Column) -> str:
    kind = "TEXT" if is_json(column.dtype) else _TYPES[column.dtype.base_type()]
    return f'"{column.name}" {kind}{" NOT NULL" * column.required}'


def _rows(table: Table, frame: pl.DataFrame) -> Iterator[list[Any]]:
    nested = [is_json(column.dtype) for column in table.columns]
    for row in frame.iter_rows():
        yield [
            dump_json(value) if is_nested and value is not None else value
            for value, is_nested in zip(row, nested, strict=True)
        ]


def _write_search(connection: sqlite3.Connection, frames: Mapping[Table, pl.DataFrame]) -> None:
    connection.execute(
        f"CREATE VIRTUAL TABLE {SEARCH} USING fts5(name, text, id UNINDEXED, entity_type UNINDEXED, "
        "document_key UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    connection.executemany(
        f"INSERT INTO {SEARCH} VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - a constant
        (
            (row["name"], "\n\n".join(texts(table, row)), row["id"], row["entity_type"], row["document_key"])
            for table, frame in frames.items()
            for row in frame.iter_rows(named=True)
        ),
    )
    connection.execute(f"INSERT INTO {SEARCH}({SEARCH}) VALUES ('optimize')")  # noqa: S608 - as above
    connection.execute(f"INSERT INTO {SEARCH}({SEARCH}, rank) VALUES ('rank', 'bm25(10.0, 1.0)')")  # noqa: S608


def texts(table: Table, row: Mapping[str, Any]) -> Iterator[str]:
    """The texts of an entity: its own prose, then names and texts of its traits, actions, features and the like."""
    yield from (row[name] for name in _TEXTS if row.get(name))
    for column in table.columns:
        if is_json(column.dtype) and column.response:
            yield from _spoken(row[column.name])


def _spoken(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for member in value:
            yield from _spoken(member)
    elif isinstance(value, dict):
        yield from (value[name] for name in ("name", "description") if isinstance(value.get(name), str))
        for member in value.values():
            yield from _spoken(member)
