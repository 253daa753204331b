"""Types of fields: what a field should hold, and what is made of a value of another type.

The normaliser is lenient: it takes 22 for hit points although OrcPub writes a map of dice. A finding says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn_tokens import FOREIGN
from build_pipeline.snapshot.orcbrew.edn_values import Keyword, Symbol
from server.dataset import vocabulary
from server.dataset.schema import SKILLS
from server.dataset.vocabulary import CHALLENGE_RATINGS

ABILITIES: Final = tuple(ability[:3] for ability in vocabulary.ABILITIES)
_LEVEL: Final = Keyword("level")
_LAST_LEVEL: Final = 20
_LARGEST: Final = 2**31
"""Numbers from here on overflow the columns, and mean nothing in the game."""
_LEFT_OUT: Final = "left out"
_ONLY_TRUE: Final = "only what is true in it is read"
COMPONENT_LETTERS: Final = re.compile(
    r"\s*(?P<letters>[VSM](?:[\s,]*[VSM]){0,2})\s*(?:\((?P<material>.*)\))?[\s.]*", re.IGNORECASE | re.DOTALL
)
"""Components as books print them: "V, S, M (a feather)"."""
STARTS_WITH_DICE: Final = re.compile(r"\s*\(?\d{1,4}\s*d\s*\d", re.IGNORECASE)
"""The beginning of hit points that are only dice: "4d8 + 4"."""


def whole(value: Any) -> int | None:
    """A whole number, also from "3", "15 (chain shirt)" or an integral float; otherwise None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        match = re.match(r"\s*([+-]?\d{1,9})(?![\d/.]*\d)", value)
        return int(match[1]) if match else None
    if isinstance(value, int):
        return value if abs(value) < _LARGEST else None
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        return int(value)
    return None


def challenge_rating(value: Any) -> float | None:
    """The rating that a number, or a text such as "1/4", stands for; None if the rules have no such rating."""
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}(?:/[1-9]\d{0,8}|\.\d{1,9})?\s*", value):
        value = Fraction(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    return float(value) if value in CHALLENGE_RATINGS else None


@dataclass(frozen=True, slots=True)
class FieldType:
    """A type of field.

    Attributes:
        words: what a value should be, with an example.
        holds: whether a value is of the type.
        made_of: what is made of a value of another type.
    """

    words: str
    holds: Callable[[Any], bool]
    made_of: Callable[[Any], str] = lambda _: _LEFT_OUT


def _is_number(value: Any) -> bool:
    if isinstance(value, Symbol):  # such as `NaN`, for which the reader has left a note
        return value.text in FOREIGN
    if isinstance(value, str) and not re.fullmatch(r"\s*[+-]?\d{1,9}\s*", value):
        return False
    # NaN and the infinities have a note as well.
    return value is None or whole(value) is not None or (isinstance(value, float) and value - value != 0)


def number(low: int, high: int, noun: str = "a whole number") -> FieldType:
    """Whole numbers between two limits."""

    def holds(value: Any) -> bool:
        found = whole(value)
        return _is_number(value) and (found is None or low <= found <= high)

    def made_of(value: Any) -> str:
        found = whole(value)
        return _LEFT_OUT if found is None or not low <= found <= high else f"read as {found}"

    return FieldType(f"{noun} from {low} to {high}", holds, made_of)


def one_of(*names: str) -> FieldType:
    """One of a few names, as text or keyword."""

    def holds(value: Any) -> bool:
        text = value.name if isinstance(value, Keyword) else value
        return isinstance(text, str) and text.strip().casefold() in names

    return FieldType(f"one of {', '.join(names)}", holds)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, str) for part in value)


def _of_text(value: Any) -> str:
    return "read as paragraphs" if _is_texts(value) else _LEFT_OUT


def _of_line(value: Any) -> str:
    if isinstance(value, Keyword):
        return "its words are read"
    if isinstance(value, dict):
        return _ONLY_TRUE if any(flag is True for flag in value.values()) else _LEFT_OUT
    is_list = isinstance(value, list | tuple) and any(isinstance(part, str | Keyword) for part in value)
    return "read as a list" if is_list else _LEFT_OUT


def _of_components(value: Any) -> str:
    is_printed = isinstance(value, str) and COMPONENT_LETTERS.fullmatch(value)
    return "read as its letters" if is_printed else _LEFT_OUT


def _of_label(value: Any) -> str:
    return "its words are the name" if isinstance(value, Keyword) else _of_text(value)


def _of_speed(value: Any) -> str:
    if isinstance(value, dict):
        return "read, as a map of feet"
    found = None if isinstance(value, str) else whole(value)
    return f"read as {found} ft." if found is not None else _of_line(value)


def _of_range(value: Any) -> str:
    return f"read as {value} feet" if isinstance(value, int) and not isinstance(value, bool) else _of_text(value)


def _is_flags(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(f, bool | None) for _, f in _pairs(value))


def _of_flags(value: Any) -> str:
    if isinstance(value, dict):
        return _ONLY_TRUE
    return "all that it lists is read as true" if isinstance(value, list) else _LEFT_OUT


def _is_entries(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(part is None or isinstance(part, dict) for part in value)


def _has_levels(value: Any) -> bool:
    """Whether the entries' levels are levels of a character; 0 means none."""
    levels = (part.get(_LEVEL) for part in value if part) if _is_entries(value) else (None,)
    return _is_entries(value) and all(map(number(0, _LAST_LEVEL).holds, levels))


def _of_entries(value: Any) -> str:
    if isinstance(value, dict):
        return "the maps in it are read" if value else _LEFT_OUT
    if _is_entries(value):
        return "it is read without the levels that are none"
    return "only the maps in it are read" if isinstance(value, list | tuple) else _LEFT_OUT


def _of_legendary(value: Any) -> str:
    has_maps = isinstance(value, list | tuple) and any(isinstance(part, dict) for part in value)
    return "the maps in it are read" if has_maps else _LEFT_OUT


def _is_levels(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(number(1, _LAST_LEVEL).holds, value))


def _is_hit_points(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_number(part) for part in value.values())


def _of_hit_points(value: Any) -> str:
    if isinstance(value, dict):
        return "only the whole numbers in it are read"
    if isinstance(value, str) and STARTS_WITH_DICE.match(value):
        return "read as dice"
    found = whole(value)
    return f"read as {found} hit points" if found else _LEFT_OUT


def _is_challenge(value: Any) -> bool:
    return challenge_rating(value) is not None or (isinstance(value, Symbol) and _is_number(value))


def _is_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(k, Keyword) and _is_number(v) for k, v in _pairs(value))


def _is_of(names: Collection[str]) -> Callable[[Any], bool]:
    """Whether a value is a map of some of these names to whole numbers."""
    return lambda value: _is_numbers(value) and all(key.name.lower() in names for key, _ in _pairs(value))


def _pairs(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """A map's entries without the stray `nil nil` that OrcPub's class builder leaves behind."""
    return [(k, v) for k, v in value.items() if k is not None]


def _if(kind: type | tuple[type, ...], done: str) -> Callable[[Any], str]:
    """What is made of values of some Python types; all others are left out."""
    return lambda value: done if isinstance(value, kind) else _LEFT_OUT


def _of_hit_die(value: Any) -> str:
    name = value.name if isinstance(value, Keyword) else value
    return _DIE.made_of(name.removeprefix("d") if isinstance(name, str) else name)


def _of_armor_class(value: Any) -> str:
    is_armor = _is_texts(value) or (isinstance(value, str) and whole(value) is None)
    return "kept as the kind of armor" if is_armor else AMOUNT.made_of(value)


_DIE: Final = number(1, 100)
TEXT: Final = FieldType('a text in quotes ("…")', lambda v: isinstance(v, str), _of_text)
LINE: Final = replace(TEXT, made_of=_of_line)
NAME: Final = replace(TEXT, made_of=_of_label)
SPEED: Final = replace(TEXT, words='a text such as "30 ft., fly 60 ft."', made_of=_of_speed)
RANGE: Final = replace(TEXT, words='a text such as "60 feet"', made_of=_of_range)
LABEL: Final = FieldType("a keyword (:…) or a text", lambda v: isinstance(v, str | Keyword))
FLAG: Final = FieldType("true or false", lambda v: isinstance(v, bool))
FLAGS: Final = FieldType("a map of true and false, such as {:wizard true}", _is_flags, _of_flags)
MAP: Final = FieldType("a map ({…})", lambda v: isinstance(v, dict))
COMPONENTS: Final = replace(MAP, words="a map, such as {:verbal true, :somatic true}", made_of=_of_components)
LEGENDARY: Final = replace(MAP, made_of=_of_legendary)
ENTRIES: Final = FieldType("a vector of maps ([{…} {…}])", _is_entries, _of_entries)
LEVELED: Final = FieldType(f"{ENTRIES.words}, with levels from 1 to {_LAST_LEVEL}", _has_levels, _of_entries)
MANY: Final = FieldType("a set or vector (#{…} or […])", lambda v: isinstance(v, list | tuple))
KEYS: Final = replace(MANY, made_of=_if(dict, _ONLY_TRUE))
LANGUAGES: Final = replace(MANY, made_of=_if((str, Keyword), "read as one language"))
AMOUNT: Final = number(-10_000_000, 10_000_000)
HIT_DIE: Final = replace(_DIE, made_of=_of_hit_die)
ARMOR_CLASS: Final = FieldType(
    "a whole number; what armor it is belongs into :armor-notes", AMOUNT.holds, _of_armor_class
)
LEVELS: Final = FieldType(
    f"a set or vector of levels from 1 to {_LAST_LEVEL}",
    _is_levels,
    _if((list, tuple), "only the levels in it are read"),
)
SCORES: Final = FieldType(
    "a map of abilities to whole numbers, such as {:dex 2}",
    _is_of((*ABILITIES, "any")),
    _if(dict, "only the abilities with whole numbers in it are read"),
)
SKILL_BONUSES: Final = FieldType(
    "a map of skills to whole numbers, such as {:stealth 4}",
    _is_of([skill.replace("_", "-") for skill in SKILLS]),
    _if(dict, "only the skills with whole numbers in it are read"),
)
NUMBERS: Final = FieldType(
    "a map of keywords to whole numbers, such as {:stealth 4}",
    _is_numbers,
    _if(dict, "only the whole numbers in it are read"),
)
HIT_POINTS: Final = FieldType(
    "a map of dice, such as {:die-count 4, :die 8, :modifier 4}", _is_hit_points, _of_hit_points
)
CHALLENGE: Final = FieldType("a challenge rating: 0, 1/8, 1/4, 1/2 or 1 to 30", _is_challenge)
