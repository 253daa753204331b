"""The maximum per group, for items that are grouped once and scored for every query."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.library.arrays import Rows, Vector


class SegmentMax:
    """Items grouped by owner, for finding the best score among each owner's items.

    The items of one owner lie next to each other in one array, so that the maxima of some owners are one
    `np.maximum.reduceat`. For all owners there are layers, the n-th with the n-th item of every owner with n or more:
    a handful of `np.maximum` over whole arrays is ten times as fast.
    """

    def __init__(self, owners: Rows, size: int, items: Rows | None = None) -> None:
        """Group items by owner.

        Args:
            owners: int64[items]: the owner of each item, 0 to `size` - 1; `size` for an item that is ignored.
            size: number of owners.
            items: int64[items]: the items, which several owners may share; None for their positions.
        """
        order = np.argsort(owners, kind="stable")
        self._items = order if items is None else items[order]
        self._counts = np.bincount(owners, minlength=size + 1)[:size]
        self._starts = np.cumsum(self._counts) - self._counts
        # Owners with the most items first: the owners in a layer are the first ones of the layer before.
        self._most_first = np.argsort(-self._counts, kind="stable")
        ascending = np.sort(self._counts)
        sizes = (size - np.searchsorted(ascending, layer, side="right") for layer in range(ascending.max(initial=0)))
        firsts = self._starts[self._most_first]
        layers = [self._items[firsts[:owners_in] + layer] for layer, owners_in in enumerate(sizes)]
        self._layered = np.concatenate([self._items[:0], *layers])
        self._layer_ends = np.cumsum([layer.size for layer in layers]).tolist()

    def items_of(self, owner: int) -> Rows:
        """int64[m]: the items of one owner."""
        start = self._starts[owner]
        return self._items[start : start + self._counts[owner]]

    def best(self, owners: Rows, score: Callable[[Rows], Vector]) -> Vector:
        """The best score among each owner's items.

        Args:
            owners: int64[n]: distinct owners.
            score: int64[m] items → float32[m] scores.

        Returns:
            float32[n]; 0 for an owner without items.
        """
        if owners.size == self._counts.size:
            return self._best_of_all(score)[owners]
        best = np.zeros(owners.size, dtype=np.float32)
        counts = self._counts[owners]
        occupied = counts > 0
        if occupied.any():
            counts = counts[occupied]
            ends = np.cumsum(counts)
            offsets = np.repeat(self._starts[owners[occupied]] - (ends - counts), counts)
            items = self._items[np.arange(ends[-1]) + offsets]
            best[occupied] = np.maximum.reduceat(score(items), ends - counts)
        return best

    def _best_of_all(self, score: Callable[[Rows], Vector]) -> Vector:
        """The best score among every owner's items, float32[owners]."""
        best = np.zeros(self._counts.size, dtype=np.float32)
        if self._layer_ends:
            scores = score(self._layered)
            highest = scores[: self._layer_ends[0]]
            for start, end in pairwise(self._layer_ends):
                np.maximum(highest[: end - start], scores[start:end], out=highest[: end - start])
            best[self._most_first[: highest.size]] = highest
        return best
