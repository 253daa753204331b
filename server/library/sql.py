"""SQL access to the dataset: one SELECT over the published tables, in process, read-only, no file or network access.

DuckDB loads on first use. The tables are copied into memory, restricted to the documents the library serves; then
file access and configuration are locked. Queries are limited in time and memory, answers in rows and characters.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from rapidfuzz import process

from server.dataset.schema import TABLES
from server.library.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from duckdb import DuckDBPyConnection

    from server.dataset.columns import PolarsType, Table

TIME_LIMIT: Final = 3.0
"""Maximum run time of a query, in seconds."""
MEMORY_LIMIT: Final = "256MB"

NO_ROWS: Final = (
    "No rows. Names are as printed (compare with ILIKE), other values are lower case ('evocation', 'huge'), "
    "and what is unknown is NULL."
)

_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "threads": 1,
    "memory_limit": MEMORY_LIMIT,
    "temp_directory": "",
}
_SCALAR_TYPES: Final[dict[Any, str]] = {
    pl.String: "VARCHAR",
    pl.Int32: "INTEGER",
    pl.Int64: "BIGINT",
    pl.Float32: "FLOAT",
    pl.Float64: "DOUBLE",
    pl.Boolean: "BOOLEAN",
}
_DESCRIBE: Final = re.compile(r"\s*describe\s+(?P<table>\w+)\s*;?\s*", re.IGNORECASE)
_POSITION: Final = re.compile(r"LINE (?P<line>\d+): (?P<text>.*)\n(?P<caret> *)\^")
_COLUMN: Final = re.compile(r'Referenced column "(?P<name>[^"]+)" not found')
_TABLE: Final = re.compile(r"Table with name (?P<name>\S+) does not exist")
_ENDLESS: Final = re.compile(r"\b(?P<name>range|generate_series|repeat|lpad|rpad)\s*\(", re.IGNORECASE)
"""Functions that generate values of any size, some of them during planning, where no limit applies."""
_NEAR: Final = 65
"""Minimum similarity (0 to 100) for suggesting a name."""
_MOST_NEAR: Final = 5


class QueryError(RequestError):
    """A query that cannot be answered; the message says what would be valid."""

    def __init__(self, sql: str, message: str) -> None:
        super().__init__("sql", sql, message)


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a query.

    Attributes:
        columns: column names.
        rows: the rows as lists of JSON values.
        truncated: rows beyond the limit or the available room were dropped.
        documents: keys of the documents the rows come from, if they have a `document_key`.
        notes: sentences for the caller.
    """

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool = False
    documents: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class SqlEngine:
    """Answers SQL over the tables of a dataset. Thread-safe."""

    def __init__(self, folder: Path, documents: Collection[str] | None = None) -> None:
        """Prepare to open a dataset.

        Args:
            folder: the dataset's folder.
            documents: keys of the visible documents; None for all.
        """
        self._folder = folder
        self._documents = None if documents is None else sorted(documents)
        self._lock = threading.Lock()
        self._connection: DuckDBPyConnection | None = None

    def run(self, sql: str, limit: int, room: int) -> Rows:
        """Answer a query.

        Args:
            sql: one SELECT (or WITH … SELECT), or `describe <table>`.
            limit: maximum number of rows.
            room: maximum size of columns and rows, in characters of JSON.

        Raises:
            QueryError: not such a query, invalid, or over the time or memory limit; the message says what is valid.
        """
        if described := _DESCRIBE.fullmatch(sql):
            return self._describe(sql, described["table"].lower())
        connection = self._open()
        _check_statement(sql)
        found, columns = self._execute(connection, sql, limit)
        rows, fits = _within(found[:limit], room - len(json.dumps(columns)))
        notes = [] if found else [NO_ROWS]
        if not fits:
            notes = [f"The answer has room for {len(rows)} rows: select fewer columns, or narrow it with WHERE."]
        elif len(found) > limit:
            notes = [f"There are more than {limit} rows: count or group them, narrow it with WHERE, or raise limit."]
        return Rows(columns, rows, len(found) > limit or not fits, _documents(columns, rows), notes)

    def close(self) -> None:
        """Release the memory."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> DuckDBPyConnection:
        import duckdb  # noqa: PLC0415 - 65 MB that most servers never need

        with self._lock:
            if self._connection is None:
                connection = duckdb.connect(":memory:", config=_SETTINGS)
                for table in TABLES:
                    self._load(connection, table)
                connection.execute("SET enable_external_access = false")
                connection.execute("SET lock_configuration = true")
                self._connection = connection
            return self._connection

    def _load(self, connection: DuckDBPyConnection, table: Table) -> None:
        """Copy the columns included in responses, for the visible documents.

        Optional columns missing from an older dataset (`server/dataset/compatibility.py`) are null; missing struct
        members become null in the cast.
        """
        path = str(self._folder / table.file)
        published = [column for column in table.columns if column.response]
        if not Path(path).is_file():
            declared = ", ".join(f'"{column.name}" {_type(column.dtype)}' for column in published)
            connection.execute(f'CREATE TABLE "{table.name}" ({declared})')
            return
        held = {row[0] for row in connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [path]).fetchall()}
        values = {column.name: f'"{column.name}"' if column.name in held else "NULL" for column in published}
        columns = ", ".join(f'CAST({values[c.name]} AS {_type(c.dtype)}) AS "{c.name}"' for c in published)
        # The second part of an entity's id is its document.
        key = "document_key" if "document_key" in held else "split_part(entity_id, '/', 2)"
        where, allowed = (
            ("", []) if self._documents is None else (f"WHERE {key} IN (SELECT unnest(?))", [self._documents])
        )
        connection.execute(
            f'CREATE TABLE "{table.name}" AS SELECT {columns} FROM read_parquet(?) {where}',  # noqa: S608 - names of the schema
            [path, *allowed],
        )

    def _execute(self, connection: DuckDBPyConnection, sql: str, limit: int) -> tuple[list[tuple[Any, ...]], list[str]]:
        import duckdb  # noqa: PLC0415

        cursor = connection.cursor()
        late = threading.Timer(TIME_LIMIT, cursor.interrupt)
        late.start()
        try:
            cursor.execute(sql)
            found = cursor.fetchmany(limit + 1)
            columns = [description[0] for description in cursor.description or ()]
        except duckdb.InterruptException as error:
            msg = f"The query ran for {TIME_LIMIT:g} seconds and was stopped: narrow it with WHERE, or join on id."
            raise QueryError(sql, msg) from error
        except duckdb.OutOfMemoryException as error:
            msg = f"The query needs more than {MEMORY_LIMIT}: select fewer columns, or narrow it with WHERE."
            raise QueryError(sql, msg) from error
        except duckdb.Error as error:
            raise QueryError(sql, self._explained(str(error))) from error
        finally:
            late.cancel()
            cursor.close()
        return found, columns

    def _describe(self, sql: str, name: str) -> Rows:
        """The columns of a table with their types and meanings."""
        tables = {table.name: table for table in TABLES}
        if name not in tables:
            raise QueryError(sql, self._no_table(name))
        rows: list[list[Any]] = [[c.name, _type(c.dtype), c.doc] for c in tables[name].columns if c.response]
        return Rows(["column", "type", "meaning"], rows, notes=[tables[name].doc])

    def _explained(self, error: str) -> str:
        """DuckDB's error in one sentence, with its position and suggested names."""
        first = error.split("\n", 1)[0].partition(": ")[2] or error
        place = _POSITION.search(error)
        where = ""
        if place:
            column = len(place["caret"]) - len(f"LINE {place['line']}: ") + 1
            where = f" (line {place['line']}, column {column})"
        if match := _TABLE.search(error):
            return self._no_table(match["name"]) + where
        if match := _COLUMN.search(error):
            return self._no_column(match["name"]) + where
        return f"{first}{where}"

    def _no_table(self, name: str) -> str:
        names = [table.name for table in TABLES]
        near = process.extract(name.lower(), names, score_cutoff=_NEAR, limit=1)
        hint = f" Did you mean {near[0][0]}?" if near else ""
        return f"There is no table {name!r}.{hint} The tables: {', '.join(names)}."

    def _no_column(self, name: str) -> str:
        columns = {f"{t.name}.{c.name}": c.name for t in TABLES for c in t.columns if c.response}
        near = process.extract(name.lower(), columns, score_cutoff=_NEAR, limit=_MOST_NEAR)
        hint = f" Near names: {', '.join(key for *_, key in near)}." if near else ""
        return f'There is no column {name!r}.{hint} "describe <table>" lists the columns of a table.'


def _check_statement(sql: str) -> None:
    """Reject anything but a single SELECT, before it runs."""
    import duckdb  # noqa: PLC0415

    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        place = _POSITION.search(str(error))
        first = str(error).split("\n", 1)[0].partition(": ")[2]
        where = f" (line {place['line']}: {place['text'].strip()})" if place else ""
        raise QueryError(sql, f"{first}{where}") from error
    if len(statements) != 1:
        msg = f"Write one statement; there are {len(statements)}."
        raise QueryError(sql, msg)
    if statements[0].type != duckdb.StatementType.SELECT:
        kind = statements[0].type.name
        msg = f"Only SELECT (or WITH … SELECT) is answered, not {kind}: the dataset is read-only."
        raise QueryError(sql, msg)
    if endless := _ENDLESS.search(sql):
        msg = f"{endless['name'].lower()}() is not allowed: it makes values that are not in the dataset."
        raise QueryError(sql, msg)


def _within(found: Sequence[tuple[Any, ...]], room: int) -> tuple[list[list[Any]], bool]:
    """The rows that fit into `room` characters of JSON, and whether all do. The first row is always included."""
    rows: list[list[Any]] = []
    for values in found:
        row = [_json(value) for value in values]
        room -= len(json.dumps(row, ensure_ascii=False)) + 2
        if room < 0 and rows:
            return rows, False
        rows.append(row)
    return rows, True


def _json(value: object) -> object:
    """A value as JSON: NaN and infinity become null, times become text, decimals numbers."""
    if isinstance(value, dict):
        return {str(key): _json(member) for key, member in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_json(member) for member in value]
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 - only NaN differs from itself
    if value is None or isinstance(value, (str, int, bool)):
        return value
    return float(value) if isinstance(value, Decimal) else str(value)


def _documents(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    if "document_key" not in columns:
        return []
    place = columns.index("document_key")
    return sorted({str(row[place]) for row in rows if row[place] is not None})


def _type(dtype: PolarsType) -> str:
    """A column's type in DuckDB syntax: `VARCHAR[]`, `STRUCT(walk INTEGER, …)`."""
    if isinstance(dtype, pl.List):
        return f"{_type(dtype.inner)}[]"
    if isinstance(dtype, pl.Struct):
        return f"STRUCT({', '.join(f'{f.name} {_type(f.dtype)}' for f in dtype.fields)})"
    return _SCALAR_TYPES[dtype if isinstance(dtype, type) else type(dtype)]
