"""All entities of the library in memory. Each has a row in the catalogue; rows run from 0 through all tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from server.dataset.schema import CHARACTER_OPTIONS, ENTITY_TABLES
from server.dataset.tables.columns import Table
from server.library.requests.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from server.library.arrays import Mask, Rows

_DERIVED: Final = frozenset({"subclass", "subrace", "magic-item"})
"""Entity types listed after classes, races and mundane items; so are the options of classes after feats."""


@dataclass(frozen=True, slots=True)
class TableSlice:
    """The catalogue rows of one table: row `start + i` of the catalogue is row `i` of `frame`."""

    table: Table
    frame: pl.DataFrame
    start: int

    @property
    def stop(self) -> int:
        """The catalogue row after the last one of the table."""
        return self.start + self.frame.height


class Catalogue:
    """The entities of some documents, as columns in catalogue order.

    Attributes:
        parts: the tables, in the schema's order.
        ids, names, folded_names, entity_types, document_keys: one value per entity.
        row_of: the row of each id.
        name_rank: int64[size]: each entity's rank by case-folded name, then document key.
        id_rank: int64[size]: each entity's rank by id.
        offered: bool[size]: feats that classes or races offer as options of theirs: invocations, metamagic.
    """

    def __init__(self, tables: dict[str, pl.DataFrame], documents: Collection[str]) -> None:
        """Take the entities of `documents` (keys) from the dataset's `tables`."""
        self.parts = tuple(_slices(tables, documents))
        self.ids = self.column("id")
        self.names = self.column("name")
        self.folded_names = self.column("name_normalized")
        self.entity_types = self.column("entity_type")
        self.document_keys = self.column("document_key")
        self.row_of = {entity_id: row for row, entity_id in enumerate(self.ids)}
        self.id_rank = _ranks(self.ids)
        self._types = _DictionaryColumn(self.entity_types)
        self._documents = _DictionaryColumn(self.document_keys)
        self.offered = self.where(CHARACTER_OPTIONS, {"feat": pl.col("option_of").list.len() > 0})["feat"]
        self._derived = self.of_types(_DERIVED) | self.offered
        self.name_rank = _ranks([*zip((n.casefold() for n in self.names), self.document_keys, self.ids, strict=True)])

    @property
    def size(self) -> int:
        """Number of entities."""
        return len(self.ids)

    @cached_property
    def everything(self) -> Mask:
        """bool[size]: all entities."""
        mask = np.ones(self.size, dtype=np.bool_)
        mask.flags.writeable = False
        return mask

    def spread(self, part: TableSlice, values: pl.Series) -> Mask:
        """bool[size]: those of a table's rows that have a true value in a boolean series; null is false."""
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[part.start : part.stop] = values.fill_null(value=False).to_numpy()
        return mask

    def column(self, name: str) -> list[str]:
        """A text column that all tables have, over all entities."""
        return [value for part in self.parts for value in part.frame[name].to_list()]

    def of_types(self, entity_types: Collection[str]) -> Mask:
        """bool[size]: entities of one of the types."""
        return self._types.is_in(entity_types)

    def of_kind(self, kind: Kind) -> Mask:
        """bool[size]: entities of the kind."""
        mask = self.of_types(kind.entity_types)
        if kind.flag is not None:
            mask &= self.where(kind.table, {"flag": pl.col(kind.flag)})["flag"]
        return mask

    def of_documents(self, keys: Collection[str]) -> Mask:
        """bool[size]: entities of one of the documents."""
        return self._documents.is_in(keys)

    def where(self, table: Table, conditions: dict[str, pl.Expr]) -> dict[str, Mask]:
        """For each condition on a table, bool[size]: the entities that meet it.

        Null does not meet a condition, nor does any entity of another table.
        """
        part = self.part_of(table)
        found = part.frame.select(**conditions)
        return {name: self.spread(part, found[name]) for name in conditions}

    def read(self, frames: Mapping[str, pl.DataFrame], rows: Sequence[int]) -> list[dict[str, Any]]:
        """For each entity (catalogue row), its row in its table's frame, as column → value.

        One by one: to gather rows, polars wakes its threads and waits for them, which takes longer than all the rest.
        """
        parts = (next(part for part in self.parts if row < part.stop) for row in rows)
        return [
            frames[part.table.name].row(row - part.start, named=True) for row, part in zip(rows, parts, strict=True)
        ]

    def part_of(self, table: Table) -> TableSlice:
        """The rows of a table."""
        return next(part for part in self.parts if part.table.name == table.name)

    def in_list_order(self, rows: Rows) -> Rows:
        """Entities (int64[n] catalogue rows) in the order of lists: by name, derived types last."""
        return rows[np.lexsort((self.name_rank[rows], self._derived[rows]))]

    def in_name_order(self, rows: Rows) -> Rows:
        """Entities (int64[n] catalogue rows) sorted by case-folded name, then document key."""
        return rows[np.argsort(self.name_rank[rows], kind="stable")]


class _DictionaryColumn:
    """Dictionary-encoded column for fast membership tests."""

    def __init__(self, values: Sequence[str]) -> None:
        self._code = {value: code for code, value in enumerate(dict.fromkeys(values))}
        self._codes = np.array([self._code[value] for value in values], dtype=np.int64)

    def is_in(self, wanted: Collection[str]) -> Mask:
        """bool[rows]: whether each value is one of those wanted."""
        chosen = np.zeros(len(self._code), dtype=np.bool_)
        chosen[[self._code[value] for value in wanted if value in self._code]] = True
        return chosen[self._codes]


def _slices(tables: dict[str, pl.DataFrame], documents: Collection[str]) -> Iterator[TableSlice]:
    start = 0
    for table in ENTITY_TABLES:
        frame = tables[table.name]
        inside = frame["document_key"].is_in(sorted(documents))
        if not inside.all():
            frame = frame.filter(inside)
        yield TableSlice(table, frame, start)
        start += frame.height


def _ranks(keys: Sequence[object]) -> Rows:
    """int64[n]: each key's rank in sorted order."""
    order = sorted(range(len(keys)), key=lambda i: keys[i])  # type: ignore[arg-type, return-value]
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.arange(len(keys))
    return ranks
