"""Vectors of passages that do not exist, as far from real ones as those are from each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

_SAMPLED: Final = 2_000
"""Number of vectors whose nearest neighbours are searched for."""
_BLOCK: Final = 20_000
_NEARLY_THE_SAME: Final = 0.999
"""Minimum cosine of passages with the same text: reprints do not show how near different passages are."""


class Perturbation:
    """Makes perturbed copies of vectors.

    Each is moved along the difference of two others, so that the copies spread where real passages do rather than
    equally in all dimensions, and so far that its cosine with the original is that of a real passage with its nearest.
    """

    def __init__(self, vectors: Vectors, chance: np.random.Generator) -> None:
        """`vectors`: several unit vectors, float32[n, dimensions]."""
        self._vectors = vectors
        self._chance = chance
        self._cosines = _nearest(vectors, chance)

    def copy(self) -> Iterator[Vectors]:
        """All vectors in order, each moved, in blocks."""
        for start in range(0, len(self._vectors), _BLOCK):
            yield self._moved(self._vectors[start : start + _BLOCK])

    def _moved(self, vectors: Vectors) -> Vectors:
        one, other = self._chance.integers(len(self._vectors), size=(2, len(vectors)))
        direction = self._vectors[one] - self._vectors[other]
        direction -= np.einsum("ij,ij->i", direction, vectors)[:, np.newaxis] * vectors
        length = np.linalg.norm(direction, axis=1, keepdims=True)
        direction /= np.maximum(length, np.finfo(np.float32).tiny)
        cosine = self._chance.choice(self._cosines, size=(len(vectors), 1))
        moved = cosine * vectors + np.sqrt(1 - cosine**2) * direction
        return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype=np.float32)


def _nearest(vectors: Vectors, chance: np.random.Generator) -> Vectors:
    """The cosines of some vectors with their nearest different ones, float32[m]."""
    chosen = chance.choice(len(vectors), size=min(_SAMPLED, len(vectors)), replace=False)
    nearest = np.full(chosen.size, -1, dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        cosines = vectors[chosen] @ vectors[start : start + _BLOCK].T
        np.maximum(nearest, np.where(cosines < _NEARLY_THE_SAME, cosines, -1).max(axis=1), out=nearest)
    return nearest
