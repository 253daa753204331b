"""How similar every name is to a query: misspelt names, and names that contain the query's words."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np
from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name
from server.library.names.near_texts import NearTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.arrays import Floats

MIN_RATIO: Final = 0.75
"""Similarity (0..1) from which a name counts: a misspelt name does, one that shares a word does not."""
PARTIAL_MATCH: Final = 0.4
"""Score of a name that contains all words of the query, times their share of its words: "two-weapon"."""
MIN_BEGINNING: Final = 4
"""Letters that a word needs to match as the beginning of a longer one: "moon" of "moonblade"."""

_BEHIND_ALL: Final = "\U0010ffff"


class NameSimilarity:
    """The distinct names of a catalogue, their words sorted."""

    def __init__(self, folded_names: Sequence[str]) -> None:
        """`folded_names`: one per entity, in catalogue order."""
        self._size = len(folded_names)
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(folded_names):
            rows.setdefault(_words_sorted(name), []).append(row)
        self._names = list(rows)
        self._rows = [np.array(each) for each in rows.values()]
        self._near = NearTexts(self._names)
        with_word: defaultdict[str, set[int]] = defaultdict(set)
        for place, name in enumerate(self._names):
            for word in name.split():
                with_word[word].add(place)
        self._words = sorted(with_word)
        self._with_word = [with_word[word] for word in self._words]

    def scores(self, query: str) -> Floats:
        """How similar each name is to the query, whatever the order of its words.

        Returns:
            float64[catalogue size]: 1 for the same words, falling to 0 at `MIN_RATIO`; up to `PARTIAL_MATCH` for a
            name that has the query's words and others, or words that begin with them.
        """
        scores = np.zeros(self._size)
        words = _words_sorted(normalize_name(query))
        for place in self._with_all(words.split()):
            share = len(words.split()) / len(self._names[place].split())
            scores[self._rows[place]] = PARTIAL_MATCH * share
        near = self._near.by_ratio(words, 100 * MIN_RATIO).tolist()
        choices = {place: self._names[place] for place in near}
        hits = process.extract(words, choices, scorer=fuzz.ratio, score_cutoff=100 * MIN_RATIO, limit=None)
        for _, ratio, place in hits:
            rows = self._rows[place]
            scores[rows] = np.maximum(scores[rows], (ratio / 100 - MIN_RATIO) / (1 - MIN_RATIO))
        return scores

    def _with_all(self, words: Sequence[str]) -> set[int]:
        """The names with all words; words of `MIN_BEGINNING` letters or more may be beginnings. Empty for no words."""
        matches = [self._having(word) for word in words]
        return set.intersection(*matches) if matches else set()

    def _having(self, word: str) -> set[int]:
        first = bisect_left(self._words, word)
        last = bisect_left(self._words, word + (_BEHIND_ALL if len(word) >= MIN_BEGINNING else " "))
        return set[int]().union(*self._with_word[first:last])


def _words_sorted(folded_name: str) -> str:
    """The distinct words, sorted: repeating a word does not make a better match."""
    return " ".join(sorted(set(folded_name.split())))
