"""The one declaration of every filter: parameter, columns, comparison, kind of value, and the words for it.

The tools derive parameter schemas, descriptions and parsing from `FILTERS`; the library derives the selection of rows
(`selection.py`) and the sentences of its messages (`messages.py`). Nothing here knows how rows are stored.

Who checks what: the tools (or the terminal) check a value's type and bounds and hand over a parsed value, `int` for
INTEGER, `float` for NUMBER and CHALLENGE, `bool` for BOOLEAN, `bool | str` for ATTUNEMENT, `str` for the rest. The
library checks what depends on the dataset (CLOSED sets) or on several filters together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.dataset.vocabulary import CHALLENGE_RATINGS, canonical_casting_time, challenge_rating_text

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
    """How a value meets its column. A list column meets it where any member does; null never does."""

    EQUALS = "equals"
    AT_LEAST = "at least"
    AT_MOST = "at most"


def fold_text(text: str) -> str:
    """One spelling for enumerated text: folded, hyphens and underscores as spaces ("Very-Rare" → "very rare")."""
    return " ".join(re.sub(r"[-_]", " ", normalize_name(text)).split())


def fold_dice(text: str) -> str:
    """One spelling for dice: "2D6 + 3" → "2d6+3"."""
    return "".join(text.casefold().split())


def cut(text: str) -> str:
    """A caller's text as messages repeat it: its first 80 characters."""
    return text if len(text) <= _QUOTED_CHARACTERS else f"{text[:_QUOTED_CHARACTERS]}…"


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter of one family.

    Attributes:
        parameter: the tools' parameter.
        family: whose filter it is, one of `request.FAMILIES`.
        columns: the columns it compares with; a row passes where any of them does.
        kind: what values it takes.
        doc: the parameter's description, for a language model; that of a CLOSED filter are its values.
        phrase: how a message says it after the noun: `of level {value}`, `with concentration`.
        phrase_false: the same for the value false.
        comparison: how value and column are compared.
        minimum, maximum: bounds of a number.
        only: the `type` / `rule_type` tokens it can match; empty for all of the family.
        refused: with another token it is an error rather than a filter that matches nothing.
        fold: brings the spellings of one text value to one form.
    """

    parameter: str
    family: str
    columns: tuple[str, ...]
    kind: ValueKind
    doc: str
    phrase: str
    phrase_false: str = ""
    comparison: Comparison = Comparison.EQUALS
    minimum: float | None = None
    maximum: float | None = None
    only: tuple[str, ...] = ()
    refused: bool = False
    fold: Callable[[str], str] = fold_text

    def says(self, value: object) -> str:
        """The filter with its value in words, for messages."""
        if value is False:
            return self.phrase_false
        if value is True:
            return self.phrase.format(value="yes")
        return self.phrase.format(value=self.shown(value))

    def shown(self, value: object) -> str:
        """A value of the filter, or of its column, as messages write it: `1500`, `0.1`, challenge rating `1/8`."""
        if self.kind is ValueKind.CHALLENGE and value in CHALLENGE_RATINGS:
            return challenge_rating_text(value)
        return str(int(value)) if isinstance(value, float) and value.is_integer() else cut(str(value))


_WEAPONS: Final = ("weapon", "magic-item", "all")
_MAGICAL: Final = ("weapon", "armor", "magic-item", "all")

FILTERS: Final = (
    Filter(
        "level",
        "spell",
        ("level",),
        ValueKind.INTEGER,
        "E.g. 3; 0 is a cantrip.",
        "of level {value}",
        minimum=0,
        maximum=9,
    ),
    Filter(
        "level_min",
        "spell",
        ("level",),
        ValueKind.INTEGER,
        "Lowest, e.g. 1.",
        "of level {value} or higher",
        comparison=Comparison.AT_LEAST,
        minimum=0,
        maximum=9,
    ),
    Filter(
        "level_max",
        "spell",
        ("level",),
        ValueKind.INTEGER,
        "Highest, e.g. 3.",
        "of level {value} or lower",
        comparison=Comparison.AT_MOST,
        minimum=0,
        maximum=9,
    ),
    Filter("school", "spell", ("school",), ValueKind.CLOSED, "", "of school {value}"),
    Filter(
        "class_key",
        "spell",
        ("classes",),
        ValueKind.TEXT,
        "E.g. wizard.",
        "for class {value}",
    ),
    Filter(
        "concentration",
        "spell",
        ("concentration",),
        ValueKind.BOOLEAN,
        "true: needs concentration.",
        "with concentration",
        "without concentration",
    ),
    Filter(
        "ritual",
        "spell",
        ("ritual",),
        ValueKind.BOOLEAN,
        "true: a ritual.",
        "castable as rituals",
        "not castable as rituals",
    ),
    Filter(
        "casting_time",
        "spell",
        ("casting_time",),
        ValueKind.TEXT,
        "E.g. reaction, 1 minute.",
        "with casting time {value}",
        fold=canonical_casting_time,
    ),
    Filter(
        "damage_type",
        "spell",
        ("damage_types",),
        ValueKind.TEXT,
        "E.g. fire.",
        "dealing {value} damage",
    ),
    Filter(
        "cr",
        "creature",
        ("challenge_rating",),
        ValueKind.CHALLENGE,
        'Challenge rating, e.g. 5, "1/4".',
        "of challenge rating {value}",
        minimum=0,
        maximum=30,
    ),
    Filter(
        "cr_min",
        "creature",
        ("challenge_rating",),
        ValueKind.CHALLENGE,
        "Lowest, e.g. 1.",
        "of challenge rating {value} or higher",
        comparison=Comparison.AT_LEAST,
        minimum=0,
        maximum=30,
    ),
    Filter(
        "cr_max",
        "creature",
        ("challenge_rating",),
        ValueKind.CHALLENGE,
        'Highest, e.g. "1/2".',
        "of challenge rating {value} or lower",
        comparison=Comparison.AT_MOST,
        minimum=0,
        maximum=30,
    ),
    Filter("type", "creature", ("type",), ValueKind.CLOSED, "", "of type {value}"),
    Filter("size", "creature", ("size",), ValueKind.CLOSED, "", "of size {value}"),
    Filter(
        "armor_class_min",
        "creature",
        ("armor_class",),
        ValueKind.INTEGER,
        "Lowest, e.g. 15.",
        "with armor class {value} or higher",
        comparison=Comparison.AT_LEAST,
        minimum=0,
    ),
    Filter(
        "hit_points_min",
        "creature",
        ("hit_points",),
        ValueKind.INTEGER,
        "Lowest, e.g. 50.",
        "with {value} hit points or more",
        comparison=Comparison.AT_LEAST,
        minimum=0,
    ),
    Filter(
        "environment",
        "creature",
        ("environments",),
        ValueKind.TEXT,
        "E.g. desert.",
        "in environment {value}",
    ),
    Filter(
        "rarity",
        "equipment",
        ("rarity",),
        ValueKind.CLOSED,
        "",
        "of rarity {value}",
        only=_MAGICAL,
    ),
    Filter(
        "damage_dice",
        "equipment",
        ("damage_dice",),
        ValueKind.TEXT,
        "E.g. 2d6.",
        "with damage {value}",
        only=_WEAPONS,
        fold=fold_dice,
    ),
    Filter(
        "is_simple",
        "equipment",
        ("is_simple",),
        ValueKind.BOOLEAN,
        "true: simple, false: martial.",
        "that are simple",
        "that are not simple",
        only=_WEAPONS,
    ),
    Filter(
        "requires_attunement",
        "equipment",
        ("requires_attunement", "attunement_detail"),
        ValueKind.ATTUNEMENT,
        "true, false or by whom, e.g. wizard.",
        "with attunement ({value})",
        "without attunement",
    ),
    Filter(
        "cost_min",
        "equipment",
        ("cost_gp",),
        ValueKind.NUMBER,
        "Lowest in gp, e.g. 5.",
        "costing {value} gp or more",
        comparison=Comparison.AT_LEAST,
        minimum=0,
    ),
    Filter(
        "cost_max",
        "equipment",
        ("cost_gp",),
        ValueKind.NUMBER,
        "Highest in gp, e.g. 50.",
        "costing {value} gp or less",
        comparison=Comparison.AT_MOST,
        minimum=0,
    ),
    Filter(
        "weight_max",
        "equipment",
        ("weight_lb",),
        ValueKind.NUMBER,
        "Highest in lb, e.g. 3.",
        "weighing {value} lb or less",
        comparison=Comparison.AT_MOST,
        minimum=0,
    ),
    Filter(
        "is_finesse",
        "equipment",
        ("is_finesse",),
        ValueKind.BOOLEAN,
        "true: finesse.",
        "with finesse",
        "without finesse",
        only=_WEAPONS,
    ),
    Filter(
        "is_light",
        "equipment",
        ("is_light",),
        ValueKind.BOOLEAN,
        "true: light.",
        "that are light",
        "that are not light",
        only=_WEAPONS,
    ),
    Filter(
        "is_magic",
        "equipment",
        ("is_magic",),
        ValueKind.BOOLEAN,
        "false: mundane.",
        "that are magical",
        "that are not magical",
    ),
    Filter(
        "section",
        "rule",
        ("section", "headings"),
        ValueKind.TEXT,
        "Any heading above the rule, e.g. combat.",
        "in section {value}",
        only=("rule",),
        refused=True,
    ),
)


def filters_of(family: str) -> tuple[Filter, ...]:
    """The filters of a family, in the order that the tools list them."""
    return tuple(f for f in FILTERS if f.family == family)
