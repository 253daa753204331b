"""The types that declare filters in `filters.py`.

Validation is split: the tools (or the terminal) check a value's type and bounds and pass a parsed value, `int` for
INTEGER, `float` for NUMBER and CHALLENGE, `bool` for BOOLEAN, `bool | str` for ATTUNEMENT, `str` for the rest. The
library checks whatever depends on the dataset (CLOSED sets) or on combinations of filters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.dataset.names import normalize_name
from server.dataset.paths import ITEMS, MEMBERS
from server.dataset.vocabulary import CHALLENGE_RATINGS, PLACES, challenge_rating_text

if TYPE_CHECKING:
    from collections.abc import Callable


_QUOTED_CHARACTERS: Final = 120


class ValueKind(Enum):
    """Kind of value a filter takes."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHALLENGE = "challenge rating"
    """A number from 0 to 30, or the same as text: 0.25, "1/4", "10"."""
    CLOSED = "one of the dataset's values"
    """Text; a value not in the dataset is an error."""
    TEXT = "text"
    """Text; a value not in the dataset matches nothing, and the message lists the existing values."""
    ATTUNEMENT = "yes, no or text"
    """A boolean, "yes", "no", or text to search for in the requirement."""


class Comparison(Enum):
    """How a filter's value is compared with the value at its path. A list matches if any member does; null never."""

    EQUALS = "equals"
    AT_LEAST = "at least"
    AT_MOST = "at most"


class Numbers(NamedTuple):
    """The numbers a filter takes: kind and bounds."""

    kind: ValueKind
    minimum: float
    maximum: float | None = None


def fold_text(text: str) -> str:
    """Normalise enumerated text: casefold, hyphens and underscores to spaces ("Very-Rare" → "very rare")."""
    return " ".join(re.sub(r"[-_]", " ", normalize_name(text)).split())


def fold_place(text: str) -> str:
    """Normalise an environment: singular and plural are one, and so are the books' word and a player's for it."""
    folded = fold_text(text)
    return PLACES.get(folded, folded).removesuffix("s")


def fold_dice(text: str) -> str:
    """Normalise dice: "2D6 + 3" → "2d6+3"."""
    return "".join(text.casefold().split())


def cut(text: str) -> str:
    """A caller's text as quoted in messages: its first 120 characters."""
    return text if len(text) <= _QUOTED_CHARACTERS else f"{text[:_QUOTED_CHARACTERS]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One filter of one family.

    Attributes:
        family: the family it applies to, one of `request.FAMILIES`.
        parameter: the tools' parameter.
        paths: paths of the values it is compared with (`dataset/paths.py`); a row passes if any of them matches.
        id_path: path of the ids of what the values name; an id matches too, but is not among the values listed.
        kind: the kind of value it takes.
        phrase: its wording in messages, after the noun: `of level {value}`, `with concentration`.
        phrase_false: the same for the value false.
        doc: the parameter's description, for a language model; a CLOSED filter is described by its values.
        comparison: how the value is compared with the values at the paths.
        minimum, maximum: bounds of a number; None for none.
        only: the `type` / `rule_type` tokens it can match; empty for the whole family.
        refused: whether any other token is an error instead of matching nothing.
        fold: normalises spellings of a text value.
        alternatives: whether a stored text may be several values: "1 action or 8 hours" is both.
        finer: path of a fact that divides the values further, as the subtype "demon" does the type "fiend".
        conditional: whether a stored text may be a value with a condition, which does not match: "fire (by night)".
        sparse: whether most entities lack the fact, though it would be true of many.
        none_without: path of a boolean: where it is false and the number is unknown, the number counts as 0.
    """

    family: str = ""
    parameter: str
    paths: tuple[str, ...]
    id_path: str = ""
    kind: ValueKind
    phrase: str
    phrase_false: str = ""
    doc: str = ""
    comparison: Comparison = Comparison.EQUALS
    minimum: float = 0
    maximum: float | None = None
    only: tuple[str, ...] = ()
    refused: bool = False
    fold: Callable[[str], str] = fold_text
    alternatives: bool = False
    finer: str = ""
    conditional: bool = False
    sparse: bool = False
    none_without: str = ""

    @property
    def fact(self) -> str:
        """Name of the filtered fact in messages: `armor class`, `material cost gp`, `speed`, `properties`."""
        whole = self.paths[0].partition(ITEMS)[0].removesuffix(f".{MEMBERS}")
        return whole.rpartition(".")[2].replace("_", " ")

    def says(self, value: object) -> str:
        """The filter and its value in words, for messages."""
        if value is False:
            return self.phrase_false
        if value is True:
            return self.phrase.format(value="yes")
        return self.phrase.format(value=self.shown(value))

    def takes(self, value: float) -> bool:
        """Whether a number is a value that the filter takes."""
        if self.kind is ValueKind.CHALLENGE:
            return value in CHALLENGE_RATINGS
        is_known = self.kind is not ValueKind.INTEGER or float(value).is_integer()
        return is_known and self.minimum <= value <= (value if self.maximum is None else self.maximum)

    def shown(self, value: object) -> str:
        """A value of the filter or at its path, formatted for messages: `1500`, `0.1`, challenge rating `1/8`."""
        if self.kind is ValueKind.CHALLENGE and value in CHALLENGE_RATINGS:
            return challenge_rating_text(value)
        return str(int(value)) if isinstance(value, float) and value.is_integer() else cut(str(value))


def exactly(parameter: str, path: str, numbers: Numbers, phrase: str, doc: str) -> Filter:
    """A number to match exactly."""
    return Filter(parameter=parameter, paths=(path,), phrase=phrase, doc=doc, **numbers._asdict())


def at_least(parameter: str, path: str, numbers: Numbers, phrase: str, doc: str) -> Filter:
    """A lower bound."""
    return replace(exactly(parameter, path, numbers, phrase, doc), comparison=Comparison.AT_LEAST)


def at_most(parameter: str, path: str, numbers: Numbers, phrase: str, doc: str, *, none_without: str = "") -> Filter:
    """An upper bound."""
    declared = exactly(parameter, path, numbers, phrase, doc)
    return replace(declared, comparison=Comparison.AT_MOST, none_without=none_without)


def flag(parameter: str, path: str, phrase: str, phrase_false: str, doc: str, *, only: tuple[str, ...] = ()) -> Filter:
    """Yes or no."""
    return Filter(
        parameter=parameter,
        paths=(path,),
        kind=ValueKind.BOOLEAN,
        phrase=phrase,
        phrase_false=phrase_false,
        doc=doc,
        only=only,
    )


def one_of(parameter: str, paths: str | tuple[str, ...], phrase: str, **rest: Any) -> Filter:
    """One of the dataset's values, which are listed in the parameter's description."""
    paths = (paths,) if isinstance(paths, str) else paths
    return Filter(parameter=parameter, paths=paths, kind=ValueKind.CLOSED, phrase=phrase, **rest)


def text(parameter: str, paths: str | tuple[str, ...], phrase: str, doc: str, **rest: Any) -> Filter:
    """Text from an open set."""
    paths = (paths,) if isinstance(paths, str) else paths
    return Filter(parameter=parameter, paths=paths, kind=ValueKind.TEXT, phrase=phrase, doc=doc, **rest)
