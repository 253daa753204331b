"""The values of columns without references to documents that are not served, as SQL: see `records/references.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.dataset.schema import TABLE_OF
from server.library.records.references import IDENTIFYING, Refers, how

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from server.dataset.tables.columns import Column


def inside(column: Column, value: str, documents: Collection[str]) -> str:
    """A column's values without references to other documents, in SQL; a struct has null for a removed id.

    Args:
        column: a column.
        value: an expression of its type.
        documents: keys of the visible documents.
    """
    match how(column):
        case None:
            return value
        case Refers.IDS:
            return _ids(value, documents)
        case Refers.CHILDREN:
            return f"[each FOR each IN {value} IF {_among('each.document_key', documents)}]"
        case Refers.LEVELS:
            spells = {"spells": _ids("each.spells", documents)}
            return f"[{_struct('each', column.members, spells)} FOR each IN {value}]"
        case Refers.ONE:
            return f"CASE WHEN {value} IS NOT NULL THEN {_reference(value, column.members, documents)} END"
        case Refers.SEVERAL:
            return f"[{_reference('each', column.members, documents)} FOR each IN {value}]"


def _reference(value: str, members: Collection[str], documents: Collection[str]) -> str:
    among = _among(_document(f"{value}.id"), documents)
    seen = {name: f"CASE WHEN {among} THEN {value}.{name} END" for name in IDENTIFYING}
    return _struct(value, members, seen)


def _struct(value: str, members: Collection[str], changed: Mapping[str, str]) -> str:
    """A struct with some members changed."""
    packed = ", ".join(f"{name} := {changed.get(name, f'{value}.{name}')}" for name in members)
    return f"struct_pack({packed})"


def _ids(value: str, documents: Collection[str]) -> str:
    types = ", ".join(map(quoted, TABLE_OF))
    among = _among(_document("entry"), documents)
    return f"[entry FOR entry IN {value} IF split_part(entry, '/', 1) NOT IN ({types}) OR {among}]"


def _document(identity: str) -> str:
    """The document of an id. (DuckDB 2.0's `split_part` fails on a member of structs that are all null.)"""
    return f"string_split({identity}, '/')[2]"


def _among(key: str, documents: Collection[str]) -> str:
    return f"list_contains([{', '.join(map(quoted, sorted(documents)))}]::VARCHAR[], {key})"


def quoted(words: str) -> str:
    """Words as an SQL string literal."""
    return "'" + words.replace("'", "''") + "'"
