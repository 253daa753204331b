"""Every entity of a dataset in one order, and the lists that the report's figures open, encoded compactly.

The page's script has the same order and refers to entities by number. They are ordered by table, kind and name, so
those of a table or of a kind have consecutive numbers.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from build_pipeline.release.contents import Contents, optional_columns
from build_pipeline.tables import Record
from server.dataset.schema import ENTITY_TABLES, TABLE_OF

FACETS: Final = (
    ("Spells by level", "spells.level"),
    ("Spells by school", "spells.school"),
    ("Creatures by challenge rating", "creatures.challenge_rating"),
    ("Creatures by type", "creatures.type"),
    ("Creatures by size", "creatures.size"),
    ("Equipment by category", "equipment.item_category"),
    ("Equipment by rarity", "equipment.rarity"),
)
"""(Title, table.column) of the columns whose values are counted."""

_IDENTITY: Final = ("id", "entity_type", "name", "document_key", "sources")


@dataclass(frozen=True, slots=True)
class Facet:
    """A column's values: their labels in order, and for each of the table's entities the number of its value, or -1."""

    title: str
    key: str
    labels: list[str]
    of: list[int]

    @property
    def bars(self) -> list[tuple[str, int, str]]:
        """(Label, entities, the page's query that lists them) of each value."""
        counts = np.bincount([n for n in self.of if n >= 0], minlength=len(self.labels)).tolist()
        return [(label, counts[n], f"{self.key}={n}") for n, label in enumerate(self.labels)]


@dataclass(frozen=True, slots=True)
class Roll:
    """The entities in order.

    Attributes:
        frame: `id`, `entity_type`, `name`, `document_key`, `sources` of each.
        kinds: kind → (number of its first entity, how many there are).
        tables: table → the same.
    """

    frame: pl.DataFrame
    kinds: dict[str, tuple[int, int]]
    tables: dict[str, tuple[int, int]]

    @property
    def ids(self) -> list[str]:
        return self.frame["id"].to_list()

    def data(self, contents: Contents, facets: Iterable[Facet]) -> dict[str, Any]:
        """The data for the page's script."""
        documents = [row["document_key"] for row in contents.documents]
        number = {key: n for n, key in enumerate(documents)}
        combinations = sorted({tuple(names) for names in self.frame["sources"].to_list()})
        of_sources = {names: n for n, names in enumerate(combinations)}
        row_of = {identity: n for n, identity in enumerate(self.ids)}
        return {
            "names": self.frame["name"].to_list(),
            "kinds": [[kind, *run] for kind, run in self.kinds.items()],
            "tables": self.tables,
            "documents": [_document(row) for row in contents.documents],
            "document": [number[key] for key in self.frame["document_key"].to_list()],
            "sources": combinations,
            "source": [of_sources[tuple(names)] for names in self.frame["sources"].to_list()],
            "facets": {facet.key: {"labels": facet.labels, "of": facet.of} for facet in facets},
            "known": _known(contents, self),
            "effects": _lists(contents.effects, row_of),
            "attributes": _lists(contents.attributes, row_of),
        }


def call_the_roll(contents: Contents) -> Roll:
    """Number the entities of a dataset."""
    parts, kinds, tables, start = [], {}, {}, 0
    for table in ENTITY_TABLES:
        frame = _ordered(contents.tables[table.name])
        tables[table.name] = (start, frame.height)
        for kind, members in frame.group_by("entity_type", maintain_order=True):
            kinds[str(kind[0])] = (start, members.height)
            start += members.height
        parts.append(frame.select(_IDENTITY))
    return Roll(pl.concat(parts), kinds, tables)


def facets(contents: Contents) -> list[Facet]:
    """The columns of `FACETS` that have values: numbers by value, words by count."""
    found = []
    for title, key in FACETS:
        table, column = key.split(".")
        values = _ordered(contents.tables[table])[column]
        if values.dtype.is_numeric():
            order = values.drop_nulls().unique().sort().to_list()
        else:
            counted = values.drop_nulls().value_counts(name="n").sort("n", column, descending=[True, False])
            order = counted[column].to_list()
        number = {value: n for n, value in enumerate(order)}
        of = [number.get(value, -1) for value in values.to_list()]
        if order:
            found.append(Facet(title, key, [_label(value) for value in order], of))
    return found


def _ordered(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sort("entity_type", "name", "id")


def _label(value: Any) -> str:
    """A value in words; challenge ratings below 1 as books print them."""
    if isinstance(value, float) and 0 < value < 1:
        return f"1/{1 / value:g}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _document(row: Record) -> list[str | None]:
    return [row["document_key"], row["document_name"], row["game_system"], row["license"]]


def _known(contents: Contents, roll: Roll) -> dict[str, str]:
    """kind.column → one bit per entity of the kind, in Base64, lowest bit first: set if the fact is known."""
    bits = {}
    for kind in roll.kinds:
        table = TABLE_OF[kind]
        rows = _ordered(contents.tables[table.name]).filter(pl.col("entity_type") == kind)
        for column in optional_columns(table, kind):
            known = rows[column.name].is_not_null().to_numpy()
            if known.any() and not known.all():
                packed = np.packbits(known, bitorder="little").tobytes()
                bits[f"{kind}.{column.name}"] = base64.b64encode(packed).decode()
    return bits


def _lists(vocabulary: pl.DataFrame, row_of: dict[str, int]) -> list[list[int]]:
    """The entities of each entry: the first one's number, then the distance from each to the next."""
    found = []
    for identities in vocabulary["entity_ids"].to_list():
        rows = sorted(row_of[identity] for identity in identities)
        found.append([row - before for row, before in zip(rows, [0, *rows], strict=False)])
    return found
