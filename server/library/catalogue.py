"""All entities of the library in memory, numbered through from 0 over every table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from server.dataset.columns import Table
from server.dataset.schema import ENTITY_TABLES
from server.library.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """One table's share of the catalogue: entity `start + i` is row `i` of `frame`."""

    table: Table
    frame: pl.DataFrame
    start: int

    @property
    def stop(self) -> int:
        return self.start + self.frame.height


class Catalogue:
    """The entities of some documents, as columns over their numbers.

    Attributes:
        parts: the tables, in the schema's order.
        ids, names, folded_names, entity_types, document_keys: one value per entity.
        by_name: each entity's place in the order of case-folded name, then document key.
        by_id: each entity's place in the order of ids.
    """

    def __init__(self, tables: dict[str, pl.DataFrame], documents: Collection[str]) -> None:
        """Take the entities of `documents` out of the dataset's `tables`."""
        self.parts = tuple(_parts(tables, documents))
        self.ids = self.column("id")
        self.names = self.column("name")
        self.folded_names = self.column("name_normalized")
        self.entity_types = self.column("entity_type")
        self.document_keys = self.column("document_key")
        self.by_id = _places(self.ids)
        self.by_name = _places([*zip((n.casefold() for n in self.names), self.document_keys, self.ids, strict=True)])
        self._types = _Codes(self.entity_types)
        self._documents = _Codes(self.document_keys)

    @property
    def size(self) -> int:
        return len(self.ids)

    def column(self, name: str) -> list[str]:
        """A common column of text over all entities."""
        return [value for part in self.parts for value in part.frame[name].to_list()]

    def of_types(self, entity_types: Collection[str]) -> Mask:
        """Which entities are of one of the types."""
        return self._types.among(entity_types)

    def of_kind(self, kind: Kind) -> Mask:
        """Which entities are of the kind."""
        mask = self.of_types(kind.entity_types)
        if kind.flag is not None:
            mask &= self.where(kind.table, {"flag": pl.col(kind.flag)})["flag"]
        return mask

    def of_documents(self, keys: Collection[str]) -> Mask:
        """Which entities stand in one of the documents."""
        return self._documents.among(keys)

    def where(self, table: Table, conditions: dict[str, pl.Expr]) -> dict[str, Mask]:
        """Which entities of a table meet each condition; null is not met, other tables' entities meet none."""
        part = self.part_of(table)
        found = part.frame.select(**{name: expr.fill_null(value=False) for name, expr in conditions.items()})
        masks = {}
        for name in conditions:
            masks[name] = np.zeros(self.size, dtype=np.bool_)
            masks[name][part.start : part.stop] = found[name].to_numpy()
        return masks

    def part_of(self, table: Table) -> Part:
        return next(part for part in self.parts if part.table.name == table.name)

    def in_name_order(self, numbers: Numbers) -> Numbers:
        """Entities sorted by case-folded name, then document key."""
        return numbers[np.argsort(self.by_name[numbers], kind="stable")]


class _Codes:
    """A column of text in which values are soon found: it has few different ones."""

    def __init__(self, values: Sequence[str]) -> None:
        self._code = {value: code for code, value in enumerate(dict.fromkeys(values))}
        self._codes = np.array([self._code[value] for value in values], dtype=np.int64)

    def among(self, wanted: Collection[str]) -> Mask:
        """Which values are among those wanted."""
        chosen = np.zeros(len(self._code), dtype=np.bool_)
        chosen[[self._code[value] for value in wanted if value in self._code]] = True
        return chosen[self._codes]


def _parts(tables: dict[str, pl.DataFrame], documents: Collection[str]) -> Iterator[Part]:
    start = 0
    for table in ENTITY_TABLES:
        frame = tables[table.name].filter(pl.col("document_key").is_in(sorted(documents)))
        yield Part(table, frame, start)
        start += frame.height


def _places(keys: Sequence[object]) -> Numbers:
    """The place that each key takes when they are sorted."""
    order = sorted(range(len(keys)), key=lambda i: keys[i])  # type: ignore[arg-type, return-value]
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.arange(len(keys))
    return places
