"""Facts that a query mentions: "a CR 5 undead", "third-level spell", "bonus action"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import re2

from server.dataset.index.lexicon import PATTERN_OPTIONS
from server.dataset.index.terms import FUNCTION_WORDS, term_of
from server.dataset.names import normalize_name
from server.library.id_lists import as_rows
from server.library.queries.denials import Wanted, alternatives, wanted
from server.library.queries.mentioned_facts import Attribute, tells_apart
from server.library.queries.number_words import in_digits
from server.library.queries.opposites import opposite
from server.library.queries.questions import facts_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.dataset.index.lexicon import KnownAttributes
    from server.library.arrays import Rows
    from server.library.queries.measures import Measures

_WORD: Final = re.compile(r"\w+")
_GAP: Final = ".*"
"""The part of a pattern that matches words irrelevant to its fact."""
_FEW_WORDS: Final = r"(\w+ )"
"""The same for a few words: "keeps enemies from teleporting"."""
_ALSO: Final = re.compile(
    r"(?:,|,? (?:or|nor|and)) "
    r"(?!(?:or|nor|and) |big|small|larg|less|low|more|high|great|rar|bett|above|below|up|over|und)"
)
"""A joint between two things, unlike that of "large or bigger"."""
_OR_WORDS: Final = ("or", "nor")
_LONGEST_FIRST: Final = 3
"""Most words of a fact at the beginning of a denied phrase."""
_KEPT: Final = 64
"""Patterns that are kept compiled: each takes 5 kB once it was searched with, and 0.04 ms to compile."""
_OR: Final = re.compile(r" or (?:an? )?")


Span = tuple[int, int]
"""Start and end of a part of a text."""


class Attributes:
    """The facts of a dataset that queries may mention."""

    def __init__(self, known: KnownAttributes, row_of: Mapping[str, int], measures: Measures | None = None) -> None:
        """Take the parts.

        Args:
            known: what `read_attributes` returns.
            row_of: catalogue row of each entity, by id; others are ignored.
            measures: the numbers of the same entities; None to understand no comparisons.
        """
        self._measures = measures
        attributes, self._patterns = known
        self._size = len(row_of)
        self._says: list[str] = attributes["says"].to_list()
        self._asked: list[str] = attributes["asked"].to_list()
        pairs = (filters or () for filters in attributes["filters"].to_list())
        self._filters = [{pair["parameter"]: pair["value"] for pair in each} for each in pairs]
        counts, rows = as_rows(attributes["entity_ids"], row_of)
        self._ends, self._rows = np.cumsum(counts).tolist(), rows.astype(np.int32)

    def mentioned(self, asked: Wanted, entities: Rows) -> list[Attribute]:
        """The facts that a query mentions and that some of the entities have, but not all.

        Facts of several tables with the same label ("deals fire damage") are one. A fact that the query denies
        ("not finesse") is returned as its opposite.

        Args:
            asked: what the query wants and denies, as from `wanted`.
            entities: int64[n] catalogue rows.
        """
        opposites = (_opposite(fact) for each in asked.denied for fact in self.of_denied(each, asked, entities))
        found = {fact.label: fact for fact in (*self._facts_of(facts_in(asked.asserted)), *opposites)}
        return [fact for fact in found.values() if tells_apart(fact, entities)]

    def asks_nothing_else(self, asked: Wanted) -> bool:
        """Whether each word of what a query wants states a fact, except those that say nothing: "a wizard ritual"."""
        if facts_in(asked.asserted) != asked.asserted:
            return False
        text, _, places = self._places(asked.asserted)
        words = [word.span() for word in _WORD.finditer(text) if term_of(word[0]) not in FUNCTION_WORDS]
        return bool(words) and all(any(self._needs(*each, word, text) for each in places.items()) for word in words)

    def wanted(self, query: str, entities: Rows) -> Wanted:
        """What a query wants of entities (int64[n]) and what it does not.

        Of what is lacking, only the first things that tell these entities apart are denied, and the rest is wanted:
        the fire spell of "no concentration fire spell".
        """
        asked = wanted(query)
        rest = {each: self._after_first(each, entities) for each in (*asked.other, *asked.lacked)}
        further = " ".join(filter(None, rest.values()))
        if not further:
            return asked
        denied, other, lacked = (
            tuple(each.removesuffix(rest.get(each, "")).strip(" ,") for each in phrases)
            for phrases in (asked.denied, asked.other, asked.lacked)
        )
        text = asked.text if further in asked.text else f"{asked.text} {further}"
        return Wanted(text, f"{asked.asserted} {further}".strip(), denied, other, lacked)

    def of_denied(self, denied: str, asked: Wanted, entities: Rows) -> list[Attribute]:
        """The facts in a denied phrase, and in each of its alternatives ("heavy or two-handed")."""
        each_alone = alternatives(denied)
        if denied in asked.other and (elliptic := self._elliptic(each_alone, asked)):
            return elliptic
        if len(each_alone) > 1:
            told, text = self._told(denied)
            if any(_ALSO.search(text[start:stop]) for _, (start, stop) in told):  # "immune to fire or poison"
                return self._facts_of(denied)
        each = [self._of_alternative(one, each_alone[-1], asked, entities) for one in each_alone]
        return list({fact.label: fact for facts in each for fact in facts}.values())

    def _of_alternative(self, denied: str, last: str, asked: Wanted, entities: Rows) -> list[Attribute]:
        """The facts in one of several denied things.

        If a word states none by itself, as "heavy" of "no heavy or two-handed weapons", it is read together with the
        last word of the last of them, "weapons", or of what is wanted.
        """
        if own := [fact for fact in self._facts_of(denied) if tells_apart(fact, entities)]:
            return own
        for topic in (last.split()[-1:] if denied != last else [], asked.asserted.split()[-1:]):
            known = {fact.label for fact in self._facts_of(" ".join(topic))}
            read = self._facts_of(" ".join((denied, *topic)))
            if found := [fact for fact in read if fact.label not in known and tells_apart(fact, entities)]:
                return found
        return []

    def _elliptic(self, each_alone: Sequence[str], asked: Wanted) -> list[Attribute]:
        """The facts in denied words that leave out what was said before: "immune to fire, but not cold"."""
        before = " ".join(asked.asserted.split()[-3:-1])
        if not before or any(" " in each for each in each_alone):
            return []
        each = [self._told(f"{before} {one}")[0] for one in each_alone]
        return [fact for told in each for fact, (start, stop) in told if start < len(before) < stop - 1]

    def _after_first(self, denied: str, entities: Rows) -> str:
        """What follows the facts that begin a denied phrase; empty if none begins it, or nothing follows.

        Facts go on while commas, "or" and "and" join them. If something else is joined so, it is denied too.
        """
        words = denied.split()
        end = start = 0
        while stop := self._end_of_fact(words, start, entities):
            end, start = stop, _past_joints(words, stop)
            if start == len(words):
                return ""
            if start == end and not words[end - 1].endswith(","):
                return " ".join(words[end:])
        is_joined = end and (words[end - 1].endswith(",") or words[end].casefold() in _OR_WORDS)
        return "" if is_joined or not end else " ".join(words[end:])

    def _end_of_fact(self, words: Sequence[str], start: int, entities: Rows) -> int:
        """The end of the shortest fact that begins at `start`, with what completes it; 0 if none begins there."""
        stops = range(start + 1, min(start + _LONGEST_FIRST, len(words)) + 1)
        end = next((stop for stop in stops if self._states(words[start:stop], entities)), 0)
        while 0 < end < len(words) and self._continues(words[end - 1], words[end], entities):
            end += 1
        return end

    def _states(self, words: Sequence[str], entities: Rows) -> bool:
        """Whether words state a fact that tells entities (int64[n]) apart."""
        return any(tells_apart(fact, entities) for fact in self._facts_of(" ".join(words)))

    def _continues(self, word: str, following: str, entities: Rows) -> bool:
        """Whether a word completes the one before it, and says nothing by itself: "verbal components"."""
        if self._states([following], entities):
            return False
        told, text = self._told(f"{word} {following}")
        return any(start < len(word) and stop == len(text) for _, (start, stop) in told)

    def exclude_any(self, asked: Wanted, entities: Rows) -> bool:
        """Whether a query denies a fact that some of the entities (int64[n]) have, but not all."""
        return any(self.excludes(each, asked, entities) for each in asked.denied)

    def excludes(self, denied: str, asked: Wanted, entities: Rows) -> bool:
        """The same for one of the things that it denies."""
        return any(tells_apart(fact, entities) for fact in self.of_denied(denied, asked, entities))

    def _facts_of(self, text: str) -> list[Attribute]:
        """The facts that a text mentions."""
        found: dict[str, Attribute] = {}
        for fact, _ in self._told(text)[0]:
            known = found.get(fact.label)
            found[fact.label] = fact if known is None else _either(known, fact)
        return [fact for fact in found.values() if not any(other.startswith(f"{fact.label} ") for other in found)]

    def _told(self, text: str) -> tuple[list[tuple[Attribute, Span]], str]:
        """The facts that a text mentions, except those that it qualifies ("very rare"), each with where it does.

        Comparisons of numbers have no place: the text returned is what is left, in which the places are.
        """
        text, compared, spans = self._places(text)
        unbroken = [(self._says[number], span) for number, span in spans.items() if _GAP not in self._asked[number]]
        choices = _choices(text, (span for _, span in unbroken))
        told = [
            (self._fact(number, choices.get(span)), span)
            for number, span in spans.items()
            if not any(_goes_further(text, other, span) for says, other in unbroken if says != self._says[number])
        ]
        return told + [(fact, (0, 0)) for fact in compared], text

    def _places(self, text: str) -> tuple[str, Sequence[Attribute], dict[int, Span]]:
        """A text as patterns see it, without comparisons of numbers; these; the number of each pattern → its match."""
        text = in_digits(normalize_name(text))
        compared, text = self._measures.compared(text) if self._measures else ((), text)
        numbers = sorted(self._patterns.Match(text) or ()) if self._asked and text else ()
        return text, compared, {number: _pattern(self._asked[number]).search(text).span() for number in numbers}

    def _needs(self, number: int, place: Span, word: Span, text: str) -> bool:
        """Whether a word is among those that state a fact; what any other word could stand for is not."""
        if not place[0] <= word[0] < word[1] <= place[1]:
            return False
        asked = self._asked[number]
        has_gap = _GAP in asked or _FEW_WORDS in asked
        return not has_gap or not _pattern(asked).search(f"{text[: word[0]]}x{text[word[1] :]}")

    def _fact(self, number: int, choice: int | None) -> Attribute:
        rows = self._rows[self._ends[number - 1] if number else 0 : self._ends[number]]
        entities = np.zeros(self._size, dtype=np.bool_)
        entities[rows[rows < self._size]] = True
        return Attribute(self._says[number], entities, self._filters[number], choice)


def _past_joints(words: Sequence[str], start: int) -> int:
    """The place of the first word from `start` that is no joint of a list: "or", "and any"."""
    joints = (*_OR_WORDS, "and", "a", "an", "any")
    return next((place for place in range(start, len(words)) if words[place].casefold() not in joints), len(words))


def _choices(text: str, spans: Iterable[Span]) -> dict[Span, int]:
    """Each span that "or" joins with others → the offset at which the first of these begins."""
    found: dict[Span, int] = {}
    ordered = sorted(spans)
    for one in ordered:
        for other in ordered:
            if one[1] < other[0] and _OR.fullmatch(text, one[1], other[0]):
                found[other] = found.setdefault(one, one[0])
    return found


def _goes_further(text: str, other: Span, span: Span) -> bool:
    """Whether `other` extends `span`, and so says more ("very rare", "low armor class"), not something else as well."""
    if other == span or other[0] > span[0] or span[1] > other[1]:
        return False
    if other[1] == span[1]:  # the words before a fact qualify it too: "freed from being restrained or grappled"
        return True
    return not _ALSO.search(text[other[0] : span[0]] + "|" + text[span[1] : other[1]])


def _either(one: Attribute, other: Attribute) -> Attribute:
    """Merge the same fact of two tables."""
    return replace(one, entities=one.entities | other.entities, filters={**one.filters, **other.filters})


def _opposite(fact: Attribute) -> Attribute:
    """The fact of lacking a fact."""
    turned = {"true": "false", "false": "true"}
    filters = {parameter: turned[value] for parameter, value in fact.filters.items() if value in turned}
    kept = filters if len(filters) == len(fact.filters) else {}
    return Attribute(fact.opposite or opposite(fact.label), ~fact.entities, kept, denied=True)


@lru_cache(_KEPT)
def _pattern(asked: str) -> re2._Regexp:
    return re2.compile(asked, PATTERN_OPTIONS)
