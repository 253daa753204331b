"""Phrases that are true of entities ("hot stuff"), compared with a query by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from server.library.id_lists import as_rows
from server.library.ranking.segment_max import SegmentMax

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from server.library.arrays import Rows, Vector


KIN_SHARE: Final = 0.9
"""Share of a phrase's similarity that counts for the kin of its entities, of which it may be less true."""


class PhraseIndex:
    """Phrases and their entities; several entities may share a phrase."""

    def __init__(
        self,
        entities: pl.Series,
        products: Callable[[Vector], Vector],
        row_of: Mapping[str, int],
        kin: pl.Series | None = None,
    ) -> None:
        """Group the phrases by entity.

        Args:
            entities: for each phrase, the ids of its entities.
            products: float32[dimensions] query → float32[phrases]: its inner product with each phrase's unit vector.
            row_of: catalogue row of each entity, by id; others are ignored.
            kin: for each phrase, the ids of entities similar to its own; None if there are none.
        """
        self._products = products
        self._none = entities.is_empty()
        self._of_kin = kin is not None
        counts, owners = as_rows(entities if kin is None else pl.concat([entities, kin]), row_of)
        phrases = np.repeat(np.arange(counts.size), counts)
        self._phrases = SegmentMax(owners, len(row_of), phrases)

    def similarity(self, query: Vector, entities: Rows) -> Vector:
        """How close the query is to the closest phrase of each entity.

        Args:
            query: float32[dimensions], length 1.
            entities: int64[n] catalogue rows.

        Returns:
            float32[n], at least 0; 0 for an entity without phrases.
        """
        if self._none:
            return np.zeros(entities.size, dtype=np.float32)
        by_phrase = self._products(query)
        if self._of_kin:
            by_phrase = np.concatenate([by_phrase, KIN_SHARE * by_phrase])
        return np.maximum(0, self._phrases.best(entities, lambda phrases: by_phrase[phrases]))
