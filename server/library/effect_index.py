"""What players call what entities do: phrases ("hot stuff") with the entities they are true of, as vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from server.library.segment_max import SegmentMax

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.arrays import Rows, Vector


class EffectIndex:
    """Effect phrases, their vectors and their entities."""

    def __init__(self, entities: Sequence[Sequence[str]], vectors: Vector, row_of: Mapping[str, int]) -> None:
        """Group the phrases by entity.

        Args:
            entities: for each phrase, the ids of its entities.
            vectors: float32[phrases, dimensions], unit vectors.
            row_of: catalogue row of each entity, by id; others are ignored.
        """
        self._vectors = vectors
        owners = [row_of.get(identity, len(row_of)) for each in entities for identity in each]
        phrases = np.repeat(np.arange(len(entities)), [len(each) for each in entities])
        self._phrases = SegmentMax(np.array(owners, dtype=np.int64), len(row_of), phrases)

    def similarity(self, query: Vector, entities: Rows) -> Vector:
        """How close the query is to the closest phrase that is true of each entity.

        Args:
            query: float32[dimensions], length 1.
            entities: int64[n] catalogue rows.

        Returns:
            float32[n], at least 0; 0 for an entity without phrases.
        """
        if not self._vectors.size:
            return np.zeros(entities.size, dtype=np.float32)
        by_phrase = self._vectors @ query
        return np.maximum(0, self._phrases.best(entities, lambda phrases: by_phrase[phrases]))
