"""References in the values of columns, and those values without the references to documents that are not served.

`sql/references.py` does the same in SQL.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.schema import CHILD, SPELLS_OF_LEVEL, TABLE_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from server.dataset.record import Record
    from server.dataset.tables.columns import Column

_OF_IDS: Final = frozenset({"related", "links"})
"""Columns whose entries are ids, or names of what has no id."""
IDENTIFYING: Final = frozenset({"id", "document_key"})
"""Members that are removed from a reference to another document."""


class Refers(Enum):
    """How a column refers to entities."""

    IDS = auto()
    """A list of ids, and of names of what has no id."""
    CHILDREN = auto()
    """A list of structs that each describe an entity: those of other documents are left out."""
    LEVELS = auto()
    """A list of structs with a list of ids."""
    ONE = auto()
    """A struct that names an entity, with its id: the name stays."""
    SEVERAL = auto()
    """A list of such structs."""


def how(column: Column) -> Refers | None:
    """How a column refers to entities; None if it does not."""
    if column.name in _OF_IDS:
        return Refers.IDS
    if column.dtype == pl.List(CHILD):
        return Refers.CHILDREN
    if column.dtype == pl.List(SPELLS_OF_LEVEL):
        return Refers.LEVELS
    if "id" not in column.members:
        return None
    return Refers.SEVERAL if isinstance(column.dtype, pl.List) else Refers.ONE


def inside(column: Column) -> Callable[[Any, Collection[str]], Any] | None:
    """The function (value, document keys) → the value without references to other documents; None if it has none."""
    refers = how(column)
    return None if refers is None else _INSIDE[refers]


def _reference_inside(reference: Record, documents: Collection[str]) -> Record:
    """Without its id if that is in another document; the name stays: a subclass still has its class."""
    identity = reference.get("id")
    if identity is None or _document_of(identity) in documents:
        return reference
    return {member: value for member, value in reference.items() if member not in IDENTIFYING}


def _references_inside(references: list[Record], documents: Collection[str]) -> list[Record]:
    return [_reference_inside(reference, documents) for reference in references]


def _children_inside(children: list[Record], documents: Collection[str]) -> list[Record]:
    return [child for child in children if child["document_key"] in documents]


def _levels_inside(levels: list[Record], documents: Collection[str]) -> list[Record]:
    return [level | {"spells": _ids_inside(level["spells"], documents)} for level in levels]


def _ids_inside(entries: list[str], documents: Collection[str]) -> list[str]:
    """Ids in the documents, and entries that are only names."""
    return [entry for entry in entries if entry.partition("/")[0] not in TABLE_OF or _document_of(entry) in documents]


def _document_of(identity: str) -> str:
    return identity.split("/")[1]


_INSIDE: Final[dict[Refers, Callable[[Any, Collection[str]], Any]]] = {
    Refers.IDS: _ids_inside,
    Refers.CHILDREN: _children_inside,
    Refers.LEVELS: _levels_inside,
    Refers.ONE: _reference_inside,
    Refers.SEVERAL: _references_inside,
}
