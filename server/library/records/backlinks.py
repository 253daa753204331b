"""The references to an entity: the `links` of all records, reversed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.library.arrays import Rows
    from server.library.catalogue import Catalogue

MOST_LISTED: Final = 5
"""Ids listed in a record; the rest are only counted, and `query` can list them all."""


class Backlinks:
    """The entities of a catalogue, indexed by the targets of their `links`.

    Two parallel arrays, sorted by target: targets and sources, catalogue rows. The sources of a target are in
    name order, the rarest type first: the one feat that grants a spell before the hundred creatures that cast it.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    @cached_property
    def _sorted(self) -> tuple[Rows, Rows]:
        """Targets and sources, computed on first use: a look-up needs them, a search does not."""
        catalogue = self._catalogue
        rows = pl.DataFrame({"target": np.arange(catalogue.size), "links": pl.Series(catalogue.ids, dtype=pl.String)})
        links = pl.concat(
            part.frame.select("links", source=pl.int_range(part.start, part.stop, dtype=pl.Int64))
            for part in catalogue.parts
        )
        found = links.explode("links").drop_nulls().join(rows, on="links").select("source", "target")
        types = pl.DataFrame(
            {
                "source": np.arange(catalogue.size),
                "type": pl.Series(catalogue.entity_types, dtype=pl.Categorical),
                "name_rank": catalogue.name_rank,
            }
        )
        ordered = (
            found.join(types, on="source")
            .with_columns(of_type=pl.len().over("target", "type"))
            .sort("target", "of_type", "type", "name_rank")
        )
        return ordered["target"].to_numpy(), ordered["source"].to_numpy()

    def of(self, row: int, documents: Collection[str] | None) -> dict[str, Any]:
        """The field `linked_from` of the entity in a catalogue row: `total`, and the first `ids`.

        Args:
            row: its catalogue row.
            documents: keys of the documents that count; None for all.
        """
        targets, all_sources = self._sorted
        start, stop = np.searchsorted(targets, [row, row + 1])
        sources = all_sources[start:stop].tolist()
        if documents is not None:
            sources = [source for source in sources if self._catalogue.document_keys[source] in documents]
        return {"total": len(sources), "ids": [self._catalogue.ids[source] for source in sources[:MOST_LISTED]]}
