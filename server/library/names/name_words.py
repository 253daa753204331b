"""The words of a catalogue's names: which names have some words, whole or by their beginnings; corrected words."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz, process

from server.dataset.index.terms import FUNCTION_WORDS
from server.library.names.other_names import words_of
from server.library.names.spelling import american, british_among

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MIN_WORD_RATIO: Final = 75
"""Similarity (0..100, rapidfuzz) from which a word of a name is suggested for one with the same first letter."""
_MIN_OTHER_RATIO: Final = 85
"""The same for another first letter, as few misspellings have: "tasha" is not "ash"."""


class NameWords:
    """The words of some folded names. Indices are built when a name is first looked up."""

    def __init__(self, folded_names: Sequence[str]) -> None:
        self._names = folded_names

    @cached_property
    def british(self) -> dict[str, str]:
        """The words that are spelled the British way → their American spellings."""
        return british_among(self._as_printed)

    @cached_property
    def _as_printed(self) -> dict[str, list[int]]:
        """Word → rows of the names that have it."""
        by_word: defaultdict[str, list[int]] = defaultdict(list)
        for row, name in enumerate(self._names):
            for word in set(words_of(name)):
                by_word[word].append(row)
        return dict(by_word)

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """The same, also by American spelling, in alphabetical order of words."""
        both = dict(self._as_printed)
        for word, spelling in self.british.items():
            both[spelling] = [*both.get(spelling, ()), *both[word]]
        return dict(sorted(both.items()))

    @cached_property
    def _words(self) -> list[str]:
        return list(self._by_word)

    def having_british(self) -> set[int]:
        """Rows of the names with a word that is spelled the British way."""
        return {row for word in self.british for row in self._as_printed[word]}

    def having(self, folded: str) -> set[int]:
        """Rows of names with all words of a text, each as a prefix, plural, singular or gerund; none for no words."""
        return self._having_all(words_of(american(folded)))

    def having_corrected(self, folded: str) -> set[int]:
        """The same for each word's most similar one; none if some word is similar to none."""
        corrected = [self._corrected(word) for word in words_of(american(folded))]
        words = [word for word in corrected if word is not None]
        return self._having_all(words) if len(words) == len(corrected) else set()

    def having_whole(self, folded: str, rows: Iterable[int]) -> list[int]:
        """Those of some rows whose names have all words of a text as they are, or in another number, or as gerunds."""
        forms = [_whole_forms(word) for word in words_of(american(folded))]
        return [row for row in rows if all(each & self._of(row) for each in forms)]

    def are_all(self, folded: str, rows: Iterable[int]) -> bool:
        """Whether one of some rows has a name whose words, function words aside, are all in a text."""
        forms = {form for word in words_of(american(folded)) for form in _whole_forms(word)}
        return any(self._of(row) - FUNCTION_WORDS <= forms for row in rows)

    def _of(self, row: int) -> set[str]:
        return set(words_of(american(self._names[row])))

    def _having_all(self, words: Iterable[str]) -> set[int]:
        having = [{row for other in self._alike(word) for row in self._by_word[other]} for word in words]
        return set.intersection(*having) if having else set()

    def _alike(self, word: str) -> list[str]:
        """The words of the vocabulary that begin with `word`, or are its plural, singular or gerund."""
        first, last = (bisect_left(self._words, end) for end in (word, word + "\U0010ffff"))
        return [*self._words[first:last], *(other for other in _forms(word) if other in self._by_word)]

    def _corrected(self, word: str) -> str | None:
        """The most similar word of the vocabulary; None if none is similar."""
        near = process.extract(word, self._words, scorer=fuzz.ratio, score_cutoff=_MIN_WORD_RATIO, limit=None)
        return next((other for other, ratio, _ in near if other[0] == word[0] or ratio >= _MIN_OTHER_RATIO), None)


def singulars(word: str) -> list[str]:
    """The words that a word may be the plural of."""
    endings = {"ies": ("y",), "ves": ("f", "fe"), "es": ("",), "s": ("",)}
    return [word[: -len(end)] + new for end, added in endings.items() if word.endswith(end) for new in added]


def other_numbers(word: str) -> list[str]:
    """A word, or the last word of a name, in every number but its own."""
    return [*singulars(word), f"{word}s", *_plurals(word)]


def _forms(word: str) -> list[str]:
    """A word's singulars, and its plurals and gerund that do not begin with it."""
    return [*singulars(word), *_plurals(word), *_gerunds(word)]


def _whole_forms(word: str) -> set[str]:
    """A word in every number, and its gerund."""
    return {word, f"{word}s", f"{word}es", f"{word}ing", *_forms(word)}


def _plurals(word: str) -> list[str]:
    """Plurals that do not begin with the singular: city → cities, wolf → wolves."""
    endings = {"y": "ies", "f": "ves", "fe": "ves"}
    return [word[: -len(end)] + new for end, new in endings.items() if word.endswith(end)]


def _gerunds(word: str) -> list[str]:
    """Gerunds that do not begin with the verb: grapple → grappling."""
    return [f"{word[:-1]}ing"] if word.endswith("e") else []
