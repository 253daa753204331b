"""Text literals that no row has: `document_key = 'srd-5e'` finds nothing, and the caller would not know why."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from rapidfuzz import fuzz, process

from server.library.sql.statement import subqueries

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    import duckdb

Absent = dict[str, Any]
"""`column`, `text`, and the `near` values that the column has; JSON."""
TextColumns = dict[str, dict[str, bool]]
"""Table → column → whether it holds lists."""

_COMPARISONS: Final = frozenset({"COMPARE_EQUAL", "COMPARE_NOTEQUAL", "COMPARE_IN", "COMPARE_NOT_IN"})
_HAS: Final = frozenset({"list_contains", "list_has", "array_contains", "array_has"})
_MOST: Final = 5
"""Most texts explained, and most near values of each."""
_NEAR: Final = 60
"""Minimum similarity (0 to 100) of a near value."""
_IN_ANOTHER: Final = 0.85
_ALL_NAMED: Final = 30
"""A column with at most this many values has all of them listed if none is near."""


def text_columns(connection: duckdb.DuckDBPyConnection) -> TextColumns:
    """The columns whose values are words; prose is not."""
    columns: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    found = connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE data_type IN ('VARCHAR', 'VARCHAR[]')"
    )
    for table, column, kind in found.fetchall():
        if column not in {"description", "evidence"}:
            columns[table][column] = kind.endswith("[]")
    return dict(columns)


def absent(
    connection: duckdb.DuckDBPyConnection, nodes: Sequence[Mapping[str, Any]], columns: TextColumns
) -> list[Absent]:
    """Texts that a statement compares with a column of its tables, and that no row of these has.

    Args:
        connection: has the tables.
        nodes: all objects of the parsed statement.
        columns: as from `text_columns`.
    """
    tables_with = holders(nodes, columns)
    found: list[Absent] = []
    texts: defaultdict[tuple[str, frozenset[str]], dict[str, None]] = defaultdict(dict)
    for path, text in (pair for node in nodes for pair in _compared(node)):
        texts[path[-1], tables_with(path)][text] = None
    for (column, tables), compared in texts.items():
        if len(found) == _MOST:  # reading the values is what takes long
            break
        held = {table: columns[table][column] for table in sorted(tables)}
        values = _values(connection, held, column) if held else {}
        for text in compared:
            if values and text not in values and len(found) < _MOST:
                found.append({"column": column, "text": text, "near": _near(connection, column, text, values)})
    return found


def holders(
    nodes: Sequence[Mapping[str, Any]], columns: Mapping[str, Collection[str]]
) -> Callable[[Sequence[str]], frozenset[str]]:
    """A function from a column as a statement writes it, in parts and lower case, to the tables that it may be of.

    Args:
        nodes: all objects of the parsed statement.
        columns: table → its columns.
    """
    read = _tables_read(nodes, columns.keys() - subqueries(nodes))  # a WITH subquery named like a table hides it
    anywhere = frozenset(table for tables in read.values() for table in tables)
    renamed = {node["alias"].lower() for node in nodes if node.get("class") and node.get("alias")}

    def tables_with(path: Sequence[str]) -> frozenset[str]:
        *before, column = path
        # `a.b` may be a member of a struct: if `a` is no table's name, nothing is known about it.
        meant = read.get(".".join(before), frozenset()) if before else anywhere
        return frozenset(table for table in meant if column not in renamed and column in columns[table])

    return tables_with


def _tables_read(nodes: Sequence[Mapping[str, Any]], tables: Collection[str]) -> dict[str, frozenset[str]]:
    """The names, in lower case, that a statement uses for the tables it reads → the tables that each may mean.

    A table may have several names, and a name may mean another table in another subquery.
    """
    called: defaultdict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if (table := (node.get("table_name") or "").lower()) in tables:
            called[(node["alias"] or table).lower()].add(table)
    return {name: frozenset(meant) for name, meant in called.items()}


def _compared(node: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Column, as its parts, and text of a comparison: `a = 'x'`, `a IN ('x', 'y')`, `list_contains(a, 'x')`."""
    if node.get("class") == "COMPARISON" and node["type"] in _COMPARISONS:
        sides = [node["left"], node["right"]]
    elif node.get("class") == "OPERATOR" and node["type"] in _COMPARISONS:
        sides = node["children"]
    elif node.get("class") == "FUNCTION" and node["function_name"].lower() in _HAS:
        sides = [argument["expression"] for argument in node["arguments"]]
    else:
        return
    names = [side["column_names"] for side in sides if side.get("class") == "COLUMN_REF"]
    texts = [literal["text"] for side in sides if (literal := side.get("literal")) and literal["kind"] == "STRING"]
    if len(names) == 1:
        parts = tuple(name.lower() for name in names[0])
        yield from ((parts, text) for text in texts)


def _values(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, bool], column: str) -> dict[str, int]:
    """The values of a column with the number of times each occurs, the commonest first."""
    quoted = f'"{column}"'  # `group` is a keyword of SQL
    each = (
        f'SELECT {f"unnest({quoted})" if is_list else quoted} AS value FROM "{table}"'  # noqa: S608 - names of the schema
        for table, is_list in tables.items()
    )
    counted = f"SELECT value, count(*) FROM ({' UNION ALL '.join(each)}) WHERE value IS NOT NULL GROUP BY value"  # noqa: S608
    return dict(connection.execute(f"{counted} ORDER BY 2 DESC, 1").fetchall())


def _near(connection: duckdb.DuckDBPyConnection, column: str, text: str, values: Mapping[str, int]) -> list[str]:
    """The same text in another case, or the documents with this alias; otherwise similar values, or all of a few."""
    folded = text.casefold()
    same = [value for value in values if value.casefold() == folded]
    if not same and column == "document_key":
        known = connection.execute("SELECT document_key, aliases, game_system FROM documents").fetchall()
        names = {key: _folded(*(aliases or ()), system, _edition(system)) for key, aliases, system in known}
        same = [value for value in values if folded in names.get(value, ())]
    alike = process.extract(text, list(values), scorer=_likeness, processor=str.casefold, score_cutoff=_NEAR)
    few = list(values) if len(values) <= _ALL_NAMED else []
    return same[:_MOST] or [value for value, *_ in alike] or few


def _likeness(text: str, value: str, **_: object) -> float:
    """Similarity, 0 to 100: of the whole texts or, a little reduced, of the text to a piece of a longer value."""
    inside = _IN_ANOTHER * fuzz.partial_ratio(text, value) if len(value) > len(text) else 0.0
    return max(fuzz.ratio(text, value), inside)


def _edition(game_system: str | None) -> str | None:
    """`2014` of `5e-2014`."""
    return game_system.rpartition("-")[2] if game_system else None


def _folded(*names: str | None) -> set[str]:
    return {name.casefold() for name in names if name}
