"""A map of the vectors: each entity is a point, near those whose texts have similar meanings.

The layout optimizes UMAP's objective (each point pulls its nearest neighbours, and pushes randomly drawn points away),
starting from the two principal components. Randomness is seeded: the same vectors always give the same map.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import faiss
import numpy as np
import numpy.typing as npt

from build_pipeline.tables import read_frame
from server.dataset.files import INDEX_FILE, VECTORS_FILE
from server.dataset.index.vectors import read_index

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

SIDE: Final = 1000
"""Units of the map's width and height."""

_NEIGHBOURS: Final = 8
_FEWEST: Final = 3
"""Minimum number of points for a layout by neighbours."""
_ROUNDS: Final = 80
_DRAWN: Final = 5
"""Number of random points that push each point away in a round."""
_A, _B = 1.577, 0.895
"""Parameters of UMAP's curve 1 / (1 + a·d^2b), for a minimum distance of 0.1."""
_MOST_STEP: Final = 4.0
_EDGE: Final = 0.003
"""Share of the points beyond each margin, which are clipped to it, so that a few outliers do not shrink the rest."""


def vector_map(folder: Path, ids: list[str]) -> Integers:
    """Places of a dataset's entities, int64[len(ids), 2] from 0 to `SIDE`, in the order of `ids`."""
    index = read_index(folder / INDEX_FILE)
    owners = read_frame(folder / VECTORS_FILE, ["entity_id"])["entity_id"]
    vectors = np.empty((index.ntotal, index.d), dtype=np.float32)
    index.reconstruct_n(0, index.ntotal, vectors)
    row_of = {identity: row for row, identity in enumerate(ids)}
    rows = np.array([row_of[identity] for identity in owners.to_list()], dtype=np.int64)
    means = np.zeros((len(ids), index.d), dtype=np.float32)
    np.add.at(means, rows, vectors)
    return _scaled(layout(means))


def layout(vectors: Floats) -> Floats:
    """Places for vectors, float32[n, dimensions] → float32[n, 2], similar ones near each other."""
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    start = _principal(vectors)
    if len(vectors) < _FEWEST:
        return start
    heads, tails, weights = _edges(vectors)
    return _pulled(start, heads, tails, weights)


def _principal(vectors: Floats) -> Floats:
    """The two principal components, scaled to 10; each axis's largest entry is positive, so that signs are fixed."""
    centred = (vectors - vectors.mean(axis=0)).astype(np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, :-3:-1]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    places = centred @ axes
    # Rounded, as the products are: on other numbers of cores, sums differ in their last digits, and every round of
    # pulling would amplify that.
    rounded: Floats = np.round(10 * places / max(float(np.abs(places).max()), 1e-9), 3).astype(np.float32)
    return rounded


def _edges(vectors: Floats) -> tuple[Integers, Integers, Floats]:
    """Pairs of neighbours, both ways, with weights from 0 to 1."""
    count = min(_NEIGHBOURS, len(vectors) - 1)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    products, near = index.search(vectors, count + 1)
    heads = np.repeat(np.arange(len(vectors)), count)
    tails, distances = near[:, 1:].ravel(), 1 - np.round(products[:, 1:], 4)
    # The nearest neighbour gets full weight, the farthest about a third of it.
    own = np.maximum(distances - distances[:, :1], 0)
    weights = np.exp(-own / np.maximum(own[:, -1:], 1e-6)).astype(np.float32).ravel()
    return np.concatenate([heads, tails]), np.concatenate([tails, heads]), np.concatenate([weights, weights])


def _pulled(places: Floats, heads: Integers, tails: Integers, weights: Floats) -> Floats:
    """Places after every round of pulling and pushing, each with smaller steps than the one before."""
    random = np.random.default_rng(0)
    for done in range(_ROUNDS):
        step = np.float32(1 - done / _ROUNDS)
        taken = random.random(len(heads), dtype=np.float32) < weights
        drawn = random.integers(0, len(places), (len(places), _DRAWN))
        places = places + step * (_pull(places, heads[taken], tails[taken]) + _push(places, drawn))
    return places


def _pull(places: Floats, heads: Integers, tails: Integers) -> Floats:
    """How far each head moves towards its tails, float32[n, 2]."""
    apart = places[heads] - places[tails]
    squared = np.maximum(np.einsum("ij,ij->i", apart, apart), 1e-9)
    slope = -2 * _A * _B * squared ** (_B - 1) / (1 + _A * squared**_B)
    moves = np.clip(apart * slope[:, None], -_MOST_STEP, _MOST_STEP)
    sums = [np.bincount(heads, moves[:, axis], len(places)) for axis in (0, 1)]
    return np.stack(sums, axis=1).astype(np.float32)


def _push(places: Floats, drawn: Integers) -> Floats:
    """How far each point moves away from those drawn for it (int64[n, `_DRAWN`]), float32[n, 2]."""
    apart = places[:, None, :] - places[drawn]
    squared = np.einsum("ijk,ijk->ij", apart, apart)
    slope = 2 * _B / ((1e-3 + squared) * (1 + _A * squared**_B))
    moves: Floats = np.clip(apart * slope[..., None], -_MOST_STEP, _MOST_STEP).sum(axis=1)
    return moves


def _scaled(places: Floats) -> Integers:
    """Places in whole units of the map, centred halfway between the margins."""
    low, high = np.quantile(places, [_EDGE, 1 - _EDGE], axis=0)
    middle, width = (low + high) / 2, max(float((high - low).max()), 1e-9)
    scaled = (places - middle) / width * (SIDE - 20) + SIDE / 2
    whole: Integers = np.clip(np.rint(scaled), 0, SIDE).astype(np.int64)
    return whole
