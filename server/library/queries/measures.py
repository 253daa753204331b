"""Comparisons of numbers in a query: "under level 3", "AC 18 or higher", "between 50 and 100 gp"."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from server.dataset.paths import resolve
from server.dataset.schema import ENTITY_TABLES
from server.dataset.vocabulary import challenge_rating_text
from server.library.queries.mentioned_facts import Attribute
from server.library.requests.filter_types import Comparison
from server.library.requests.filters import FILTERS
from server.library.requests.kinds import FAMILY_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.library.arrays import Floats, Mask
    from server.library.catalogue import Catalogue
    from server.library.requests.filter_types import Filter

FILE: Final = Path(__file__).with_suffix(".toml")

_MORE: Final = "more|higher|greater|larger|better|heavier|longer|farther|further"
_LESS: Final = "less|lower|fewer|smaller|cheaper|lighter|shorter"
_OPERATORS: Final = {
    "at most": rf"at most|up to|maximum(?: of)?|max|no(?:t|thing)? (?:(?:{_MORE}) than|above|over)|<=|≤|within",
    "at least": rf"at least|minimum(?: of)?|min|no(?:t|thing)? (?:(?:{_LESS}) than|below|under)|>=|≥",
    "below": rf"below|under|(?:{_LESS}) than|<",
    "above": rf"above|over|(?:{_MORE}) than|beyond|>",
}
"""Words before a number, by the comparison that they make."""
_SUFFIXES: Final = {
    "at most": rf" ?(?:(?:or|and) (?:{_LESS}|below|under|down)|(?:at )?(?:max(?:imum)?|most)\b)",
    "at least": rf" ?(?:\+|(?:or|and) (?:{_MORE}|above|over|up(?:wards?)?)|(?:at )?(?:min(?:imum)?|least)\b)",
}
"""Words after a number."""
_OPPOSITES: Final = {"at most": "above", "above": "at most", "at least": "below", "below": "at least"}
_BEFORE_UNITS: Final = {"below": "under", "above": "over"}
_SECOND_NUMBER: Final = r"(?:\d{1,9}/\d{1,9}|\d{1,9}(?:\.\d{1,9})?|an?(?= (?:hour|minute|day)))"
"""A number that a filter could take too: none has more digits."""
_NUMBER: Final = rf"(?<![\w.,/+-]){_SECOND_NUMBER}"
_END: Final = r"(?![\w/])(?!\.\d)"
_ORDINAL: Final = r"(?:st|nd|rd|th)?"
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}\b)")
_DIGIT: Final = re.compile(r"\d|\b(?:hour|minute|day)\b")
_ONE: Final = re.compile(r"\b1 ((?:hit )?[a-z]+)s\b")
_LINK: Final = r"(?: (?:is|of|rating|score|value))?(?: ?[:=])? ?"
"""What may be between a measure and its number: "AC of 15"."""


class Compared(NamedTuple):
    """The facts about numbers in a text, and the text without the words for them."""

    facts: Sequence[Attribute]
    rest: str


@dataclass(frozen=True, slots=True)
class _Measure:
    """A number of entities.

    Attributes:
        says: it in words, with `{n}` for the number.
        asked: how queries write it, regular expressions around `{n}`.
        only: what else the query must mention.
        start: the catalogue row of the first of `values`.
        values: float64[n], NaN for none, in units of the query.
        size: of the catalogue.
        limits: the filters that compare it.
        fractions: numbers are written as challenge ratings are.
    """

    says: str
    asked: tuple[str, ...]
    only: re.Pattern[str]
    start: int
    values: Floats
    size: int
    limits: Mapping[Comparison, Filter]
    fractions: bool

    def compared(self, text: str) -> Iterator[tuple[tuple[int, int], str, str]]:
        """Where a text compares the measure, how, and with which number."""
        for pattern in _patterns(self.asked):
            for match in pattern.finditer(text):
                named = match.groupdict()
                if (low := named.get("low")) and (not named["or"] or _value(named["high"]) == _value(low) + 1):
                    yield from ((match.span(), "at least", low), (match.span(), "at most", named["high"]))
                elif not low and (how := _operator(match)):
                    yield match.span(), how, named["number"]

    def fact(self, how: str, number: str) -> Attribute:
        """The fact that the measure compares so with a number."""
        value = _value(number)
        found = {
            "at most": self.values <= value,
            "at least": self.values >= value,
            "below": self.values < value,
            "above": self.values > value,
        }[how]
        entities: Mask = np.zeros(self.size, dtype=np.bool_)
        entities[self.start : self.start + found.size] = found
        return Attribute(
            self._said(how, value),
            entities,
            self._filter(how, value, found),
            opposite=self._said(_OPPOSITES[how], value),
        )

    def _said(self, how: str, value: float) -> str:
        shown = self._shown(value)
        if how in ("at most", "at least"):
            said = f"{self.says.replace('{n}', shown)} {how}"
        else:
            before = how if self.says.endswith("{n}") else _BEFORE_UNITS[how]
            said = self.says.replace("{n}", f"{before} {shown}")
        return _ONE.sub(r"1 \1", said)

    def _filter(self, how: str, value: float, found: Mask) -> dict[str, str]:
        """The filter that keeps exactly what a comparison finds: what is below 5 is at most the highest such value.

        So is what is at most a number that the filter does not take, such as challenge rating 1/3.
        """
        comparison = Comparison.AT_MOST if how in ("at most", "below") else Comparison.AT_LEAST
        if (declared := self.limits.get(comparison)) is None:
            return {}
        if how in ("below", "above") or not declared.takes(value):
            if not found.any():
                return {}
            value = float((np.max if comparison is Comparison.AT_MOST else np.min)(self.values[found]))
        return {declared.parameter: self._shown(value)} if declared.takes(value) else {}

    def _shown(self, value: float) -> str:
        if self.fractions:
            return challenge_rating_text(value)
        return str(int(value)) if value.is_integer() else str(value)


class Measures:
    """The numbers of a catalogue's entities that queries compare."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._measures = [_measure(entry, catalogue) for entry in _declared()]

    def compared(self, text: str) -> Compared:
        """The facts about numbers that a text mentions (normalised, number words as digits), and the rest of it."""
        if not _DIGIT.search(text):
            return Compared((), text)
        text = _THOUSANDS.sub("", text)
        found = [
            (span, measure.fact(how, number))
            for measure in self._measures
            if measure.only.search(text)
            for span, how, number in measure.compared(text)
        ]
        told = [False] * len(text)
        for (start, stop), _ in found:
            told[start:stop] = [True] * (stop - start)
        rest = "".join(" " if gone else char for char, gone in zip(text, told, strict=True))
        return Compared([fact for _, fact in found], " ".join(rest.split()) if found else text)


@cache
def _declared() -> Sequence[Mapping[str, Any]]:
    """The measures of the file, with `each` written out."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["measure"]
    return [_filled(entry, values) for entry in entries for values in entry.pop("each", [{}])]


def _filled(entry: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """An entry with the names of the values, in braces, replaced in all its texts."""

    def fill(text: str) -> str:
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    texts = {key: fill(stored) for key, stored in entry.items() if isinstance(stored, str)}
    return {**entry, **texts, "asked": [fill(way) for way in entry["asked"]]}


def _measure(entry: Mapping[str, Any], catalogue: Catalogue) -> _Measure:
    table = next(table for table in ENTITY_TABLES if table.name == entry["table"])
    part = catalogue.part_of(table)
    path = entry["path"]
    column = part.frame.select(value=resolve(table, path)[0])["value"].cast(float)
    family = next(family for family, its_table in FAMILY_TABLES.items() if its_table.name == table.name)
    filters = [each for each in FILTERS if each.family == family and each.paths == (path,) and not each.none_without]
    return _Measure(
        says=entry["says"],
        asked=tuple(entry["asked"]),
        only=re.compile(entry.get("only", "")),
        start=part.start,
        values=column.to_numpy() / entry.get("times", 1),
        size=catalogue.size,
        limits={each.comparison: each for each in filters},
        fractions=path == "challenge_rating",
    )


@cache
def _patterns(asked: tuple[str, ...]) -> Sequence[re.Pattern[str]]:
    """How queries compare a measure, for every way to write it: one pattern for intervals, one for comparisons.

    They have the groups `low` and `high` of an interval, or `number` with the words around it. Compiled for the first
    query with a number, not when a server starts: that takes a tenth of a second.
    """
    operators = "|".join(_OPERATORS.values())
    suffix = "|".join(_SUFFIXES.values())
    patterns: list[str] = []
    for way in asked:
        before, after = way.split("{n}")
        name = rf"\b{before.rstrip()}{_LINK}" if before else ""
        low = rf"(?P<low>{_NUMBER}){_ORDINAL}(?:{after})?"
        high = rf"{name and f'(?:{name})?'}(?P<high>{_SECOND_NUMBER}){_ORDINAL}{after}"
        joined = r"(?: ?(?:-|to|through) ?| (?P<or>or) |(?(first) and |(?(second) and |(?!))))"
        begun = r"(?:\b(?P<first>between|from) (?:an? )?)?"
        patterns.append(f"{begun}{name}(?:(?P<second>between|from) )?{low}{joined}{high}{_END}")
        begun = rf"(?:(?<!\w)(?P<before>{operators}) ?(?:an? |the )?)?{name}(?:(?P<inside>{operators}) ?)?(?:an? )?"
        number = rf"(?P<number>{_NUMBER}){_ORDINAL}(?P<within>{suffix})?{after}(?P<after>{suffix})?"
        patterns.append(f"{begun}{number}{_END}")
    return [re.compile(pattern) for pattern in patterns]


def _operator(match: re.Match[str]) -> str | None:
    """The comparison that the words around a number make; None if there is none."""
    for group, known in (
        ("after", _SUFFIXES),
        ("within", _SUFFIXES),
        ("inside", _OPERATORS),
        ("before", _OPERATORS),
    ):
        if words := match[group]:
            return next(how for how, pattern in known.items() if re.fullmatch(pattern, words))
    return None


def _value(number: str) -> float:
    """A number as written: "3", "1/4", "an"."""
    if number in ("a", "an"):
        return 1.0
    whole, _, divisor = number.partition("/")
    return float(whole) / (float(divisor or 1) or 1)
