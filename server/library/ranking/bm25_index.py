"""Lexical similarity: how much of a query an entity's text contains, in its words or similar ones (BM25)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from server.dataset.index.terms import FUNCTION_WORDS, K1, terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import polars as pl

    from server.dataset.index.bm25 import Bm25
    from server.dataset.index.terms import Glossary
    from server.library.arrays import Floats, Rows


_HALF_TRUSTED: Final = 2_500
"""Vocabulary size at which a missing word says half as much as in a very large dataset: the starter content's 2,600
words lack many that players use, the whole dataset's 16,000 hardly any."""


class Bm25Index:
    """The dataset's BM25 index, read in the order of a catalogue, with its glossary."""

    def __init__(
        self,
        index: Bm25,
        glossary: Glossary,
        bm25_rows: Rows,
        near_words: pl.DataFrame,
    ) -> None:
        """Take the parts.

        Args:
            index: the dataset's BM25 index.
            glossary: its abbreviations.
            bm25_rows: int64[catalogue size]: BM25 row of each entity.
            near_words: words of the index that mean nearly the same, with their similarity (0..1), as
                `read_near_words` returns them.
        """
        self._index = index
        self._glossary = glossary
        self._bm25_rows = bm25_rows
        total = index.entities
        frequency = np.diff(index.starts)
        self._idf = np.log1p((total - frequency + 0.5) / (frequency + 0.5))
        self._idf_of_unknown = float(np.log1p((total + 0.5) / 0.5))
        self._total = total
        numbers = (list(map(index.words.__getitem__, near_words[column])) for column in ("word", "near"))
        asked, near = (np.array(column, dtype=np.int32) for column in numbers)
        by_word = np.argsort(asked, kind="stable")
        self._near_starts = np.searchsorted(asked[by_word], np.arange(index.starts.size))
        self._near = near[by_word]
        self._near_similarity = near_words["similarity"].to_numpy()[by_word]

    def expand(self, query: str) -> str:
        """The query, followed by what its abbreviations stand for."""
        return self._glossary.expand(query)

    def coverage(self, query: str, denied: str = "") -> Floats:
        """BM25 of the query, divided by the sum of its terms' IDF; function words count only if there are no others.

        Terms that occur nowhere count in the sum, so a query of mostly unknown words is hardly covered. A word of
        similar meaning counts for one of the query, weighted by how similar it is.

        Args:
            query: the text to look for.
            denied: words of it that are not wanted: they match only themselves, no similar words.

        Returns:
            float64[catalogue size], from 0 to a little over 1.
        """
        asked = set(terms(query))
        distinct = sorted(asked - FUNCTION_WORDS or asked)
        known = {term: self._index.words[term] for term in distinct if term in self._index.words}
        if not known:
            return np.zeros(self._bm25_rows.size)
        numbers = list(known.values())
        idf = self._idf[numbers].sum() + (len(distinct) - len(known)) * self._idf_of_unknown
        literal = set(terms(denied))
        scores = np.zeros(self._total)
        for term, number in known.items():
            near = () if term in literal else self._near_with_weights(number, numbers)
            scores += self._best_of((number, 1.0), *near)
        covered: Floats = scores[self._bm25_rows] * ((K1 + 1) / idf)
        return covered

    def _best_of(self, *words: tuple[int, float]) -> Floats:
        """BM25 of the best of some words, float64[BM25 rows]; each word is its number and its weight."""
        scores = np.zeros(self._total)
        for number, share in words:
            column = slice(self._index.starts[number], self._index.starts[number + 1])
            texts = self._index.rows[column]
            scores[texts] = np.maximum(scores[texts], share * self._index.scores[column])
        return scores

    def _near_with_weights(self, asked: int, known: Collection[int]) -> Iterator[tuple[int, float]]:
        """The words near to one, each with its weight: a rarer word counts no more than the one in the query."""
        pairs = slice(self._near_starts[asked], self._near_starts[asked + 1])
        for number, similarity in zip(self._near[pairs].tolist(), self._near_similarity[pairs].tolist(), strict=True):
            if number not in known:
                yield number, similarity**2 * min(1.0, float(self._idf[asked] / self._idf[number]))

    def unknown_share(self, query: str) -> float:
        """The share of the query's words, by IDF, that no entity has and no abbreviation explains; 0 for no words."""
        idf = self.weights(self._glossary.without_abbreviations(query))
        words = {term: weight for term, weight in idf.items() if term not in FUNCTION_WORDS}
        unknown = sum(weight for term, weight in words.items() if term not in self._index.words)
        return unknown / sum(words.values()) if words else 0.0

    def doubt(self, query: str) -> float:
        """How strongly the query's unknown words suggest that nothing here is about it: 0 for none, 1 if all are."""
        unknown, known = self.unknown_share(query), len(self._index.words)
        return 1.0 if unknown == 1 else unknown * known / (known + _HALF_TRUSTED)

    def weights(self, query: str) -> dict[str, float]:
        """The query's terms with their inverse document frequency (IDF)."""
        places = {term: self._index.words.get(term) for term in sorted(set(terms(query)))}
        return {t: self._idf_of_unknown if i is None else float(self._idf[i]) for t, i in places.items()}
