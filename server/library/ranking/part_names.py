"""Names of traits, actions, features and benefits: a query that names one is about the records that have it."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from server.dataset.index.terms import FUNCTION_WORDS, terms
from server.dataset.passages import NAMED_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.library.arrays import Floats, Mask
    from server.library.catalogue import Catalogue

PART_MATCH: Final = 0.5
"""Score of an entity for a part that the query names: half of that for its own name."""

_IN_BRACKETS: Final = re.compile(r"\s*\(.*?\)")
"""Says how often a part can be used: "Fire Breath (Recharge 5-6)"."""

_KINDS_OF_PARTS: Final = frozenset(terms("action actions attack attacks ability feature trait"))


class PartNames:
    """The names of the parts of a catalogue's entities, by their words."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._names = catalogue.folded_names
        self._owners: defaultdict[frozenset[str], list[int]] = defaultdict(list)
        words_of = cache(_words)  # two thousand creatures have a Multiattack
        for row, name in _part_names(catalogue):
            self._owners[words_of(name)].append(row)
        self._with_word: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for words in self._owners:
            for word in words:
                self._with_word[word].append(words)

    def scores(self, query: str) -> Floats:
        """The scores of entities with a part that the query names, alone or with words of the entity's own name.

        Returns:
            float64[catalogue size]: `PART_MATCH` or 0.
        """
        scores = np.zeros(len(self._names))
        asked = frozenset(terms(query)) - FUNCTION_WORDS
        for words in {words for word in asked for words in self._with_word.get(word, ()) if words <= asked}:
            rest = asked - words
            scores[[row for row in self._owners[words] if not rest or rest <= _words(self._names[row])]] = PART_MATCH
        return scores

    def having(self, named: str) -> Mask:
        """The entities with a part whose name has all these words: bool[catalogue size]; none if they are no words."""
        asked = frozenset(terms(named)) - FUNCTION_WORDS - _KINDS_OF_PARTS
        mask = np.zeros(len(self._names), dtype=np.bool_)
        for words in min((self._with_word.get(word, []) for word in asked), key=len, default=[]):
            if asked <= words:
                mask[self._owners[words]] = True
        return mask


def _part_names(catalogue: Catalogue) -> Iterator[tuple[int, str]]:
    """(catalogue row, name) of every part of every entity."""
    for part in catalogue.parts:
        for column in sorted(set(NAMED_COLUMNS) & set(part.frame.columns)):
            named = part.frame.select(pl.col(column).list.eval(pl.element().struct.field("name"))).with_row_index()
            yield from ((part.start + row, name) for row, name in named.explode(column).drop_nulls().iter_rows())


def _words(name: str) -> frozenset[str]:
    return frozenset(terms(_IN_BRACKETS.sub("", name))) - FUNCTION_WORDS
