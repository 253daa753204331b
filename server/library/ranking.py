"""Ranking by meaning, by words and by name:

    s = max over its rows of (query vector · row) + 0.2 · coverage + 0.3 · likeness of the name
    similarity_score = 1 / (1 + exp(-(9.4 s - 5.75)))

All three parts are taken over exactly the entities that the filters left, and none of those is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import faiss
import numpy as np
from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name
from server.library.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    import polars as pl

    from server.library.catalogue import Catalogue, Numbers

    Scores = npt.NDArray[np.float64]

COVERAGE_WEIGHT: Final = 0.2
NAME_WEIGHT: Final = 0.3
NAME_GATE: Final = 0.75
"""Likeness from which a name counts: a misspelt name does, a shared word does not."""
SLOPE: Final = 9.4
OFFSET: Final = 5.75
"""Fitted on judged queries: the probability that a game master calls the entity useful; a half at s = 0.61."""

_SRD: Final = "srd-"
"""How the keys of the System Reference Documents begin, a year after it."""

_ALL_PRODUCTS: Final = -2.0
"""Below every inner product of two vectors of length 1."""


class Ranking:
    """Scores of a catalogue's entities for a query."""

    def __init__(self, catalogue: Catalogue, index: faiss.Index, owners: pl.Series) -> None:
        """`owners`: the id of the entity that each row of the index belongs to."""
        self._catalogue = catalogue
        self._index = index
        numbers = {identity: number for number, identity in enumerate(catalogue.ids)}
        self._owner = np.array([numbers.get(identity, -1) for identity in owners.to_list()], dtype=np.int64)
        self._by_owner = np.argsort(self._owner, kind="stable")
        self._owners, self._first_of_owner = np.unique(self._owner[self._by_owner], return_index=True)
        self._precedence = _precedence(catalogue.document_keys)
        self._lexicon = Lexicon(catalogue)
        names: dict[str, list[int]] = {}
        for number, name in enumerate(catalogue.folded_names):
            names.setdefault(_in_word_order(name), []).append(number)
        self._names = list(names)
        self._named = [np.array(named) for named in names.values()]

    def scores(self, query: str, vector: npt.NDArray[np.float32], entities: Numbers, exact: Numbers) -> Scores:
        """The `similarity_score` of each of the entities; those in `exact` (the query is their name) have the best.

        Raises:
            ValueError: the vector has other dimensions than the index.
        """
        strength = (
            self._meaning(vector, entities)
            + COVERAGE_WEIGHT * self._lexicon.coverage(query)[entities]
            + NAME_WEIGHT * self._likeness(query)[entities]
        )
        if exact.size:
            strength[np.isin(entities, exact)] = strength.max()
        return np.round(1 / (1 + np.exp(OFFSET - SLOPE * strength)), 6)

    def order(self, scores: Scores, entities: Numbers, exact: Numbers) -> Numbers:
        """Positions by score, the best first; among equals the exactly named, then the SRDs, then by id."""
        ids = self._catalogue.by_id[entities]
        return np.lexsort((ids, self._precedence[entities], ~np.isin(entities, exact), -scores))

    def _meaning(self, vector: npt.NDArray[np.float32], entities: Numbers) -> Scores:
        """The best inner product among each entity's rows; 0 where it has none."""
        if vector.size != self._index.d:
            msg = f"the encoder's vectors have {vector.size} dimensions, the index {self._index.d}"
            raise ValueError(msg)
        wanted = np.zeros(self._catalogue.size + 1, dtype=np.bool_)
        wanted[entities] = True
        rows = wanted[self._owner]
        # A range search gives the products of all selected rows in row order, without the heap that a top-k needs.
        selector = None if rows.all() else faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little"))  # type: ignore[call-arg, arg-type]
        parameters = faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
        _, products, found = self._index.range_search(vector.reshape(1, -1), _ALL_PRODUCTS, params=parameters)
        product = np.full(rows.size, _ALL_PRODUCTS)
        product[found] = products
        best = np.zeros(self._catalogue.size + 1)
        best[self._owners] = np.maximum.reduceat(product[self._by_owner], self._first_of_owner)
        return best[entities]

    def _likeness(self, query: str) -> Scores:
        """How like the query each name is, whatever the order of its words: 0 up to the gate, 1 where the same."""
        likeness = np.zeros(self._catalogue.size)
        hits = process.extract(
            _in_word_order(normalize_name(query)),
            self._names,
            scorer=fuzz.ratio,
            score_cutoff=100 * NAME_GATE,
            limit=None,
        )
        for _, ratio, place in hits:
            likeness[self._named[place]] = (ratio / 100 - NAME_GATE) / (1 - NAME_GATE)
        return likeness


def _precedence(document_keys: Sequence[str]) -> Numbers:
    """For each entity the place of its document among equals: the SRDs first, of those the newest."""
    srds = sorted({key for key in document_keys if key.startswith(_SRD)}, reverse=True)
    place = {key: number for number, key in enumerate(srds)}
    return np.array([place.get(key, len(srds)) for key in document_keys], dtype=np.int64)


def _in_word_order(folded_name: str) -> str:
    return " ".join(sorted(folded_name.split()))
