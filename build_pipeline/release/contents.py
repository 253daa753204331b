"""Statistics of a dataset: entities by document and type, coverage of columns, reach of the vocabularies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from build_pipeline.tables import Record, read_frame
from server.dataset.compatibility import read_table
from server.dataset.files import ATTRIBUTES_FILE, EFFECTS_FILE
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, PUBLISHED_TABLES
from server.dataset.tables.columns import Column, Table

_EXAMPLES: Final = 8


@dataclass(frozen=True, slots=True)
class Fill:
    """Coverage of a column: known in `filled` of `rows` entities; an empty list counts as known."""

    column: str
    filled: int
    rows: int

    @property
    def share(self) -> float:
        return self.filled / self.rows if self.rows else 0.0


@dataclass(frozen=True, slots=True)
class Reach:
    """How many entities an entry of a vocabulary applies to, by type, with some of their names."""

    says: str
    counts: dict[str, int]
    examples: list[str]


@dataclass(frozen=True, slots=True)
class Contents:
    """A dataset's tables by name, and its vocabularies: effects and attributes."""

    tables: dict[str, pl.DataFrame]
    effects: pl.DataFrame
    attributes: pl.DataFrame

    @classmethod
    def of(cls, folder: Path) -> Contents:
        """Read the tables of a dataset's folder; a manifest is not needed."""
        tables = {table.name: read_table(folder / table.file, table) for table in PUBLISHED_TABLES}
        return cls(tables, read_frame(folder / EFFECTS_FILE), read_frame(folder / ATTRIBUTES_FILE))

    @property
    def documents(self) -> list[Record]:
        """One row of `documents` per document (its most trusted source's), by name."""
        rows = self.tables[DOCUMENTS.name].unique("document_key", keep="first", maintain_order=True)
        return sorted(rows.iter_rows(named=True), key=lambda row: (row["document_name"], row["document_key"]))

    def counts(self) -> dict[str, dict[str, int]]:
        """Entity type → document key → entities."""
        return {
            entity_type: dict(rows.group_by("document_key").len().sort("document_key").iter_rows())
            for _, entity_type, rows in self._by_type()
        }

    def by_document(self) -> dict[str, dict[str, int]]:
        """Document key → entity type → entities."""
        counts = self.counts()
        keys = [row["document_key"] for row in self.documents]
        return {key: {t: found[key] for t, found in counts.items() if key in found} for key in keys}

    def fills(self) -> dict[str, list[Fill]]:
        """Entity type → coverage of its optional columns."""
        return {
            entity_type: [
                Fill(column.name, rows.height - rows[column.name].null_count(), rows.height)
                for column in optional_columns(table, entity_type)
            ]
            for table, entity_type, rows in self._by_type()
        }

    def filled(self, table: Table, column: Column) -> Fill:
        """Coverage of a column over all entity types that have it."""
        frame = self.tables[table.name]
        if column.entity_types:
            frame = frame.filter(pl.col("entity_type").is_in(column.entity_types))
        return Fill(column.name, frame.height - frame[column.name].null_count(), frame.height)

    def reached(self, vocabulary: pl.DataFrame) -> list[Reach]:
        """Reach of each entry of a vocabulary, in its order."""
        names = {
            row["id"]: (row["entity_type"], row["name"])
            for table in ENTITY_TABLES
            for row in self.tables[table.name].select("id", "entity_type", "name").iter_rows(named=True)
        }
        return [
            _reach(says, [names[identity] for identity in identities])
            for says, identities in vocabulary.select("says", "entity_ids").iter_rows()
        ]

    def _by_type(self) -> Iterator[tuple[Table, str, pl.DataFrame]]:
        for table in ENTITY_TABLES:
            for entity_type in table.entity_types:
                rows = self.tables[table.name].filter(pl.col("entity_type") == entity_type)
                if rows.height:
                    yield table, entity_type, rows


def _reach(says: str, found: list[tuple[str, str]]) -> Reach:
    names = sorted({name for _, name in found})
    # Spread over the alphabet: otherwise all examples would be dragons or potions.
    examples = names[:: max(1, len(names) // _EXAMPLES)][:_EXAMPLES]
    return Reach(says, dict(sorted(Counter(entity_type for entity_type, _ in found).items())), examples)


def optional_columns(table: Table, entity_type: str) -> Iterator[Column]:
    """The columns of an entity type that may be null."""
    return (column for column in table.columns_of(entity_type) if not column.required)
