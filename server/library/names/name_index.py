"""Finding entities by name: wildcards, exact name, slug or key, words; and similar names if nothing is found."""

from __future__ import annotations

import fnmatch
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from server.dataset.names import normalize_name
from server.dataset.schema import EQUIPMENT, RULES, SPELLS, TABLE_OF
from server.library.names.item_names import entry_of
from server.library.names.misspellings import Misspellings
from server.library.names.name_words import NameWords, other_numbers, singulars
from server.library.names.other_names import (
    each_bonus,
    kinds_told,
    one_spelling,
    open_names,
    other_names,
    unhyphenated,
    without_wizard,
    words_of,
)
from server.library.names.renamed import EDITIONS, OLDEST, SRDS, counterparts, without_parentheses
from server.library.names.spelling import american

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from server.library.arrays import Mask, Rows
    from server.library.catalogue import Catalogue

MAX_SUGGESTIONS: Final = 5
_WILDCARDS: Final = frozenset("*%?")
_WILDCARD: Final = re.compile(r"[*%?]")
_IN_KEYS: Final = frozenset("/_")
"""What ids and sources' keys have between the document and the name."""
_PUNCTUATION: Final = re.compile(r"[,()']")
"""What names have and keys do not: the key of "Elf, Drow" is elf-drow."""
_MAX_MISSPELT_CHARS: Final = 200
"""A longer text is not a misspelt name."""


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Entities found by name.

    Attributes:
        rows: int64[n] catalogue rows, in the order of results.
        exact: whether some of them match exactly, by name, slug or key.
        instead: what was found instead of the name given; None if the name was found.
        by_words: how many of them, the last ones, have only its words.
    """

    rows: Rows
    exact: bool
    instead: Instead | None = None
    by_words: int = 0

    @property
    def exact_rows(self) -> Rows:
        """int64[n] catalogue rows of those that match exactly."""
        return self.rows[: len(self.rows) - self.by_words]


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
        self._words = NameWords(catalogue.folded_names)

    @cached_property
    def _by_spelling(self) -> dict[str, list[int]]:
        """By name in one spelling, so that one book's way of writing a name does not hide the thing in other books."""
        names = self._catalogue.folded_names
        british = ((american(one_spelling(names[row])), row) for row in self._words.having_british())
        return _index(chain(((one_spelling(name), row) for row, name in enumerate(names)), british))

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
    def _by_words_aside(self) -> dict[str, list[int]]:
        """Magic items of the SRDs by their names without parentheses: Healing (Greater) as "greater healing"."""
        part, names = self._catalogue.part_of(EQUIPMENT), self._catalogue.folded_names
        rows = (row for row in range(part.start, part.stop) if self._is_of_srd(row))
        return _index((other, row) for row in rows for other in without_parentheses(names[row]))

    def _is_of_srd(self, row: int) -> bool:
        return self._catalogue.document_keys[row] in SRDS

    @cached_property
    def _systems(self) -> list[str]:
        return self._catalogue.column("game_system")

    @cached_property
    def _above(self) -> dict[int, str]:
        """By catalogue row, the folded name of what a rule is part of: "actions in combat"."""
        part = self._catalogue.part_of(RULES)
        above = enumerate(part.frame["parent"].struct.field("name"), part.start)
        return {row: normalize_name(name) for row, name in above if name is not None}

    def find(self, name: str, groups: Iterable[Mask]) -> NameMatches:
        """The entities that `name` stands for, exact matches first; each group (bool[catalogue size]) by itself.

        If nothing has the name, it stands for the entry that covers the thing, such as a scroll's; otherwise for what
        has its words; otherwise for what has the open books' name for the thing; otherwise for what has the name
        without the kind of thing that it ends with: "dash action", "wizard class".
        """
        folded = normalize_name(name)
        masks = list(groups)
        found = self._find(folded, masks)
        if not found.exact and (entry := self._entry(folded, masks)):
            return entry
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
                is_of_kind = self._of_kind(rest, kind, [self._catalogue.everything])
                if is_of_kind and (other := self.counterpart(rest, np.logical_or.reduce(masks))):
                    return other
        return found

    def renamed(self, name: str, found: NameMatches, inside: Mask) -> Instead | None:
        """What another edition calls something, if none of what was found by name is of that edition."""
        other = self.counterpart(name, inside, without={self._systems[row] for row in found.exact_rows.tolist()})
        return other.instead if other else None

    def counterpart(self, name: str, inside: Mask, without: Collection[str] = ()) -> NameMatches | None:
        """The entities that have another edition's name for the thing; None if there are none.

        `without`: game systems that are of no interest.
        """
        folded = normalize_name(name)
        rows: dict[int, bool] = {}
        for each in counterparts(folded):
            types = TABLE_OF[each.entity_type].entity_types if each.game_system == OLDEST else (each.entity_type,)
            rows |= {
                row: each.whole
                for row in self._exact(each.name, inside)
                if self._catalogue.entity_types[row] in types and self._systems[row] == each.game_system
            }
        is_printed = any(map(self._is_of_srd, self._by_name.get(folded, ())))
        others = chain(without_parentheses(folded), other_numbers(folded) if is_printed else ())
        same = (row for name in others for row in self._by_name.get(name, ()) if self._is_of_srd(row))
        rows |= {row: True for row in chain(same, self._by_words_aside.get(folded, ())) if inside[row]}
        rows = {row: whole for row, whole in rows.items() if self._systems[row] not in without}
        if not rows:
            return None
        first, whole = next(iter(rows.items()))
        names = tuple(dict.fromkeys(self._catalogue.names[row] for row in rows))
        called = Instead(names, EDITIONS[self._systems[first]], whole)
        return NameMatches(self._sorted(rows), exact=True, instead=called)

    def instead(self, name: str, inside: Mask) -> NameMatches | None:
        """The entities that cover a thing without one of its own, or have another edition's name for the thing."""
        return self._entry(normalize_name(name), [inside]) or self.counterpart(name, inside)

    def by_words(self, name: str, rows: Rows) -> tuple[list[str], bool] | None:
        """The names of entities that were found by words, and whether some of them have all words of `name` whole.

        Names with all words whole come first; in others a word may only begin so. None if `name` is the name of one of
        the entities, but for the order of its words, or their number.
        """
        folded, found = normalize_name(name), rows.tolist()
        if _WILDCARDS & set(folded) or not found or self._words.are_all(folded, found):
            return None
        whole = self._words.having_whole(folded, found)
        return list(dict.fromkeys(self._catalogue.names[row] for row in (*whole, *found))), bool(whole)

    def _entry(self, folded: str, masks: list[Mask]) -> NameMatches | None:
        """The entities that cover a thing without one of its own: the scroll of a spell, arrows with a bonus."""
        entry = entry_of(folded, self._levels_of)
        if entry is None:
            return None
        rows = {row for inside in masks for name in entry.names for row in self._exact(name, inside)}
        names = {one_spelling(self._catalogue.folded_names[row]): self._catalogue.names[row] for row in sorted(rows)}
        called = Instead(tuple(names.values()), f"the open books, {entry.why}")
        return NameMatches(self._sorted(rows), exact=True, instead=called) if rows else None

    def _levels_of(self, spell: str) -> set[int]:
        """The levels of the spells of this folded name."""
        part = self._catalogue.part_of(SPELLS)
        rows = (row for row in self._exact(spell, self._catalogue.everything) if part.start <= row < part.stop)
        return {part.frame["level"][row - part.start] for row in rows}

    def _of_kind(self, folded: str, kind: str, masks: Iterable[Mask]) -> set[int]:
        """The entities of that name, of only those types in which something so named is of that kind."""
        types = {self._catalogue.entity_types[row] for row in self._by_name.get(folded, ()) if self._is_a(row, kind)}
        exact = (row for inside in masks for row in self._exact(folded, inside))
        return {row for row in exact if self._catalogue.entity_types[row] in types}

    def _is_a(self, row: int, kind: str) -> bool:
        """Whether a kind of thing, in the singular, is an entity's type, or named by the rule that it is part of.

        Or by a rule's own text: "When you take the Magic action …".
        """
        entity_type = self._catalogue.entity_types[row].replace("-", " ")
        about = words_of(self._above.get(row, ""))
        if kind in {entity_type, entity_type.rpartition(" ")[2]} or any(kind in singulars(word) for word in about):
            return True
        rules = self._catalogue.part_of(RULES)
        text = rules.frame["description"][row - rules.start] if rules.start <= row < rules.stop else None
        return f"the {self._catalogue.folded_names[row]} {kind}" in normalize_name(text or "")

    def _find(self, folded: str, masks: list[Mask]) -> NameMatches:
        if _WILDCARDS & set(folded):
            inside = np.logical_or.reduce(masks)
            alike = self._by_pattern(folded, inside) or self._by_pattern(american(folded), inside)
            return NameMatches(self._sorted(alike), exact=False, by_words=len(alike))
        exact = [self._exact(folded, inside) for inside in masks]
        by_words = self._words.having(folded)
        without = [inside for inside, hits in zip(masks, exact, strict=True) if not hits]
        hits = {row for rows in exact for row in rows}
        rest = {row for inside in without for row in by_words if inside[row]} - hits
        rows = np.concatenate([self._sorted(hits), self._sorted(rest)])
        return NameMatches(rows, exact=bool(hits), by_words=len(rest))

    def named(self, text: str, inside: Mask) -> Rows:
        """Catalogue rows of the entities that have exactly this name, or its American spelling."""
        folded = normalize_name(text)
        rows = (self._by_name.get(name, ()) for name in dict.fromkeys((folded, american(folded))))
        return np.array([row for each in rows for row in each if inside[row]], dtype=np.int64)

    def exact(self, text: str, inside: Mask) -> Rows:
        """The same, in any spelling; if there are none, those with this slug, key or other name."""
        return np.array(self._exact(normalize_name(text), inside), dtype=np.int64)

    def containing(self, name: str, inside: Mask, without: Rows) -> list[str]:
        """Up to `MAX_SUGGESTIONS` names that contain `name`, the shortest first; not those of the rows `without`."""
        folded, names = normalize_name(name), self._catalogue.folded_names
        rows = self._words.having(folded).difference(without.tolist())
        return self._shortest(row for row in rows if inside[row] and folded in names[row])

    def similar(self, name: str, inside: Mask) -> list[str]:
        """Up to `MAX_SUGGESTIONS` names that `name` may be a misspelling of, the most similar first."""
        folded = american("".join(c for c in normalize_name(name) if c not in _WILDCARDS))
        folded = without_wizard(folded) or folded
        if len(folded) > _MAX_MISSPELT_CHARS:
            return []
        if best := self._misspellings.of(folded, inside)[:MAX_SUGGESTIONS]:
            return [self._catalogue.names[row] for row in best]
        return self._shortest(row for row in self._words.having_corrected(folded) if inside[row])

    def words_shared(self, text: str) -> Rows:
        """int64[catalogue size]: how many words of the text each name has."""
        shared = np.zeros(self._catalogue.size, dtype=np.int64)
        for word in set(words_of(normalize_name(text))):
            shared[list(self._words.having(word))] += 1
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
        """Entities of that name in any spelling; if there are none, of that slug or key; else of that other name.

        A slug or key without its document stands for the thing in all documents, also those in which its key differs.
        """
        spelled = american(folded)
        if found := [row for row in self._spelt(one_spelling(spelled)) if inside[row]]:
            return found
        for name in dict.fromkeys((folded, spelled)):
            of_key = self._by_key.get(unhyphenated(_PUNCTUATION.sub("", name)), ())
            for rows in (of_key, self._by_other_name.get(name, ())):
                if found := [row for row in rows if inside[row]]:
                    elsewhere = () if _IN_KEYS & set(folded) else self._elsewhere(found)
                    return [*found, *(row for row in elsewhere if inside[row])]
        return []

    def _elsewhere(self, rows: list[int]) -> Iterator[int]:
        """The same things in other documents: what has the name and the type of some entities."""
        types = {self._catalogue.entity_types[row] for row in rows}
        documents = {self._catalogue.document_keys[row] for row in rows}
        for name in {one_spelling(self._catalogue.folded_names[row]) for row in rows}:
            for row in self._spelt(american(name)):
                if self._catalogue.document_keys[row] not in documents and self._catalogue.entity_types[row] in types:
                    yield row

    def _spelt(self, name: str) -> list[int]:
        """Entities of a name in one spelling; from books that lack it, the entry that covers several bonuses."""
        own = self._by_spelling.get(name, [])
        documents = {self._catalogue.document_keys[row] for row in own}
        shared = self._by_bonus.get(name, ())
        return [*own, *(row for row in shared if self._catalogue.document_keys[row] not in documents)]

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
