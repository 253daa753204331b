"""Documents: what an entry of `documents` stands for, and the rows of `list_documents`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl
from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name
from server.dataset.schema import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_NEAR = 60
"""Least likeness (0..100) of a spelling that is offered for an unknown document."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a list of `documents` entries stands for.

    Attributes:
        keys: the documents.
        unknown: entries that match none, with up to three near spellings each.
    """

    keys: frozenset[str]
    unknown: dict[str, list[str]]


class Shelf:
    """The documents of a dataset, or those of them that the library is limited to."""

    def __init__(self, rows: pl.DataFrame, keys: Collection[str] | None = None) -> None:
        """`rows`: the `documents` table; `keys`: limit it to these documents."""
        self._rows = rows if keys is None else rows.filter(pl.col("document_key").is_in(sorted(keys)))
        self.keys = frozenset(self._rows["document_key"].to_list())
        self._entries: dict[str, set[str]] = {}
        self._spellings: dict[str, str] = {}
        for row in self._rows.iter_rows(named=True):
            for entry in (row["document_key"], row["document_name"], row["game_system"], *row["aliases"]):
                if folded := _folded(entry or ""):
                    self._entries.setdefault(folded, set()).add(row["document_key"])
                    self._spellings.setdefault(folded, entry)

    def choose(self, entries: Sequence[str]) -> Choice:
        """The documents that the entries (keys, aliases, names, game systems) stand for."""
        keys: set[str] = set()
        unknown: dict[str, list[str]] = {}
        for entry in entries:
            folded = _folded(entry)
            if folded in self._entries:
                keys |= self._entries[folded]
            else:
                near = process.extract(folded, list(self._entries), scorer=fuzz.ratio, score_cutoff=_NEAR, limit=3)
                unknown[entry] = [self._spellings[spelling] for spelling, _, _ in near]
        return Choice(frozenset(keys), unknown)

    def rows(self, source: str | None) -> list[dict[str, Any]]:
        """Rows of `list_documents`, the largest first; `entity_types` is entity type → count."""
        rows = self._rows.filter(pl.col("entity_count") > 0)
        if source is not None:
            rows = rows.filter(pl.col("source_api") == source)
        rows = rows.sort(["entity_count", "document_key", "source_api"], descending=[True, False, False])
        shown = rows.select(column.name for column in DOCUMENTS.columns if column.response).to_dicts()
        return [row | {"entity_types": _counts(row["entity_types"])} for row in shown]


def _folded(entry: str) -> str:
    """An entry however it is punctuated: "SRD 5.1" and "srd-5.1" are "srd51"."""
    return "".join(c for c in normalize_name(entry) if c.isalnum())


def _counts(pairs: list[dict[str, Any]]) -> dict[str, int]:
    return {pair["entity_type"]: pair["count"] for pair in pairs}
