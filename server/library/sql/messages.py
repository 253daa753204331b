"""Messages on why a query is not answered, and what would be right, in one or two sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from rapidfuzz import fuzz, process

from server.dataset.schema import TABLE_OF
from server.dataset.sentences import shortened
from server.library.requests.filter_types import cut
from server.library.requests.synonyms import meant
from server.library.sql.functions import ALLOWED
from server.library.sql.reason import Condition, Reason
from server.library.sql.tables import TABLES, published

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.dataset.tables.columns import PolarsType

TIME_LIMIT: Final = 2.0
"""Maximum time of a call, in seconds, including the wait for other queries and the end of its process."""
MEMORY_LIMIT: Final = 256
"""Maximum memory of a query in addition to the tables, in MB."""

NO_ROWS: Final = (
    "No rows. Names are as printed (compare with ILIKE), other values are lower case ('evocation', 'huge'), "
    "and unknown values are NULL."
)

LISTS: Final = "Unknown is NULL, also of lists; an empty list is known to be none."

_TABLES: Final = ", ".join(table.name for table in TABLES)
_FIXED: Final = {
    Reason.SHOW: f'"describe <table>" lists the columns of a table. The tables: {_TABLES}.',
    Reason.MEMORY: f"The query needs more than {MEMORY_LIMIT} MB: select fewer columns, or narrow it with WHERE.",
    Reason.NESTING: "The query is nested too deeply: write it with fewer parentheses and subqueries.",
    Reason.FAILED: "The query failed because of a fault in the server, whose log has the cause: write it differently.",
    Reason.BUSY: "Another query is running, or was just stopped: try again in a moment.",
    Reason.CLOSED: "The dataset was closed before the query was answered: ask again.",
}
_TIME: Final = (
    "The query was stopped, since a call may take {seconds:g} seconds in all: narrow it with WHERE, or join on id."
)
_ROOM: Final = (
    "A single row is longer than the {room:,} characters left for the answer: select fewer columns, or part "
    "of a text with left(description, 500)."
)

_PLAIN: Final = {"MULTI": "PIVOT", "LOAD": "LOAD or INSTALL"}
"""DuckDB's names for kinds of statements that differ from the keywords people write → those keywords."""
_WORD: Final = re.compile(r"\w+")
_TABLE: Final = re.compile(r'Referenced table "(?P<name>[^"]+)" not found')
_COLUMN: Final = re.compile(r'(?:Referenced column|have a column named|^Column) "(?P<name>[^"]+)"')
_MEMBER: Final = re.compile(r'Could not find key "(?P<name>[^"]+)" in struct')
_NO_STRUCT: Final = re.compile(r"Cannot extract field '(?P<name>[^']+)' from expression \"(?P<column>\w+)\"")
_REMEDIES: Final = {
    re.compile(r"convert string .* to (?:INT|DOUBLE|FLOAT|BIGINT)"): "Numbers are plain: challenge_rating = 0.25.",
}
"""DuckDB's errors that say only what is wrong → what would be right."""
_OF_VALUES: Final = re.compile(r"argument types '[^']*\(VARCHAR\[\]|to the destination type VARCHAR\[\]")
_OF_ENTRIES: Final = re.compile(r"argument types '[^']*\(STRUCT\(.*\)\[\]|to the destination type STRUCT\(")
"""DuckDB's errors on comparing a list with a value: a list of values, a list of entries with members."""
_ENTRIES: Final = (
    ". It is a list: list_transform({column}, x -> x.{member}), or x.{member} after FROM …, unnest({column}) AS t(x)."
)
_VALUES: Final = ". It is a list of values: list_contains({column}, …), or x after FROM …, unnest({column}) AS t(x)."
_MISREAD: Final = {
    Condition.IS_NOT_NULL: "{column} IS NOT NULL is also true of {empty:,} empty lists, which are known to be none: "
    "len({column}) > 0.",
    Condition.IS_NULL: "{column} IS NULL is true only of unknown lists; {empty:,} are empty, known to be none: "
    "len({column}) = 0.",
    Condition.FIRST_LEVEL: "level of a feature is the first that grants it; all: list_contains(x.levels, …).",
}
_MOST_NEAR: Final = 5
_NEAR_COLUMN: Final = 55
_NEAR_FUNCTION: Final = 80


def refused(refusal: Mapping[str, Any], sql: str, seconds: float) -> str:
    """The message for a refusal (see `statement`) of a query whose call may take this many seconds."""
    where = f" (line {refusal['line']}, column {refusal['column']})" if "line" in refusal else ""
    reason = Reason(refusal["reason"])
    if reason in _FIXED:
        return _FIXED[reason]
    match reason:
        case Reason.STATEMENTS:
            message = f"Write one statement; there are {refusal['count']}."
        case Reason.TYPE:
            kind = _PLAIN.get(refusal["name"], refusal["name"])
            message = f"Only SELECT (or WITH … SELECT) is allowed, not {kind}: the dataset is read-only."
        case Reason.TABLE:
            return no_table(refusal["name"], where)
        case Reason.FUNCTION:
            return _no_function(refusal["name"], where)
        case Reason.TIME:
            message = _TIME.format(seconds=seconds)
        case Reason.ROOM:
            message = _ROOM.format(room=refusal["room"])
        case _:
            return _explained(refusal["detail"], where, sql, refusal.get("compared") or {})
    return message


def absent(texts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sentences on texts that no row has (see `literals`), each with values that exist."""
    return [
        f"No row has {each['column']} {cut(each['text'])!r}"
        + (f": there is {', '.join(repr(cut(near)) for near in each['near'])}." if each["near"] else ".")
        for each in texts
    ]


def misread(conditions: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sentences on conditions that may not mean what they say (see `lists`), each with the one that does."""
    return [_MISREAD[Condition(each["condition"])].format(**each) for each in conditions]


def no_table(name: str, where: str = "") -> str:
    """A table that does not exist, with a similar one and all of them."""
    best = meant(name, [*(table.name for table in TABLES), *TABLE_OF])
    table = TABLE_OF[best].name if best in TABLE_OF else best
    hint = f" Did you mean {table}?" if table else ""
    if best in TABLE_OF and len(TABLE_OF[best].entity_types) > 1:
        hint = f" {table} has them: WHERE entity_type = '{best}'."
    return f"There is no table {cut(name)!r}{where}.{hint} The tables: {_TABLES}."


def _no_function(name: str, where: str) -> str:
    near = process.extractOne(name, sorted(ALLOWED), scorer=fuzz.ratio, score_cutoff=_NEAR_FUNCTION)
    hint = f" Did you mean {near[0]}()?" if near else ""
    why = "queries read only the dataset's tables, and compute from their values"
    return f"{name}() is not available{where}: {why}.{hint}"


def _explained(detail: str, where: str, sql: str, compared: Mapping[str, Any]) -> str:
    """DuckDB's own words; for an unknown name, the near names; for a list, how to query it.

    `compared`: as from `statement.compared_at`.
    """
    if match := _TABLE.search(detail):
        return no_table(match["name"], where)
    if match := _COLUMN.search(detail):
        columns = {f"{table}.{column}": column for table, column, _ in _columns(sql)}
        return _nothing_named("column", match["name"], where, columns)
    if match := _MEMBER.search(detail):
        words = _words(sql)
        members = {
            f"{table}.{path}": path.rpartition(".")[2]
            for table, column, kind in _columns(sql)
            if column in words
            for path in _members(column, kind)
        }
        return _nothing_named("member", match["name"], where, members)
    if remedy := _of_compared(detail, sql, compared):
        return f"{shortened(detail)}{where}. {remedy}"
    remedy = next((f". {remedy}" for wrong, remedy in _REMEDIES.items() if wrong.search(detail)), "")
    if match := _NO_STRUCT.search(detail):
        kinds = {name: kind for _, name, kind in _columns(sql)}
        remedy = _of_a_list(match["column"], match["name"], kinds.get(match["column"]))
    return f"{shortened(detail)}{where}{remedy}"


def _nothing_named(what: str, name: str, where: str, known: Mapping[str, str]) -> str:
    """Nothing has this name; `known`: full name → name of what there is, for similar names."""
    near = process.extract(name.lower(), known, scorer=fuzz.ratio, score_cutoff=_NEAR_COLUMN, limit=_MOST_NEAR)
    best = meant(name, dict.fromkeys(known.values()))
    synonyms = [key for key, short in known.items() if short == best]
    similar = list(dict.fromkeys((*synonyms, *(key for *_, key in near))))[:_MOST_NEAR]
    hint = f" Similar names: {', '.join(similar)}." if similar else ""
    return f'There is no {what} {cut(name)!r}{where}.{hint} "describe <table>" lists the columns of a table.'


def _columns(sql: str) -> Iterator[tuple[str, str, PolarsType]]:
    """Table, name and type of each column of the tables that a query names, or of all tables."""
    words = _words(sql)
    for table in [table for table in TABLES if table.name in words] or TABLES:
        for column in published(table):
            yield table.name, column.name, column.dtype


def _words(sql: str) -> set[str]:
    return set(_WORD.findall(sql.lower()))


def _members(path: str, kind: PolarsType) -> Iterator[str]:
    """The paths of the members nested in a column: `speed.walk`, `actions[].name`."""
    if isinstance(kind, pl.List):
        yield from _members(f"{path}[]", kind.inner)
    elif isinstance(kind, pl.Struct):
        for field in kind.fields:
            yield f"{path}.{field.name}"
            yield from _members(f"{path}.{field.name}", field.dtype)


def _of_compared(detail: str, sql: str, compared: Mapping[str, Any]) -> str | None:
    """How to look for a value in a list that a query compares with it; in all that it names if it is not clear which.

    `compared`: as from `statement.compared_at`.
    """
    for error, is_of_entries in ((_OF_VALUES, False), (_OF_ENTRIES, True)):
        if error.search(detail):
            words = _words(sql)
            lists = {column: kind.inner for _, column, kind in _columns(sql) if isinstance(kind, pl.List)}
            named = {
                column: inner.fields[0].name if isinstance(inner, pl.Struct) else ""
                for column, inner in lists.items()
                if column in words and isinstance(inner, pl.Struct) == is_of_entries
            }
            meant_ones = [column for column in compared.get("columns", ()) if column in named] or list(named)
            ways = (_containing(column, named[column], compared.get("text", "…")) for column in meant_ones)
            return " ".join(ways) or None
    return None


def _containing(column: str, member: str, text: str) -> str:
    """How to look for a text in a list of values, or of entries by their `member`; with LIKE's `%`, for a pattern."""
    entries = " of entries" if member else " of values"
    each, quoted = f"x.{member}" if member else "x", cut(text).replace("'", "''")
    if "%" in text:
        condition = f"len(list_filter({column}, x -> {each} ILIKE '{quoted}')) > 0"
    else:
        values = f"list_transform({column}, x -> lower({each}))" if member else column
        condition = f"list_contains({values}, '{quoted.lower()}')"
    return f"{column} is a list{entries}: {condition}."


def _of_a_list(column: str, member: str, kind: PolarsType | None) -> str:
    """How to query a column that has no members itself, if it is a list."""
    if not isinstance(kind, pl.List):
        return ""
    return (_ENTRIES if isinstance(kind.inner, pl.Struct) else _VALUES).format(column=column, member=member)
