"""What refers to an entity: the `links` of all records, the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.library.catalogue import Catalogue

MOST_LISTED: Final = 5
"""Ids listed in a record; the rest are counted, and `query` lists them all."""


class Backlinks:
    """The entities of a catalogue by what their `links` name.

    Two parallel arrays, sorted by target: `_targets` and `_sources`, catalogue rows. The sources of a target stand in
    name order, those of the rarest type first: the one feat that grants a spell before the hundred creatures that cast
    it.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
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
        self._targets = ordered["target"].to_numpy()
        self._sources = ordered["source"].to_numpy()

    def of(self, row: int, documents: Collection[str] | None) -> dict[str, Any]:
        """The field `linked_from` of the entity in a catalogue row: `total`, and the first `ids`.

        Args:
            row: its catalogue row.
            documents: keys of the documents that count; None for all.
        """
        start, stop = np.searchsorted(self._targets, [row, row + 1])
        sources = self._sources[start:stop].tolist()
        if documents is not None:
            sources = [source for source in sources if self._catalogue.document_keys[source] in documents]
        return {"total": len(sources), "ids": [self._catalogue.ids[source] for source in sources[:MOST_LISTED]]}
