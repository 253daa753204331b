"""Finding entities by name: wildcards, exact name, slug or key, words; and similar names if nothing is found."""

from __future__ import annotations

import fnmatch
import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name
from server.dataset.schema import RULES, TABLE_OF
from server.library.misspellings import Misspellings
from server.library.other_names import (
    each_bonus,
    kinds_told,
    one_spelling,
    open_names,
    other_names,
    unhyphenated,
    without_wizard,
    words_of,
)
from server.library.renamed import EDITIONS, OLDEST, counterparts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from server.library.arrays import Mask, Rows
    from server.library.catalogue import Catalogue
    from server.library.renamed import Counterpart

MAX_SUGGESTIONS: Final = 5
_WILDCARDS: Final = frozenset("*%?")
_WILDCARD: Final = re.compile(r"[*%?]")
_PUNCTUATION: Final = re.compile(r"[,()']")
"""What names have and keys do not: the key of "Elf, Drow" is elf-drow."""
_MIN_WORD_RATIO: Final = 75
"""Similarity (0..100, rapidfuzz) from which a word of a name is suggested for one with the same first letter."""
_MIN_OTHER_RATIO: Final = 85
"""The same for another first letter, as few misspellings have: "tasha" is not "ash"."""
_MAX_MISSPELT_CHARS: Final = 200
"""A longer text is not a misspelt name."""


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Entities found by name.

    Attributes:
        rows: int64[n] catalogue rows, in the order of results.
        exact: whether some of them match exactly, by name, slug or key.
        instead: what was found instead of the name given; None if the name was found.
    """

    rows: Rows
    exact: bool
    instead: Instead | None = None


class Instead(NamedTuple):
    """What a thing is called elsewhere.

    Attributes:
        names: the names there; most things have one.
        where: the books that use them, and why.
        whole: whether these are the thing itself; false if it is a part of them.
    """

    names: tuple[str, ...]
    where: str
    whole: bool = True


def wildcard_matcher(pattern: str) -> Callable[[str], object]:
    """A matcher of folded names for a pattern: `*` and `%` stand for any text, `?` for one character.

    `fnmatch` compiles to atomic groups, so that no pattern makes matching backtrack.
    """
    return re.compile(fnmatch.translate(pattern.replace("%", "*").replace("[", "[[]"))).match


def _longest_literal(pattern: str) -> str:
    return max(_WILDCARD.split(pattern), key=len)


class NameIndex:
    """The names of a catalogue, indexed for matching.

    Indices that searches do not need are built when a name is first looked up: they take longer than all else here.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._by_name = _index(zip(catalogue.folded_names, range(catalogue.size), strict=True))
        self._misspellings = Misspellings(self._by_name)

    @cached_property
    def _by_spelling(self) -> dict[str, list[int]]:
        """By name in one spelling, so that one book's way of writing a name does not hide the thing in other books."""
        names = enumerate(self._catalogue.folded_names)
        return _index((one_spelling(name), row) for row, name in names)

    @cached_property
    def _by_bonus(self) -> dict[str, list[int]]:
        names = enumerate(self._catalogue.folded_names)
        return _index((each, row) for row, name in names for each in each_bonus(name))

    @cached_property
    def _by_key(self) -> dict[str, list[int]]:
        return _index(_keys(self._catalogue))

    @cached_property
    def _by_other_name(self) -> dict[str, list[int]]:
        return _index(_other_names(self._catalogue))

    @cached_property
    def _systems(self) -> list[str]:
        return self._catalogue.column("game_system")

    @cached_property
    def _above(self) -> dict[int, str]:
        """By catalogue row, the folded name of what a rule is part of: "actions in combat"."""
        part = self._catalogue.part_of(RULES)
        above = enumerate(part.frame["parent"].struct.field("name"), part.start)
        return {row: normalize_name(name) for row, name in above if name is not None}

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """Word → rows of the names that have it, in alphabetical order."""
        names = enumerate(self._catalogue.folded_names)
        by_word = _index((word, row) for row, name in names for word in set(words_of(name)))
        return dict(sorted(by_word.items()))

    @cached_property
    def _words(self) -> list[str]:
        return list(self._by_word)

    def find(self, name: str, groups: Iterable[Mask]) -> NameMatches:
        """The entities that `name` stands for, exact matches first; each group (bool[catalogue size]) by itself.

        If nothing has the name, it stands for what has the open books' name for the thing; otherwise for what has the
        name without the kind of thing that it ends with: "dash action", "wizard class".
        """
        folded = normalize_name(name)
        masks = list(groups)
        found = self._find(folded, masks)
        if not len(found.rows):
            for name_there, why in open_names(folded):
                there = self._find(name_there, masks)
                if there.exact:
                    called = Instead((self._catalogue.names[int(there.rows[0])],), f"the open books, {why}")
                    return NameMatches(there.rows, exact=True, instead=called)
            if other := self.counterpart(folded, np.logical_or.reduce(masks)):
                return other
            for rest, kind in kinds_told(folded):
                if rows := self._of_kind(rest, kind, masks):
                    return NameMatches(self._sorted(rows), exact=True)
        return found

    def renamed(self, name: str, found: NameMatches, inside: Mask) -> Instead | None:
        """What another edition calls something, if none of what was found by name is of that edition."""
        other = self.counterpart(name, inside)
        if other is None or (found.exact and self._systems_of(found.rows) & self._systems_of(other.rows)):
            return None
        return other.instead

    def counterpart(self, name: str, inside: Mask) -> NameMatches | None:
        """The entities that have another edition's name for the thing; None if there are none."""
        rows: dict[int, Counterpart] = {}
        for each in counterparts(normalize_name(name)):
            types = TABLE_OF[each.entity_type].entity_types if each.game_system == OLDEST else (each.entity_type,)
            rows |= {
                row: each
                for row in self._exact(each.name, inside)
                if self._catalogue.entity_types[row] in types and self._systems[row] == each.game_system
            }
        if not rows:
            return None
        first = next(iter(rows.values()))
        names = tuple(dict.fromkeys(self._catalogue.names[row] for row in rows))
        called = Instead(names, EDITIONS[first.game_system], first.whole)
        return NameMatches(self._sorted(rows), exact=True, instead=called)

    def _systems_of(self, rows: Rows) -> set[str]:
        return {self._systems[row] for row in rows.tolist()}

    def _of_kind(self, folded: str, kind: str, masks: Iterable[Mask]) -> set[int]:
        """The entities of that name, of only those types in which something so named is of that kind."""
        types = {self._catalogue.entity_types[row] for row in self._by_name.get(folded, ()) if self._is_a(row, kind)}
        exact = (row for inside in masks for row in self._exact(folded, inside))
        return {row for row in exact if self._catalogue.entity_types[row] in types}

    def _is_a(self, row: int, kind: str) -> bool:
        """Whether a kind of thing, in the singular, is an entity's type, or named by the rule that it is part of."""
        entity_type = self._catalogue.entity_types[row].replace("-", " ")
        about = words_of(self._above.get(row, ""))
        return kind in {entity_type, entity_type.rpartition(" ")[2]} or any(kind in singulars(word) for word in about)

    def _find(self, folded: str, masks: list[Mask]) -> NameMatches:
        if _WILDCARDS & set(folded):
            inside = np.logical_or.reduce(masks)
            return NameMatches(self._sorted(self._by_pattern(folded, inside)), exact=False)
        exact = [self._exact(folded, inside) for inside in masks]
        by_words = self._with_words(words_of(folded))
        without = [inside for inside, hits in zip(masks, exact, strict=True) if not hits]
        hits = {row for rows in exact for row in rows}
        rest = {row for inside in without for row in by_words if inside[row]} - hits
        return NameMatches(np.concatenate([self._sorted(hits), self._sorted(rest)]), exact=bool(hits))

    def named(self, text: str, inside: Mask) -> Rows:
        """Catalogue rows of the entities that have exactly this name."""
        rows = self._by_name.get(normalize_name(text), ())
        return np.array([row for row in rows if inside[row]], dtype=np.int64)

    def containing(self, name: str, inside: Mask, without: Rows) -> list[str]:
        """Up to `MAX_SUGGESTIONS` names that contain `name`, the shortest first; not those of the rows `without`."""
        folded, names = normalize_name(name), self._catalogue.folded_names
        rows = self._with_words(words_of(folded)).difference(without.tolist())
        return self._shortest(row for row in rows if inside[row] and folded in names[row])

    def similar(self, name: str, inside: Mask) -> list[str]:
        """Up to `MAX_SUGGESTIONS` names that `name` may be a misspelling of, the most similar first."""
        folded = "".join(c for c in normalize_name(name) if c not in _WILDCARDS)
        folded = without_wizard(folded) or folded
        if len(folded) > _MAX_MISSPELT_CHARS:
            return []
        if best := self._misspellings.of(folded, inside)[:MAX_SUGGESTIONS]:
            return [self._catalogue.names[row] for row in best]
        corrected = [self._corrected(word) for word in words_of(folded)]
        words = [word for word in corrected if word is not None]
        if not words or len(words) < len(corrected):
            return []
        return self._shortest(row for row in self._with_words(words) if inside[row])

    def words_shared(self, text: str) -> Rows:
        """int64[catalogue size]: how many words of the text each name has."""
        shared = np.zeros(self._catalogue.size, dtype=np.int64)
        for word in set(words_of(normalize_name(text))):
            shared[list(self._with_words([word]))] += 1
        return shared

    def _by_pattern(self, pattern: str, inside: Mask) -> set[int]:
        of_key = _PUNCTUATION.sub("", pattern)
        # Names without the longest literal cannot match; skipping them takes a quarter of the time of matching all.
        matches, literal = wildcard_matcher(pattern), _longest_literal(pattern)
        key_matches, key_literal = wildcard_matcher(of_key), _longest_literal(of_key)
        names = self._catalogue.folded_names
        found = {row for row in np.flatnonzero(inside).tolist() if literal in names[row] and matches(names[row])}
        others = (
            rows
            for name, rows in self._by_other_name.items()
            if (literal in name and matches(name)) or (key_literal in name and key_matches(name))
        )
        return found | {row for rows in others for row in rows if inside[row]}

    def _exact(self, folded: str, inside: Mask) -> list[int]:
        """Entities of that name in any spelling; if there are none, of that slug or key; else of that other name."""
        ways: list[Callable[[], Iterable[int]]] = [
            lambda: self._spelt(one_spelling(folded)),
            lambda: self._by_key.get(unhyphenated(_PUNCTUATION.sub("", folded)), ()),
            lambda: self._by_other_name.get(folded, ()),
        ]
        return next((found for rows in ways if (found := [row for row in rows() if inside[row]])), [])

    def _spelt(self, name: str) -> list[int]:
        """Entities of a name in one spelling; from books that lack it, the entry that covers several bonuses."""
        own = self._by_spelling.get(name, [])
        documents = {self._catalogue.document_keys[row] for row in own}
        shared = self._by_bonus.get(name, ())
        return [*own, *(row for row in shared if self._catalogue.document_keys[row] not in documents)]

    def _with_words(self, words: Iterable[str]) -> set[int]:
        """Rows of names with all of the words, each as a prefix, plural, singular or gerund; none for no words."""
        having = [{row for other in self._alike(word) for row in self._by_word[other]} for word in words]
        return set.intersection(*having) if having else set()

    def _alike(self, word: str) -> list[str]:
        """The words of the vocabulary that begin with `word`, or are its plural, singular or gerund."""
        first, last = (bisect_left(self._words, end) for end in (word, word + "\U0010ffff"))
        forms = (*singulars(word), *_plurals(word), *_gerunds(word))
        others = (other for other in forms if other in self._by_word)
        return [*self._words[first:last], *others]

    def _corrected(self, word: str) -> str | None:
        """The most similar word of the vocabulary; None if none is similar."""
        near = process.extract(word, self._words, scorer=fuzz.ratio, score_cutoff=_MIN_WORD_RATIO, limit=None)
        return next((other for other, ratio, _ in near if other[0] == word[0] or ratio >= _MIN_OTHER_RATIO), None)

    def _sorted(self, rows: Iterable[int]) -> Rows:
        return self._catalogue.in_name_order(np.array(sorted(rows), dtype=np.int64))

    def _shortest(self, rows: Iterable[int]) -> list[str]:
        names = {self._catalogue.names[i] for i in rows}
        return sorted(names, key=lambda name: (len(name), name))[:MAX_SUGGESTIONS]


def _index(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    index: defaultdict[str, list[int]] = defaultdict(list)
    for key, row in pairs:
        index[key].append(row)
    return dict(index)


def _keys(catalogue: Catalogue) -> Iterable[tuple[str, int]]:
    """(key, catalogue row) pairs; keys are slugs, sources' keys and ids, spelled as by `unhyphenated`."""
    for part in catalogue.parts:
        columns = part.frame.select("id", "slug", "keys").iter_rows()
        for row, (identity, slug, keys) in enumerate(columns, part.start):
            yield from ((unhyphenated(key.casefold()), row) for key in {identity, slug, *keys})


def _other_names(catalogue: Catalogue) -> Iterable[tuple[str, int]]:
    """(other folded name, catalogue row) pairs."""
    for part in catalogue.parts:
        columns = part.frame.select("name_normalized", "keys").iter_rows()
        for row, (name, keys) in enumerate(columns, part.start):
            yield from ((other, row) for other in set(other_names(name, keys)))


def singulars(word: str) -> list[str]:
    """The words that a word may be the plural of."""
    endings = {"ies": ("y",), "ves": ("f", "fe"), "es": ("",), "s": ("",)}
    return [word[: -len(end)] + new for end, added in endings.items() if word.endswith(end) for new in added]


def _plurals(word: str) -> list[str]:
    """Plurals that do not begin with the singular: city → cities, wolf → wolves."""
    endings = {"y": "ies", "f": "ves", "fe": "ves"}
    return [word[: -len(end)] + new for end, new in endings.items() if word.endswith(end)]


def _gerunds(word: str) -> list[str]:
    """Gerunds that do not begin with the verb: grapple → grappling."""
    return [f"{word[:-1]}ing"] if word.endswith("e") else []
