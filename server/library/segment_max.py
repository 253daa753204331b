"""The maximum per group, for items that are grouped once and scored for every query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.library.arrays import Rows, Vector


class SegmentMax:
    """Items grouped by owner, from which the best-scored item of each owner is wanted.

    The items of one owner lie next to each other in one array, so that all maxima are one `np.maximum.reduceat`.
    """

    def __init__(self, owners: Rows, size: int) -> None:
        """Group items by owner.

        Args:
            owners: int64[items]: the owner of each item, 0 to `size` - 1; `size` for an item that is ignored.
            size: number of owners.
        """
        self._items = np.argsort(owners, kind="stable")
        self._counts = np.bincount(owners, minlength=size + 1)[:size]
        self._starts = np.cumsum(self._counts) - self._counts

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
