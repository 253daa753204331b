"""What a filter is: the words in which `filters.py` declares them.

Who checks what: the tools (or the terminal) check a value's type and bounds and hand over a parsed value, `int` for
INTEGER, `float` for NUMBER and CHALLENGE, `bool` for BOOLEAN, `bool | str` for ATTUNEMENT, `str` for the rest. The
library checks what depends on the dataset (CLOSED sets) or on several filters together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.dataset.names import normalize_name
from server.dataset.paths import ITEMS, MEMBERS
from server.dataset.vocabulary import CHALLENGE_RATINGS, challenge_rating_text

if TYPE_CHECKING:
    from collections.abc import Callable


_QUOTED_CHARACTERS: Final = 80


class ValueKind(Enum):
    """What a filter's value may be."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHALLENGE = "challenge rating"
    """A number from 0 to 30 or its text: 0.25, "1/4", "10"."""
    CLOSED = "one of the dataset's values"
    """Text; a value that the dataset does not hold is an error."""
    TEXT = "text"
    """Text; a value that the dataset does not hold finds nothing, and the message names the values there are."""
    ATTUNEMENT = "yes, no or text"
    """A boolean, "yes", "no", or text to be found in the requirement."""


class Comparison(Enum):
    """How a value meets what stands at its path. A list meets it where any member does; null never does."""

    EQUALS = "equals"
    AT_LEAST = "at least"
    AT_MOST = "at most"


class Numbers(NamedTuple):
    """Which numbers a filter takes: how they are written, and their bounds."""

    kind: ValueKind
    minimum: float
    maximum: float | None = None


def fold_text(text: str) -> str:
    """One spelling for enumerated text: folded, hyphens and underscores as spaces ("Very-Rare" → "very rare")."""
    return " ".join(re.sub(r"[-_]", " ", normalize_name(text)).split())


def fold_dice(text: str) -> str:
    """One spelling for dice: "2D6 + 3" → "2d6+3"."""
    return "".join(text.casefold().split())


def cut(text: str) -> str:
    """A caller's text as messages repeat it: its first 80 characters."""
    return text if len(text) <= _QUOTED_CHARACTERS else f"{text[:_QUOTED_CHARACTERS]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One filter of one family.

    Attributes:
        family: whose filter it is, one of `request.FAMILIES`.
        parameter: the tools' parameter.
        paths: where the values stand that it compares with (`dataset/paths.py`); a row passes where any of them does.
        kind: what values it takes.
        phrase: how a message says it after the noun: `of level {value}`, `with concentration`.
        phrase_false: the same for the value false.
        doc: the parameter's description, for a language model; that of a CLOSED filter are its values.
        comparison: how value and path are compared.
        minimum, maximum: bounds of a number.
        only: the `type` / `rule_type` tokens it can match; empty for all of the family.
        refused: with another token it is an error rather than a filter that matches nothing.
        fold: brings the spellings of one text value to one form.
    """

    family: str = ""
    parameter: str
    paths: tuple[str, ...]
    kind: ValueKind
    phrase: str
    phrase_false: str = ""
    doc: str = ""
    comparison: Comparison = Comparison.EQUALS
    minimum: float | None = None
    maximum: float | None = None
    only: tuple[str, ...] = ()
    refused: bool = False
    fold: Callable[[str], str] = fold_text

    @property
    def fact(self) -> str:
        """What messages call what it compares with: `armor class`, `material cost gp`, `speed`, `properties`."""
        whole = self.paths[0].partition(ITEMS)[0].removesuffix(f".{MEMBERS}")
        return whole.rpartition(".")[2].replace("_", " ")

    def says(self, value: object) -> str:
        """The filter with its value in words, for messages."""
        if value is False:
            return self.phrase_false
        if value is True:
            return self.phrase.format(value="yes")
        return self.phrase.format(value=self.shown(value))

    def shown(self, value: object) -> str:
        """A value of the filter, or of its path, as messages write it: `1500`, `0.1`, challenge rating `1/8`."""
        if self.kind is ValueKind.CHALLENGE and value in CHALLENGE_RATINGS:
            return challenge_rating_text(value)
        return str(int(value)) if isinstance(value, float) and value.is_integer() else cut(str(value))


def exactly(parameter: str, path: str, numbers: Numbers, phrase: str, doc: str) -> Filter:
    """A number that must be met exactly."""
    return Filter(parameter=parameter, paths=(path,), phrase=phrase, doc=doc, **numbers._asdict())


def at_least(parameter: str, path: str, numbers: Numbers, phrase: str, doc: str) -> Filter:
    """A lower bound."""
    return replace(exactly(parameter, path, numbers, phrase, doc), comparison=Comparison.AT_LEAST)


def at_most(parameter: str, path: str, numbers: Numbers, phrase: str, doc: str) -> Filter:
    """An upper bound."""
    return replace(exactly(parameter, path, numbers, phrase, doc), comparison=Comparison.AT_MOST)


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


def one_of(parameter: str, path: str, phrase: str, **rest: Any) -> Filter:
    """One of the values that the dataset holds, which are listed as the parameter's description."""
    return Filter(parameter=parameter, paths=(path,), kind=ValueKind.CLOSED, phrase=phrase, **rest)


def text(parameter: str, paths: str | tuple[str, ...], phrase: str, doc: str, **rest: Any) -> Filter:
    """Text out of an open set."""
    paths = (paths,) if isinstance(paths, str) else paths
    return Filter(parameter=parameter, paths=paths, kind=ValueKind.TEXT, phrase=phrase, doc=doc, **rest)
