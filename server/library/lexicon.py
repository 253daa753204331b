"""The words of every entity: how much of what a query asks for an entity's text literally says (BM25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bm25s
import numpy as np

from server.dataset.lexicon import K1, read_glossary, terms

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from server.library.catalogue import Numbers

    Floats = npt.NDArray[np.float64]


class Lexicon:
    """The dataset's BM25 index over the numbers of a catalogue, and its glossary."""

    def __init__(self, folder: Path, documents: Numbers) -> None:
        """`documents`: for each entity of the catalogue its document in the index."""
        self._index = bm25s.BM25.load(str(folder), show_progress=False)
        self._glossary = read_glossary(folder)
        self._documents = documents
        starts = np.asarray(self._index.scores["indptr"], dtype=np.int64)
        total = int(self._index.scores["num_docs"])
        frequency = np.diff(starts)
        self._rarity = np.log1p((total - frequency + 0.5) / (frequency + 0.5))
        self._rarity_of_unknown = float(np.log1p((total + 0.5) / 0.5))

    def expand(self, query: str) -> str:
        """The query with what its abbreviations stand for."""
        return self._glossary.expand(query)

    def coverage(self, query: str) -> Floats:
        """For every entity, BM25 of the query over the sum of its terms' rarity: 0 to a little over 1.

        Words that no text has count in the sum: a query that is mostly foreign is hardly covered.
        """
        distinct = sorted(set(terms(query)))
        numbers = [self._index.vocab_dict[term] for term in distinct if term in self._index.vocab_dict]
        if not numbers:
            return np.zeros(self._documents.size)
        rarity = self._rarity[numbers].sum() + (len(distinct) - len(numbers)) * self._rarity_of_unknown
        scores = self._index.get_scores_from_ids(numbers)[self._documents]
        return np.asarray(scores * ((K1 + 1) / rarity), dtype=np.float64)
