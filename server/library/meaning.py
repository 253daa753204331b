"""What entities mean: the nearness of their passages to a query, both as vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import faiss
import numpy as np

from server.dataset.load import SUMMARY
from server.dataset.schema import RULES

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.dataset.load import Dataset
    from server.library.catalogue import Catalogue, Numbers

    Vector = npt.NDArray[np.float32]

OF_A_PART: Final = 0.9
"""What a chapter of the rules gets of the nearest of its parts: as good an answer, but after the part itself."""
MOVED: Final = 0.4
"""How far a query is moved towards the answers that it is to resemble."""


class Meaning:
    """The vectors of a catalogue's entities: for each one that sums it up, and some of pieces of its text."""

    def __init__(self, catalogue: Catalogue, dataset: Dataset, numbers: dict[str, int]) -> None:
        """`numbers`: the number of each entity of the catalogue, by id."""
        self._index = dataset.index
        owners = (numbers.get(identity, catalogue.size) for identity in dataset.vectors["entity_id"])
        owner = np.fromiter(owners, dtype=np.int64, count=dataset.vectors.height)
        self._rows = np.argsort(owner, kind="stable")
        self._count = np.bincount(owner, minlength=catalogue.size + 1)[: catalogue.size]
        self._first = np.cumsum(self._count) - self._count
        sums_up = np.flatnonzero((dataset.vectors["passage"] == SUMMARY).to_numpy() & (owner < catalogue.size))
        self._summary = dict(zip(owner[sums_up].tolist(), sums_up.tolist(), strict=True))
        self._part, self._chapter = _parts_and_chapters(catalogue, numbers)

    def nearness(self, vector: Vector, entities: Numbers) -> Vector:
        """The best inner product among each entity's rows; 0 where it has none.

        Raises:
            ValueError: the vector has other dimensions than the index.
        """
        if vector.size != self._index.d:
            msg = f"the encoder's vectors have {vector.size} dimensions, the index {self._index.d}"
            raise ValueError(msg)
        best = np.zeros(self._count.size, dtype=np.float32)
        with_rows = entities[self._count[entities] > 0]
        if with_rows.size:
            counts = self._count[with_rows]
            ends = np.cumsum(counts)
            rows = self._rows[np.arange(ends[-1]) + np.repeat(self._first[with_rows] - ends + counts, counts)]
            best[with_rows] = np.maximum.reduceat(self._products(vector, rows), ends - counts)
        np.maximum.at(best, self._chapter, OF_A_PART * best[self._part])
        return best[entities]

    def towards(self, vector: Vector, entities: Numbers) -> Vector:
        """A query's vector moved towards what the entities have in common, of length 1 (Rocchio's feedback)."""
        rows = np.array([self._summary[n] for n in entities.tolist() if n in self._summary], dtype=np.int64)
        if not rows.size:
            return vector
        middle = self._index.reconstruct_batch(rows).mean(axis=0)
        moved = vector + MOVED * middle / np.linalg.norm(middle)
        return np.asarray(moved / np.linalg.norm(moved), dtype=np.float32)

    def _products(self, query: Vector, rows: Numbers) -> Vector:
        """The inner product with each of the rows."""
        wanted = np.zeros(self._rows.size, dtype=np.bool_)
        wanted[rows] = True
        ascending = np.flatnonzero(wanted)  # in the order in which they lie in memory, which is the fastest to read
        products = np.empty(ascending.size, dtype=np.float32)
        self._index.compute_distance_subset(  # type: ignore[attr-defined]
            1, faiss.swig_ptr(query), ascending.size, faiss.swig_ptr(products), faiss.swig_ptr(ascending)
        )
        product = np.empty(self._rows.size, dtype=np.float32)
        product[ascending] = products
        return product[rows]


def _parts_and_chapters(catalogue: Catalogue, numbers: dict[str, int]) -> tuple[Numbers, Numbers]:
    """The rules that are parts of another, and that other of each."""
    frame = catalogue.part_of(RULES).frame
    above = zip(frame["id"], frame["parent"].struct.field("id"), strict=True)
    pairs = [(numbers[part], numbers[chapter]) for part, chapter in above if chapter in numbers]
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]
