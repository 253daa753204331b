"""Checks statements before they run: one SELECT over the dataset's tables, with functions that only compute."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import duckdb

from server.library.sql.functions import ALLOWED, SESSION
from server.library.sql.reason import Reason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

Refusal = dict[str, Any]
"""`reason`, and what its message needs; JSON."""
_Path = tuple[str, ...]
"""The name of a table, after those of its catalog and schema if they are given."""

_NOWHERE: Final = 2**63
"""Positions from here on mean that there is none."""
_FROM: Final = frozenset({"unnest"})
"""Functions that are allowed after FROM."""
_READING: Final = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
"""Kinds of queries that only read; any other in a WITH changes tables."""
_CALLS: Final = frozenset({"FUNCTION", "WINDOW"})


class RefusedError(Exception):
    """A statement that is not answered.

    Attributes:
        refusal: why.
    """

    def __init__(self, reason: Reason, **facts: object) -> None:
        super().__init__(reason)
        self.refusal: Refusal = {"reason": reason, **facts}


class Tables:
    """The tables that statements may read, and the names that stand for DuckDB's own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, names: Collection[str]) -> None:
        """`names`: of the tables, all of them in `connection`."""
        self.names = frozenset(names)
        self.own = {name for (name,) in connection.execute("SELECT view_name FROM duckdb_views()").fetchall()}

    def with_subqueries(self, names: Collection[str]) -> Collection[_Path]:
        """The tables and the names that a statement gives to its subqueries, each as (name,) or (schema, name).

        A subquery's name is accepted everywhere in the statement, so DuckDB's own names are excluded: elsewhere they
        would let those in. It never has a schema, whatever dots it has: `"pg_catalog.pg_class"` does not admit
        `pg_catalog.pg_class`.
        """
        unqualified = self.names | (set(names) - self.own)
        return {(name,) for name in unqualified} | {("main", name) for name in self.names}


def checked(connection: duckdb.DuckDBPyConnection, sql: str, tables: Tables) -> list[dict[str, Any]]:
    """Refuse anything but one SELECT that reads only `tables` and calls only allowed functions.

    Returns:
        All objects of the parsed statement.

    Raises:
        RefusedError: it is something else.
    """
    try:
        statements = connection.extract_statements(sql)
    except duckdb.Error as error:
        raise described(error, sql) from error
    if len(statements) != 1:
        raise RefusedError(Reason.STATEMENTS, count=len(statements))
    if (kind := _kind(statements[0])) != "SELECT":
        raise RefusedError(Reason.TYPE, name=kind)
    parsed = json.loads(connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()[0][0])
    if parsed["error"]:
        raise RefusedError(Reason.INVALID, detail=parsed["error_message"])
    nodes = list(nodes_of(parsed["statements"]))
    known = tables.with_subqueries(subqueries(nodes))
    for node in nodes:
        _check(node, known, sql)
    return nodes


def subqueries(nodes: Sequence[Mapping[str, Any]]) -> set[str]:
    """The names, in lower case, that a parsed statement (all of its objects) gives to its subqueries by WITH."""
    return {entry["key"].lower() for node in nodes for entry in node.get("cte_map", {}).get("map", ())}


def _kind(statement: duckdb.Statement) -> str:
    """The statement's kind, such as `SELECT`; its first word if DuckDB's Python client has no name for the kind."""
    try:
        return str(statement.type.name)
    except ValueError:
        return statement.query.split()[0].upper()


def described(error: duckdb.Error, sql: str, nodes: Sequence[Mapping[str, Any]] = ()) -> RefusedError:
    """DuckDB's own refusal of `sql`: where in it, if the connection has `errors_as_json`, and what is compared there.

    DuckDB's message for people shows only an excerpt of a long line, and counts from where the excerpt begins.

    Args:
        error: DuckDB's.
        sql: the statement.
        nodes: all objects of the parsed statement, if it could be parsed.
    """
    text = str(error).partition(": ")[2]
    try:
        told = json.loads(text)
    except ValueError:  # raised by the Python client itself
        told = {"exception_message": text or str(error)}
    detail = told["exception_message"].split("\n", 1)[0]
    if "depth limit" in detail:
        return RefusedError(Reason.NESTING)
    position = int(told.get("position", _NOWHERE))
    place = _line_and_column(position, sql)
    return RefusedError(Reason.INVALID, detail=detail, compared=compared_at(nodes, position), **place)


def compared_at(nodes: Sequence[Mapping[str, Any]], position: int) -> Refusal:
    """What is compared at a position (bytes) of a statement: the names of `columns`, in lower case, and a `text`.

    They are those of the smallest expression around it that has both; empty if there is none.
    """
    at = max((place for place, node in enumerate(nodes) if node.get("query_location") == position), default=-1)
    texts: list[str] = []
    for node in nodes[at::-1] if at >= 0 else ():  # a node comes before what is in it
        inside = list(nodes_of(node))
        if not any(each is nodes[at] for each in inside):
            continue
        texts += [each["literal"]["text"] for each in inside if (each.get("literal") or {}).get("kind") == "STRING"]
        columns = [each["column_names"][-1].lower() for each in inside if each.get("class") == "COLUMN_REF"]
        if texts and columns:
            return {"columns": columns, "text": texts[0]}
    return {}


def nodes_of(parsed: object) -> Iterator[dict[str, Any]]:
    """All objects of a parsed statement, or of a piece of it, in the order in which they are written."""
    waiting = [parsed]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(reversed(node.values()))
        elif isinstance(node, list):
            waiting.extend(reversed(node))


def _check(node: dict[str, Any], tables: Collection[_Path], sql: str) -> None:
    if str(kind := node.get("type")).endswith("_NODE") and kind not in _READING:
        raise RefusedError(Reason.TYPE, name=str(kind).partition("_")[0])
    match kind:
        case "COLUMN_REF" if len(names := node["column_names"]) == 1 and names[0].lower() in SESSION:
            raise RefusedError(Reason.FUNCTION, name=names[0], **_place(node, sql))
        case "BASE_TABLE":
            qualified = [node.get("catalog_name"), node.get("schema_name"), node["table_name"]]
            path = list(filter(None, qualified))
            if tuple(part.lower() for part in path) not in tables:
                raise RefusedError(Reason.TABLE, name=".".join(path), **_place(node, sql))
        case "TABLE_FUNCTION":
            called = node["function"]["function_name"].lower()
            if called not in _FROM:
                raise RefusedError(Reason.FUNCTION, name=called, **_place(node, sql))
        case "SHOW_REF":
            raise RefusedError(Reason.SHOW)
    if node.get("class") in _CALLS and (name := node["function_name"].lower()) not in ALLOWED:
        raise RefusedError(Reason.FUNCTION, name=name, **_place(node, sql))


def _place(node: dict[str, Any], sql: str) -> dict[str, int]:
    """Line and column of a node; empty if it has none."""
    return _line_and_column(node.get("query_location", _NOWHERE), sql)


def _line_and_column(offset: int, sql: str) -> dict[str, int]:
    """Line and column, counted from 1, at an offset in bytes of UTF-8; empty if it is no position."""
    if offset >= _NOWHERE:
        return {}
    before = sql.encode()[:offset].decode(errors="replace")
    return {"line": before.count("\n") + 1, "column": len(before) - (before.rfind("\n") + 1) + 1}
