"""How fast and how reliably indices find the nearest passages, also under filters: exact, few bits, IVF, HNSW."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import getpid
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import faiss
import numpy as np
import numpy.typing as npt

from benchmarks.growth.dataset import grown_vectors, real_vectors
from benchmarks.growth.vectors import Vectors
from benchmarks.speed.processes import resident
from benchmarks.speed.workload import texts
from build_pipeline.index.quantized import write_quantized
from server.dataset.files import ENCODER_FOLDER, QUANTIZED_FILE
from server.dataset.index.quantized import QuantizedProducts
from server.dataset.index.query_model import load_query_model
from server.dataset.manifest import read_manifest
from server.library.ranking.vector_index import MAX_EXACT, NEAREST

Rows = npt.NDArray[np.int64]

DEPTH: Final = 20
SHARES: Final = (0.0001, 0.001, 0.01, 0.1)
"""Shares of the passages that filters let through."""
CANDIDATES: Final = 1_000
"""Number of results of an index of rounded vectors that are multiplied again exactly."""
_PROBED: Final = (0.02, 0.05, 0.1, 0.2)
"""Shares of an IVF index's cells that are probed."""
_FEW_BITS: Final = "PQ96x4fs"
"""Four bits for each four numbers of a vector (48 bytes), compared in the processor's registers (FAISS's fast scan)."""
_FEW: Final = 40_000
"""Maximum number of allowed vectors that are multiplied exactly instead of using an index of few bits."""
_EF: Final = 200
"""Number of candidates that HNSW keeps."""
_BLOCK: Final = 65_536
_QUERIES: Final = 40
_TRAINED_ON: Final = 60_000
"""Maximum number of vectors that an index is trained on: more take longer and change little."""
_MOST_LINKED: Final = 100_000
"""Number of vectors up to which HNSW is built, which takes a minute for this many."""
_MOST_TWICE: Final = 500_000
"""Number of vectors up to which an IVF index also holds them as floats, a second copy in memory."""
_SEED: Final = 15


@dataclass(frozen=True, slots=True)
class Index:
    """A way to find the nearest passages.

    Attributes:
        build: seconds of CPU time to make it.
        search: (query, float32[1, dimensions]; rows that a filter lets through, ascending, or None for all) → the
            nearest rows, of which the first `DEPTH` count.
    """

    build: float
    search: Callable[[Vectors, Rows | None], Rows]


def measure(dataset: Path, scale: int) -> dict[str, Any]:
    """Recall@20 and CPU milliseconds (p50, p95) of each index under each selectivity of filters."""
    faiss.omp_set_num_threads(1)
    vectors = _grown(dataset, scale)
    queries = _queries(dataset)
    products = vectors @ queries.T
    filters = list(_filters(products))
    truth = [_nearest(products, allowed) for _, allowed in filters]
    found = [
        {"index": name, "build s": index.build, "filter": label} | _ask(index, queries, allowed, right)
        for name, index in _indexes(vectors)
        for (label, allowed), right in zip(filters, truth, strict=True)
    ]
    return {"vectors": len(vectors), "memory MB": resident(getpid())[0], "found": found}


def _grown(dataset: Path, scale: int) -> Vectors:
    real = real_vectors(dataset)
    vectors = np.empty((scale * len(real), real.shape[1]), dtype=np.float32)
    start = 0
    for block in grown_vectors(real, scale):
        vectors[start : start + len(block)] = block
        start += len(block)
    return vectors


def _queries(dataset: Path) -> Vectors:
    model = load_query_model(dataset / ENCODER_FOLDER, read_manifest(dataset)["encoder"])
    return np.stack([model.encode(text).vector for text in texts()[:_QUERIES]])


def _filters(products: Vectors) -> Iterator[tuple[str, Rows | None]]:
    """(Name, rows) of each filter: random passages, or those nearest to a text, as passages of one kind are."""
    chance = np.random.default_rng(_SEED)
    nearest = np.argsort(-products[:, 0])
    for share in SHARES:
        size = max(DEPTH, round(share * len(products)))
        yield f"{share:.2%}", np.sort(chance.choice(len(products), size, replace=False))
        yield f"{share:.2%} alike", np.sort(nearest[:size])
    yield "100%", None


def _nearest(products: Vectors, allowed: Rows | None) -> list[set[int]]:
    """For each query the rows of its `DEPTH` nearest among those allowed; `products`: float32[vectors, queries]."""
    rows = np.arange(len(products)) if allowed is None else allowed
    among = products if allowed is None else products[allowed]
    best = np.argpartition(-among, DEPTH - 1, axis=0)[:DEPTH]
    return [set(rows[column].tolist()) for column in best.T]


def _ask(index: Index, queries: Vectors, allowed: Rows | None, right: list[set[int]]) -> dict[str, float]:
    """Recall and CPU milliseconds over the queries under a filter."""
    milliseconds, found = [], []
    for query, wanted in zip(queries, right, strict=True):
        start = time.process_time()
        rows = index.search(query[np.newaxis], allowed)
        milliseconds.append(1000 * (time.process_time() - start))
        found.append(len(wanted.intersection(rows[:DEPTH].tolist())) / len(wanted))
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {"recall": float(np.mean(found)), "p50 ms": float(p50), "p95 ms": float(p95)}


def _indexes(vectors: Vectors) -> Iterator[tuple[str, Index]]:
    """(Name, index), one after the other, so that each is released before the next is built."""
    yield "exact", Index(0, lambda query, allowed: _exactly(vectors, query, allowed))
    with TemporaryDirectory() as folder:
        start = time.process_time()
        write_quantized(Path(folder) / QUANTIZED_FILE, vectors)
        spent = time.process_time() - start
        yield "8 bits, all", Index(spent, _all_products(vectors, QuantizedProducts(Path(folder) / QUANTIZED_FILE)))
    index, spent = _built(_FEW_BITS, vectors)
    yield f"{_FEW_BITS}, then exact", Index(spent, _by_few_bits(vectors, index))
    del index
    cells = round(len(vectors) ** 0.5)
    kinds = [("IVF of 8 bits", f"IVF{cells},SQ8")]
    if len(vectors) <= _MOST_TWICE:
        kinds.append(("IVF of floats", f"IVF{cells},Flat"))
    for name, kind in kinds:
        index, spent = _built(kind, vectors)
        for share in _PROBED:
            probed = max(1, round(share * cells))
            yield f"{name}, {share:.0%} of cells", Index(spent, _by_cells(vectors, index, probed))
    if len(vectors) <= _MOST_LINKED:
        index, spent = _built("HNSW32,Flat", vectors)
        yield "HNSW", Index(spent, _by_links(index))


def _built(kind: str, vectors: Vectors) -> tuple[faiss.Index, float]:
    """An index, and the seconds of CPU time to build it."""
    start = time.process_time()
    index = faiss.index_factory(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    chance = np.random.default_rng(_SEED)
    index.train(vectors[np.sort(chance.choice(len(vectors), min(_TRAINED_ON, len(vectors)), replace=False))])
    for first in range(0, len(vectors), _BLOCK):
        index.add(vectors[first : first + _BLOCK])
    return index, time.process_time() - start


def _exactly(vectors: Vectors, query: Vectors, allowed: Rows | None) -> Rows:
    if allowed is None:
        _, (nearest,) = faiss.knn(query, vectors, DEPTH, faiss.METRIC_INNER_PRODUCT)
        return np.asarray(nearest)
    return _best(vectors, query, allowed)


def _all_products(vectors: Vectors, quantized: QuantizedProducts) -> Callable[[Vectors, Rows | None], Rows]:
    """As the server does: all rounded products, then the best of those allowed exactly."""

    def search(query: Vectors, allowed: Rows | None) -> Rows:
        if allowed is not None and allowed.size <= MAX_EXACT:
            return _best(vectors, query, allowed)
        products = quantized(query[0])
        among = products if allowed is None else products[allowed]
        best = np.argpartition(-among, NEAREST)[:NEAREST]
        return _best(vectors, query, best if allowed is None else allowed[best])

    return search


def _by_few_bits(vectors: Vectors, index: faiss.Index) -> Callable[[Vectors, Rows | None], Rows]:
    """The nearest by a few bits per vector, then exactly among those allowed; exactly at once if few are allowed."""

    def search(query: Vectors, allowed: Rows | None) -> Rows:
        if allowed is None:
            _, (near,) = index.search(query, CANDIDATES)
            return _best(vectors, query, near)
        if allowed.size <= _FEW:
            return _best(vectors, query, allowed)
        # It does not support filters: take so many of the nearest that enough are allowed, if those are spread evenly.
        _, (near,) = index.search(query, CANDIDATES * len(vectors) // allowed.size)
        place = np.searchsorted(allowed, near)
        return _best(vectors, query, near[allowed[np.minimum(place, allowed.size - 1)] == near])

    return search


def _by_cells(vectors: Vectors, index: faiss.Index, probed: int) -> Callable[[Vectors, Rows | None], Rows]:
    def search(query: Vectors, allowed: Rows | None) -> Rows:
        selector = None if allowed is None else _selector(allowed, len(vectors))
        chosen = faiss.SearchParametersIVF(nprobe=probed, sel=selector)  # type: ignore[call-arg]
        _, (near,) = index.search(query, CANDIDATES, params=chosen)
        return _best(vectors, query, near[near >= 0])

    return search


def _by_links(index: faiss.Index) -> Callable[[Vectors, Rows | None], Rows]:
    def search(query: Vectors, allowed: Rows | None) -> Rows:
        selector = None if allowed is None else _selector(allowed, index.ntotal)
        chosen = faiss.SearchParametersHNSW(efSearch=_EF, sel=selector)  # type: ignore[attr-defined]
        _, (near,) = index.search(query, DEPTH, params=chosen)
        return np.asarray(near)

    return search


def _selector(allowed: Rows, size: int) -> faiss.IDSelector:
    mask = np.zeros(size, dtype=np.bool_)
    mask[allowed] = True
    return faiss.IDSelectorBitmap(np.packbits(mask, bitorder="little"))  # type: ignore[call-arg, arg-type]


def _best(vectors: Vectors, query: Vectors, rows: Rows) -> Rows:
    """The `DEPTH` of some rows with the nearest vectors, by exact products."""
    products = vectors[rows] @ query[0]
    return rows[np.argsort(-products)[:DEPTH]]
