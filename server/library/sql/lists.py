"""Conditions on lists that may not mean what they say: `IS NOT NULL` is true of an empty list, too."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from server.library.sql.literals import holders
from server.library.sql.reason import Condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

Misread = dict[str, Any]
"""`column`, `condition` and what belongs to that (see `reason.Condition`); JSON."""
ListColumns = dict[str, set[str]]
"""Table → its columns of lists."""

_NULL_TESTS: Final = {"OPERATOR_IS_NULL": Condition.IS_NULL, "OPERATOR_IS_NOT_NULL": Condition.IS_NOT_NULL}
_FEATURES: Final = "features"
_LEVEL: Final = "level"
_EQUALS: Final = frozenset({"COMPARE_EQUAL", "COMPARE_IN"})


def list_columns(connection: duckdb.DuckDBPyConnection) -> ListColumns:
    """The columns that are lists."""
    columns: defaultdict[str, set[str]] = defaultdict(set)
    found = connection.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE data_type LIKE '%[]'")
    for table, column in found.fetchall():
        columns[table].add(column)
    return dict(columns)


def misread(
    connection: duckdb.DuckDBPyConnection, nodes: Sequence[Mapping[str, Any]], columns: ListColumns
) -> list[Misread]:
    """The conditions of a statement on lists that may not mean what they say.

    Args:
        connection: has the tables.
        nodes: all objects of the parsed statement.
        columns: as from `list_columns`.
    """
    tables_with = holders(nodes, columns)
    found: list[Misread] = []
    for condition, path in dict.fromkeys(_null_tests(nodes)):
        if empty := sum(_empty(connection, table, path[-1]) for table in tables_with(path)):
            found.append({"column": path[-1], "condition": condition, "empty": empty})
    of_features = any(path[-1] == _FEATURES and tables_with(path) for node in nodes for path in _columns(node))
    if of_features and any(len(path) > 1 and path[-1] == _LEVEL for path in _compared(nodes)):
        found.append({"column": _FEATURES, "condition": Condition.FIRST_LEVEL})
    return found


def _null_tests(nodes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Condition, tuple[str, ...]]]:
    """The tests for NULL, each with the column, in parts and lower case."""
    for node in nodes:
        if condition := _NULL_TESTS.get(node.get("type", "")):
            yield from ((condition, path) for child in node["children"] for path in _columns(child))


def _compared(nodes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """The columns that are compared with values by `=` or `IN`."""
    for node in nodes:
        if node.get("type") in _EQUALS:
            yield from (path for side in node.get("children", ()) for path in _columns(side))
            yield from (path for side in ("left", "right") if side in node for path in _columns(node[side]))


def _columns(node: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The column that a node is, in parts and lower case."""
    if node.get("class") == "COLUMN_REF":
        yield tuple(name.lower() for name in node["column_names"])


def _empty(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> int:
    """How many lists of a column are empty."""
    counted = f'SELECT count(*) FROM "{table}" WHERE len("{column}") = 0'  # noqa: S608 - names of the schema
    (number,) = connection.execute(counted).fetchall()[0]
    return int(number)
