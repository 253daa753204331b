"""Finding entities by name: wildcards, exact name, slug or key, words; and near names where nothing is found."""

from __future__ import annotations

import fnmatch
import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.library.catalogue import Catalogue, Mask, Numbers

MAX_SUGGESTIONS: Final = 5
_WILDCARDS: Final = frozenset("*%?")
_WORD: Final = re.compile(r"\w+")
_NEAR_NAME: Final = 70
_NEAR_WORD: Final = 75
"""Least likeness (0..100, rapidfuzz ratio) of a name, or of one word of a name, that is suggested."""
_LONGEST: Final = 200
"""Characters beyond which a text is no name misspelt."""
_BEHIND_THE_NEAREST: Final = 15
"""How much less like it than the nearest name another one may be."""


@dataclass(frozen=True, slots=True)
class Found:
    """Entities found by name, in the order of results.

    Attributes:
        numbers: the entities.
        exact: whether exact name, slug or key found (some of) them.
    """

    numbers: Numbers
    exact: bool


def words_of(folded_name: str) -> list[str]:
    """The words of a folded name, apostrophes dropped: "hunter's mark" → hunters, mark."""
    return _WORD.findall(folded_name.replace("'", ""))


class NameIndex:
    """The names of a catalogue, made ready for matching."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._by_name = _index(zip(catalogue.folded_names, range(catalogue.size), strict=True))
        self._by_key = _index(_keys(catalogue))
        by_word = _index((word, i) for i, name in enumerate(catalogue.folded_names) for word in set(words_of(name)))
        self._words = sorted(by_word)
        self._with_word = [by_word[word] for word in self._words]

    def find(self, name: str, groups: Iterable[Mask]) -> Found:
        """The entities of the groups that `name` means; each group is matched by itself, exact hits come first."""
        folded = normalize_name(name)
        masks = list(groups)
        if _WILDCARDS & set(folded):
            inside = np.logical_or.reduce(masks)
            return Found(self._sorted(self._like(folded, inside)), exact=False)
        exact = [self._exactly(folded, inside) for inside in masks]
        by_words = self._with_words(words_of(folded))
        others = [by_words & inside for inside, hits in zip(masks, exact, strict=True) if not hits.any()]
        hits = np.logical_or.reduce(exact)
        rest = np.logical_or.reduce(others) & ~hits if others else np.zeros_like(hits)
        return Found(np.concatenate([self._sorted(hits), self._sorted(rest)]), exact=bool(hits.any()))

    def exactly(self, text: str, inside: Mask) -> Numbers:
        """The entities of exactly this name."""
        mask = np.zeros_like(inside)
        mask[self._by_name.get(normalize_name(text), [])] = True
        return np.flatnonzero(mask & inside)

    def containing(self, name: str, inside: Mask) -> list[str]:
        """Further names that contain `name`, the shortest first."""
        folded = normalize_name(name)
        numbers = np.flatnonzero(self._with_words(words_of(folded)) & inside)
        return self._distinct(i for i in numbers.tolist() if folded in self._catalogue.folded_names[i])

    def near(self, name: str, inside: Mask) -> list[str]:
        """Names that `name` may be a misspelling of, the nearest first."""
        folded = "".join(c for c in normalize_name(name) if c not in _WILDCARDS)
        if len(folded) > _LONGEST:
            return []
        names = {self._catalogue.folded_names[i]: i for i in np.flatnonzero(inside)[::-1]}
        if likeness := _likeness(folded, list(names)):
            least = max(likeness.values()) - _BEHIND_THE_NEAREST
            nearest = sorted((hit for hit in likeness if likeness[hit] >= least), key=lambda hit: -likeness[hit])
            return [self._catalogue.names[names[hit]] for hit in nearest[:MAX_SUGGESTIONS]]
        respelled = [
            process.extractOne(w, self._words, scorer=fuzz.ratio, score_cutoff=_NEAR_WORD) for w in words_of(folded)
        ]
        corrected = [hit[0] for hit in respelled if hit is not None]
        if not corrected or len(corrected) < len(respelled):
            return []
        return self._distinct(np.flatnonzero(self._with_words(corrected) & inside).tolist())

    def words_shared(self, text: str) -> Numbers:
        """How many words of the text each name has."""
        shared = np.zeros(self._catalogue.size, dtype=np.int64)
        for word in set(words_of(normalize_name(text))):
            shared += self._with_words([word])
        return shared

    def _like(self, pattern: str, inside: Mask) -> Mask:
        literal = re.sub(r"\[", "[[]", pattern.replace("%", "*"))
        matches = re.compile(fnmatch.translate(literal)).match
        mask = np.zeros_like(inside)
        mask[[i for i in np.flatnonzero(inside) if matches(self._catalogue.folded_names[i])]] = True
        return mask

    def _exactly(self, folded: str, inside: Mask) -> Mask:
        """Exact name; else exact slug or key."""
        for index, spelling in ((self._by_name, folded), (self._by_key, _unhyphenated(folded))):
            mask = np.zeros_like(inside)
            mask[index.get(spelling, [])] = True
            if (mask & inside).any():
                return mask & inside
        return np.zeros_like(inside)

    def _with_words(self, words: list[str]) -> Mask:
        """Which names have all the words: as prefix of a word, or its simple plural. No words, no names."""
        mask = np.zeros(self._catalogue.size, dtype=np.bool_)
        for position, word in enumerate(dict.fromkeys(words)):
            having = np.zeros_like(mask)
            for place in self._places(word):
                having[self._with_word[place]] = True
            mask = mask & having if position else having
        return mask

    def _places(self, word: str) -> list[int]:
        """Where in the sorted vocabulary the words are that `word` begins, or is the plural of."""
        first = bisect_left(self._words, word)
        places = list(range(first, bisect_left(self._words, word + "\U0010ffff")))
        for singular in _singulars(word):
            place = bisect_left(self._words, singular)
            if place < len(self._words) and self._words[place] == singular:
                places.append(place)
        return places

    def _sorted(self, mask: Mask) -> Numbers:
        return self._catalogue.in_name_order(np.flatnonzero(mask))

    def _distinct(self, numbers: Iterable[int]) -> list[str]:
        names = {self._catalogue.names[i] for i in numbers}
        return sorted(names, key=lambda name: (len(name), name))[:MAX_SUGGESTIONS]


def _index(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    index: defaultdict[str, list[int]] = defaultdict(list)
    for key, number in pairs:
        index[key].append(number)
    return dict(index)


def _keys(catalogue: Catalogue) -> Iterable[tuple[str, int]]:
    """Every slug, source's key and id with the entities that answer to it, as `_unhyphenated` spells them."""
    for part in catalogue.parts:
        columns = part.frame.select("id", "slug", "keys").iter_rows()
        for number, (identity, slug, keys) in enumerate(columns, part.start):
            yield from ((_unhyphenated(key.casefold()), number) for key in {identity, slug, *keys})


def _unhyphenated(slug: str) -> str:
    """A slug however its words are divided: "long sword" and "long-sword" are "longsword"."""
    return slug.replace("-", "").replace(" ", "")


def _likeness(folded: str, names: list[str]) -> dict[str, float]:
    """How like the names are that are like enough: by their words, in any order, or written as one ("fire ball")."""
    ordered = process.extract(folded, names, scorer=fuzz.token_set_ratio, score_cutoff=_NEAR_NAME, limit=None)
    joined = process.extract(
        folded, names, scorer=fuzz.ratio, processor=_unhyphenated, score_cutoff=_NEAR_NAME, limit=None
    )
    likeness: dict[str, float] = {}
    for hit, ratio, _ in (*ordered, *joined):
        likeness[hit] = max(ratio, likeness.get(hit, 0))
    return likeness


def _singulars(word: str) -> list[str]:
    endings = {"ies": ("y",), "ves": ("f", "fe"), "es": ("",), "s": ("",)}
    return [word[: -len(end)] + new for end, news in endings.items() if word.endswith(end) for new in news]
