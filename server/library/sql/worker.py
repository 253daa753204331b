"""The process in which queries run: a query that takes too much memory or time ends it, never the server.

It reads lines of JSON and answers each with one. The first is the setup: `statements` that create the tables, their
names as `tables`, and how much `memory` (bytes) queries may take beyond them. Every other is a query: `sql`, `limit`
(rows), `room` (characters of JSON) and `seconds`. The answer to a query has `columns`, `rows`, whether there are `more`
rows than `limit`, whether all `fits` into the room, the texts that are `absent` (see `literals`), and conditions
that are `misread` (see `lists`); or `refused` (see `statement`). Failures that are not the query's fault are
also logged, with their traceback.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import duckdb

from server.library.sql.lists import list_columns, misread
from server.library.sql.literals import absent, text_columns
from server.library.sql.reason import Reason
from server.library.sql.statement import RefusedError, Tables, checked, described

log = logging.getLogger(__name__)  # to stderr, which is the server's

Notes = Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]]
"""From all objects of a parsed statement to `absent` and `misread` of the answer."""

_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "threads": 1,
    "temp_directory": "",
    "errors_as_json": True,
    "lambda_syntax": "ENABLE_SINGLE_ARROW",  # allows `x -> …` too, which most DuckDB users write
}
_STACK: Final = 2 * 1024 * 1024
"""Bytes of a thread's stack if the system does not limit stacks."""
_LOCK: Final = ("SET enable_external_access = false", "SET lock_configuration = true")
_OF_THE_PROCESS: Final = (duckdb.OutOfMemoryException, duckdb.InternalException, duckdb.FatalException)
"""DuckDB's errors that say nothing about the query; after one, another process must take over."""


class _Late(BaseException):
    """A query has reached its time limit."""


def main() -> None:
    """Answer until the input ends."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, _interrupt)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server to handle
    setup = json.loads(sys.stdin.readline())
    connection = _connect(setup["statements"], setup["memory"])
    allowed = Tables(connection, setup["tables"])
    texts, lists = text_columns(connection), list_columns(connection)

    def notes(parsed: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What the caller should know about a statement (all objects of it)."""
        return {"absent": absent(connection, parsed, texts), "misread": misread(connection, parsed, lists)}

    _say({})
    for line in sys.stdin:
        _say(_answer(connection, json.loads(line), allowed, notes))


def _connect(statements: Sequence[str], memory: int) -> duckdb.DuckDBPyConnection:
    """A connection with the tables in memory; from then on without files, settings, or more memory than `memory`."""
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    for statement in statements:
        connection.execute(statement)
    connection.execute(f"SET memory_limit = '{memory} bytes'")
    for statement in _LOCK:
        connection.execute(statement)
    _limit_memory(memory)
    return connection


def _answer(
    connection: duckdb.DuckDBPyConnection, query: dict[str, Any], allowed: Tables, notes: Notes
) -> dict[str, Any]:
    try:
        try:
            _interrupt_in(query.pop("seconds"))
            parsed = checked(connection, query["sql"], allowed)
            return _execute(connection, parsed, **query) | _noted(notes, parsed)
        finally:
            _interrupt_in(0)
    except RefusedError as error:
        return {"refused": error.refusal}
    except (Exception, _Late) as error:
        if (reason := _reason(error)) is Reason.FAILED:
            log.exception("a query failed")
        return {"refused": {"reason": reason}}


def _noted(notes: Notes, parsed: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The notes on a statement; none if making them fails: the query is answered anyway."""
    try:
        return notes(parsed)
    except Exception as error:
        if _reason(error) is not Reason.FAILED:
            raise
        log.exception("the notes on a query failed")
        return {"absent": [], "misread": []}


def _reason(error: BaseException) -> Reason:
    """The limit that was exceeded, or FAILED if it was none."""
    match error:
        case MemoryError() | duckdb.OutOfMemoryException():
            return Reason.MEMORY
        case RecursionError():
            return Reason.NESTING
        case _Late():  # outside of DuckDB
            return Reason.TIME
        case RuntimeError() if "interrupted" in str(error):  # within it, in any of the steps
            return Reason.TIME
        case _:
            return Reason.FAILED


def _interrupt_in(seconds: float) -> None:
    """Interrupt what runs after this many seconds; 0 for never. DuckDB checks for signals between its steps."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _interrupt(*_: object) -> None:
    raise _Late


def _limit_memory(more: int) -> None:
    """Limit the process to `more` bytes beyond what it uses now: DuckDB counts neither texts nor what it parses."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - not on every system

    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    status = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
    used = int(status["RssAnon"][0]) * 1024
    stack, _ = resource.getrlimit(resource.RLIMIT_STACK)
    stack = _STACK if stack == resource.RLIM_INFINITY else stack
    # The limit is on address space, of which the threads' stacks reserve much that is never used.
    most = used + (int(status["Threads"][0]) - 1) * stack + more
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _execute(
    connection: duckdb.DuckDBPyConnection, parsed: Sequence[Mapping[str, Any]], *, sql: str, limit: int, room: int
) -> dict[str, Any]:
    cursor = connection.cursor()
    try:
        cursor.execute(sql)
        found = cursor.fetchmany(limit + 1)
        columns = [description[0] for description in cursor.description or ()]
    except _OF_THE_PROCESS:
        raise
    except duckdb.Error as error:
        raise described(error, sql, parsed) from error
    finally:
        cursor.close()
    rows, fits = _within(found[:limit], room - len(json.dumps(columns)))
    if not rows and found:
        raise RefusedError(Reason.ROOM, room=room)
    return {"columns": columns, "rows": rows, "more": len(found) > limit, "fits": fits}


def _within(found: Sequence[tuple[Any, ...]], room: int) -> tuple[list[list[Any]], bool]:
    """The rows that fit into `room` characters of JSON, and whether all do."""
    rows: list[list[Any]] = []
    for values in found:
        row = [_json(value) for value in values]
        room -= len(json.dumps(row, ensure_ascii=False)) + 2
        if room < 0:
            return rows, False
        rows.append(row)
    return rows, True


def _json(value: object) -> object:
    """A value as JSON: NaN and infinity become null, times become text, decimals numbers.

    As in records, nulls inside a value are left out: spells have options of casting with a dozen members, mostly null.
    """
    if isinstance(value, dict):
        return {str(key): _json(member) for key, member in value.items() if member is not None}
    if isinstance(value, (list, tuple, set)):
        return [_json(member) for member in value]
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 - only NaN differs from itself
    if value is None or isinstance(value, (str, int, bool)):
        return value
    return float(value) if isinstance(value, Decimal) else str(value)


def _say(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)  # noqa: T201 - the protocol


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the server ended
        os._exit(0)
