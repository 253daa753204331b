"""Semantic similarity: the passages of every entity as vectors, compared with the query's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import faiss
import numpy as np
import polars as pl

from server.dataset.index.quantized import load_quantized
from server.dataset.index.vectors import SUMMARY
from server.dataset.schema import RULES
from server.library.ranking.segment_max import SegmentMax

if TYPE_CHECKING:
    from server.dataset.dataset import Dataset
    from server.library.arrays import Rows, Vector
    from server.library.catalogue import Catalogue
    from server.library.ranking.phrase_index import PhraseIndex

PARENT_SHARE: Final = 0.9
"""A rule inherits this share of the similarity of its best sub-rule: as good an answer, but ranked after it."""
MAX_SUB_RULES: Final = 25
"""A rule with more sub-rules is a list of them (the rules glossary), and inherits nothing."""
MAX_EXACT: Final = 10_000
"""Up to this many vectors are all multiplied exactly; of more, the quantized ones cost less, though all are read."""
ASKED_SHARE: Final = 0.9
"""Share of a phrase's similarity that counts: a short text is nearer to a query than a long one of the same meaning."""
NEAREST: Final = 1_000
"""How many vectors are multiplied exactly if there are more than `MAX_EXACT`."""
FEEDBACK_WEIGHT: Final = 0.4
"""How far feedback moves a query."""


class VectorIndex:
    """The vectors of a catalogue's entities: of the passage that sums one up, of parts of its text, of what people ask.

    Vectors have length 1, so inner products are cosine similarities.
    """

    def __init__(
        self, catalogue: Catalogue, dataset: Dataset, row_of: dict[str, int], phrases: PhraseIndex | None = None
    ) -> None:
        """Group the dataset's vectors by entity.

        Args:
            catalogue: the entities.
            dataset: its `vectors` table names the entity of each vector of its `index`.
            row_of: catalogue row of each entity, by id.
            phrases: phrases that people ask for the entities with; None for none.
        """
        self._phrases = phrases
        self._index = dataset.index
        self._quantized = load_quantized(dataset)
        owners = (row_of.get(identity, catalogue.size) for identity in dataset.vectors["entity_id"].to_list())
        owner = np.fromiter(owners, dtype=np.int64, count=dataset.vectors.height)
        self._passages = SegmentMax(owner, catalogue.size)
        self._size = catalogue.size
        summaries = np.flatnonzero((dataset.vectors["passage"] == SUMMARY).to_numpy() & (owner < catalogue.size))
        self._summary = dict(zip(owner[summaries].tolist(), summaries.tolist(), strict=True))
        # 0 for a summary, which is not part of the text.
        self._numbers = dataset.vectors["passage"].cast(pl.Int64, strict=False).fill_null(0).to_numpy()
        self._sub_rules, self._parents = _rule_hierarchy(catalogue, row_of)

    def similarity(self, query: Vector, entities: Rows) -> Vector:
        """The best inner product of the query with each entity's passages, or with a phrase that is nearer still.

        Args:
            query: float32[dimensions].
            entities: int64[n] catalogue rows.

        Returns:
            float32[n]; 0 for an entity without passages.

        Raises:
            ValueError: the query does not have the dimensions of the index.
        """
        if query.size != self._index.d:
            msg = f"the encoder's vectors have {query.size} dimensions, the index {self._index.d}"
            raise ValueError(msg)
        best = np.zeros(self._size, dtype=np.float32)
        best[entities] = self._passages.best(entities, partial(self._inner_products, query))
        if self._phrases is not None:
            best[entities] = np.maximum(best[entities], ASKED_SHARE * self._phrases.similarity(query, entities))
        np.maximum.at(best, self._parents, PARENT_SHARE * best[self._sub_rules])
        return best[entities]

    def passages(self, query: Vector, entity: int) -> dict[int, float]:
        """Number of each passage of an entity's text → its inner product with the query (float32[dimensions])."""
        rows = self._passages.items_of(entity)
        rows = rows[self._numbers[rows] > 0]
        products = self._index.reconstruct_batch(rows) @ query if rows.size else rows
        return dict(zip(self._numbers[rows].tolist(), products.tolist(), strict=True))

    def with_feedback(self, query: Vector, entities: Rows, weight: float = FEEDBACK_WEIGHT) -> Vector:
        """Rocchio feedback: the query moved towards the centroid of the entities' summaries.

        Args:
            query: float32[dimensions], length 1.
            entities: int64[n] catalogue rows.
            weight: of the centroid, relative to a query of length 1 (Rocchio's beta).

        Returns:
            float32[dimensions], length 1; the query itself if no entity has a summary.
        """
        rows = np.array([self._summary[row] for row in entities.tolist() if row in self._summary], dtype=np.int64)
        if not rows.size:
            return query
        centroid = self._index.reconstruct_batch(rows).mean(axis=0)
        moved = query + weight * centroid / np.linalg.norm(centroid)
        return np.asarray(moved / np.linalg.norm(moved), dtype=np.float32)

    def _inner_products(self, query: Vector, rows: Rows) -> Vector:
        """float32[n]: the inner product with the vectors `rows` (int64[n]) of the index.

        If there are many, only the nearest are multiplied exactly: the order of the others shows on late pages at most.
        """
        if self._quantized is None or rows.size <= MAX_EXACT:
            return self._exact_products(query, rows)
        products = self._quantized(query)[rows]
        nearest = np.argpartition(-products, NEAREST)[:NEAREST]
        products[nearest] = self._exact_products(query, rows[nearest])
        return products

    def _exact_products(self, query: Vector, rows: Rows) -> Vector:
        """The same, computed exactly from the index."""
        products = np.empty(rows.size, dtype=np.float32)
        self._index.compute_distance_subset(  # type: ignore[attr-defined]
            1, faiss.swig_ptr(query), rows.size, faiss.swig_ptr(products), faiss.swig_ptr(rows)
        )
        return products


def _rule_hierarchy(catalogue: Catalogue, row_of: dict[str, int]) -> tuple[Rows, Rows]:
    """Parallel arrays, int64[sub-rules]: catalogue rows of each sub-rule and of the parent that inherits."""
    frame = catalogue.part_of(RULES).frame
    parents = zip(frame["id"], frame["parent"].struct.field("id"), strict=True)
    pairs = [(row_of[child], row_of[parent]) for child, parent in parents if parent in row_of]
    sub_rules, above = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    few = np.bincount(above, minlength=catalogue.size)[above] <= MAX_SUB_RULES
    return sub_rules[few], above[few]
