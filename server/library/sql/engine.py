"""SQL access to the dataset: one SELECT over the published tables, read-only, no file or network access.

DuckDB runs in a process of its own that starts on first use, since only a process can be held to a memory limit and
ended in time: while DuckDB builds a long text, it neither counts memory nor checks the clock.
The process gets a copy of the tables, restricted to the documents that the library serves; then file access and
configuration are locked. Answers are limited in rows and characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.library.message import Message, Named
from server.library.requests.request import RequestError
from server.library.sql import messages
from server.library.sql.process import QueryProcess
from server.library.sql.tables import TABLES, creation, published, sql_type

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_DESCRIBE: Final = re.compile(r"\s*describe\s+(?P<table>\w+)\s*(?:;\s*)?", re.IGNORECASE)


class QueryError(RequestError):
    """A query that cannot be answered; the message says what would be valid."""

    def __init__(self, sql: str, message: str) -> None:
        super().__init__("sql", sql, message)


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of a query.

    Attributes:
        columns: column names.
        rows: the rows as lists of JSON values.
        truncated: whether rows beyond the limit or the available room were dropped.
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

    def __init__(
        self, folder: Path, documents: Collection[str] | None = None, *, seconds: float = messages.TIME_LIMIT
    ) -> None:
        """Prepare to open a dataset.

        Args:
            folder: the dataset's folder.
            documents: keys of the visible documents; None for all.
            seconds: how long a call may take.
        """
        self._folder = folder
        self._documents = None if documents is None else sorted(documents)
        self._seconds = seconds
        self._process = QueryProcess(cache(self._setup))

    def run(self, sql: str, limit: int, room: int) -> QueryResult:
        """Answer a query.

        Args:
            sql: one SELECT (or WITH … SELECT), or `describe <table>`.
            limit: maximum number of rows.
            room: maximum size of columns and rows, in characters of JSON.

        Raises:
            QueryError: not such a query, invalid, or over a limit; the message says what is valid.
        """
        if described := _DESCRIBE.fullmatch(sql):
            return _describe(sql, described["table"].lower())
        answer = self._process.ask(sql, limit, room, seconds=self._seconds)
        if "refused" in answer:
            raise QueryError(sql, messages.refused(answer["refused"], sql, self._seconds))
        columns, rows, fits, more = (answer[name] for name in ("columns", "rows", "fits", "more"))
        notes = messages.absent(answer["absent"]) + messages.misread(answer["misread"])
        if not rows and not notes:
            notes = [messages.NO_ROWS]
        if not fits:
            notes += [f"The answer has room for {len(rows)} rows: select fewer columns, or narrow it with WHERE."]
        elif more:
            told = f"There are more than {limit} rows: count or group them, narrow it with WHERE, or raise "
            notes.append(Message(told, Named("limit"), "."))
        return QueryResult(columns, rows, more or not fits, _documents(columns, rows), notes)

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _setup(self) -> dict[str, Any]:
        """The first message to the process (see `worker`): how to create the tables, and the memory beyond them."""
        statements = [creation(table, self._folder, self._documents) for table in TABLES]
        names = [table.name for table in TABLES]
        return {"statements": statements, "tables": names, "memory": messages.MEMORY_LIMIT * 1_000_000}


def _describe(sql: str, name: str) -> QueryResult:
    """The columns of a table with their types and meanings."""
    tables = {table.name: table for table in TABLES}
    if name not in tables:
        raise QueryError(sql, messages.no_table(name))
    rows: list[list[Any]] = [[c.name, sql_type(c.dtype), c.doc] for c in published(tables[name])]
    return QueryResult(["column", "type", "meaning"], rows, notes=[tables[name].doc, messages.LISTS])


def _documents(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    if "document_key" not in columns:
        return []
    place = columns.index("document_key")
    return sorted({str(row[place]) for row in rows if row[place] is not None})
