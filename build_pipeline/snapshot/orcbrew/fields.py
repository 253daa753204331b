"""The fields that OrcPub gives each kind of entity, and a check that a file's values have the right types.

OrcPub itself checks nothing, so any field may be absent, nil or of another type.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn import LocatedMap, read
from build_pipeline.snapshot.orcbrew.edn_tokens import FOREIGN
from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, Symbol, write_edn
from build_pipeline.snapshot.orcbrew.model import BrewFile, Entity
from server.dataset import vocabulary
from server.dataset.vocabulary import CHALLENGE_RATINGS, SCHOOLS, SIZES

ABILITIES: Final = tuple(ability[:3] for ability in vocabulary.ABILITIES)
_LEVEL: Final = Keyword("level")
_LAST_LEVEL: Final = 20


@dataclass(frozen=True, slots=True)
class _Type:
    """A type of field: its name in messages, and a predicate for its values."""

    words: str
    holds: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return bool(re.fullmatch(r"\s*[+-]?\d{1,9}\s*", value))
    if isinstance(value, Symbol):  # such as `NaN`, for which the reader has left a note
        return value.text in FOREIGN
    return (isinstance(value, int | float) and not isinstance(value, bool)) or value is None


def _number(low: int, high: int) -> _Type:
    def holds(value: Any) -> bool:
        if not _is_number(value):
            return False
        number = int(value) if isinstance(value, str) else value
        return not isinstance(number, int | float) or math.isnan(number) or low <= number <= high

    return _Type(f"a number from {low} to {high}", holds)


def _one_of(*names: str) -> _Type:
    def holds(value: Any) -> bool:
        text = value.name if isinstance(value, Keyword) else value
        return isinstance(text, str) and text.strip().casefold() in names

    return _Type(f"one of {', '.join(names)}", holds)


def _is_entries(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(part is None or isinstance(part, dict) for part in value)


def _has_levels(value: Any) -> bool:
    """Whether the entries' levels are levels of a character; 0 means none."""
    levels = (part.get(_LEVEL) for part in value if part) if _is_entries(value) else (None,)
    return _is_entries(value) and all(map(_number(0, _LAST_LEVEL).holds, levels))


def _is_levels(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_number(1, _LAST_LEVEL).holds, value))


def _is_hit_points(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_number(part) for part in value.values())


def challenge_rating(value: Any) -> float | None:
    """The rating that a number, or a text such as "1/4", stands for; None if the rules have no such rating."""
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}(?:/[1-9]\d{0,8}|\.\d{1,9})?\s*", value):
        value = Fraction(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    return float(value) if value in CHALLENGE_RATINGS else None


def _is_challenge(value: Any) -> bool:
    return challenge_rating(value) is not None or (isinstance(value, Symbol) and _is_number(value))


def _is_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(k, Keyword) and _is_number(v) for k, v in _pairs(value))


def _is_scores(value: Any) -> bool:
    known = (*ABILITIES, "any")
    return _is_numbers(value) and all(key.name in known for key, _ in _pairs(value))


def _pairs(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """A map's entries without the stray `nil nil` that OrcPub's class builder leaves behind."""
    return [(k, v) for k, v in value.items() if k is not None]


_TEXT: Final = _Type("a text", lambda v: isinstance(v, str))
_LABEL: Final = _Type("a text or keyword", lambda v: isinstance(v, str | Keyword))
_FLAG: Final = _Type("true or false", lambda v: isinstance(v, bool))
_FLAGS: Final = _Type(
    "a map of true and false",
    lambda v: isinstance(v, dict) and all(isinstance(f, bool | None) for _, f in _pairs(v)),
)
_MAP: Final = _Type("a map", lambda v: isinstance(v, dict))
_ENTRIES: Final = _Type("a vector of maps", _is_entries)
_LEVELED: Final = _Type(f"a vector of maps, with levels from 1 to {_LAST_LEVEL}", _has_levels)
_MANY: Final = _Type("a set or vector", lambda v: isinstance(v, list | tuple))
_AMOUNT: Final = _Type("a number", _number(-10_000_000, 10_000_000).holds)
_SCORES: Final = _Type("a map of abilities to numbers", _is_scores)
_NUMBERS: Final = _Type("a map of keywords to numbers", _is_numbers)

_COMMON: Final = {
    "key": _LABEL,
    "name": _TEXT,
    "option-pack": _TEXT,
    "disabled?": _FLAG,
    "description": _TEXT,
    "summary": _TEXT,
    "help": _TEXT,
    "edit-event": _MANY,
    "traits": _LEVELED,
    "props": _MAP,
    "profs": _MAP,
}
_CASTER: Final = {
    "level-modifiers": _LEVELED,
    "level-selections": _LEVELED,
    "spellcasting": _MAP,
}
_RACE: Final = {
    "size": _one_of(*SIZES),
    "speed": _AMOUNT,
    "darkvision": _AMOUNT,
    "abilities": _SCORES,
    "languages": _MANY,
    "spells": _ENTRIES,
}
_FEAT: Final = {"prereqs": _MANY, "path-prereqs": _MAP, "ability-increases": _MANY}
_MODIFIERS: Final = frozenset(
    (
        ":weapon-prof",
        ":armor-prof",
        ":tool-prof",
        ":skill-prof",
        ":num-attacks",
        ":damage-resistance",
        ":damage-immunity",
        ":saving-throw-advantage",
        ":flying-speed",
        ":swimming-speed",
        ":flying-speed-equals-walking-speed",
        ":spell",
    )
)
"""Types of level modifier that OrcPub implements."""
_FIELDS: Final[dict[str, dict[str, _Type]]] = {
    "spells": {
        "level": _number(0, 9),
        "school": _one_of(*SCHOOLS),
        "casting-time": _TEXT,
        "range": _TEXT,
        "duration": _TEXT,
        "components": _MAP,
        "concentration": _FLAG,
        "ritual": _FLAG,
        "attack-roll?": _FLAG,
        "spell-lists": _FLAGS,
    },
    "monsters": {
        "size": _one_of(*SIZES),
        "type": _LABEL,
        "subtypes": _MANY,
        "alignment": _TEXT,
        "armor-class": _AMOUNT,
        "armor-notes": _TEXT,
        "hit-points": _Type("a map of dice", _is_hit_points),
        "speed": _TEXT,
        **dict.fromkeys(ABILITIES, _number(0, 30)),
        "saving-throws": _SCORES,
        "skills": _NUMBERS,
        "senses": _TEXT,
        "languages": _TEXT,
        "challenge": _Type("a challenge rating: 0, 1/8, 1/4, 1/2 or 1 to 30", _is_challenge),
        "damage-resistances": _TEXT,
        "damage-immunities": _TEXT,
        "damage-vulnerabilities": _TEXT,
        "condition-immunities": _TEXT,
        "actions": _ENTRIES,
        "legendary-actions": _MAP,
    },
    "classes": {
        **_CASTER,
        "hit-die": _number(0, 100),
        "ability-increase-levels": _Type(f"a set or vector of levels from 1 to {_LAST_LEVEL}", _is_levels),
        "subclass-level": _number(1, 20),
        "subclass-title": _TEXT,
        "subclass-help": _TEXT,
        "weapons": _MAP,
        "armor": _MAP,
        "equipment": _MAP,
        "weapon-choices": _ENTRIES,
        "armor-choices": _ENTRIES,
        "equipment-choices": _ENTRIES,
        "equipment-selections": _ENTRIES,
        "multiclass-prereqs": _Type("a map or set of abilities", lambda v: isinstance(v, dict | list | tuple)),
    },
    "subclasses": {
        **_CASTER,
        "class": _LABEL,
        "cleric-spells": _MAP,
        "paladin-spells": _MAP,
        "warlock-spells": _MAP,
    },
    "races": _RACE,
    "subraces": {**_RACE, "race": _LABEL},
    "backgrounds": {"equipment": _MAP, "equipment-choices": _ENTRIES, "treasure": _NUMBERS},
    **dict.fromkeys(("feats", "invocations", "boons", "fighting-styles"), _FEAT),
    "draconic-ancestries": {**_FEAT, "breath-weapon": _MAP},
    "selections": {"options": _ENTRIES},
    "encounters": {"creatures": _ENTRIES},
}
FIELD_NAMES: Final = frozenset({*_COMMON, *(name for fields in _FIELDS.values() for name in fields), "components"})
"""Every field of every kind."""


def known_fields(kind: str) -> frozenset[str]:
    """Names of the fields that an entity of this kind may have."""
    return frozenset((*_COMMON, *_FIELDS.get(kind, ())))


def check_fields(file: BrewFile, entity: Entity) -> None:
    """Warn of each field whose value has the wrong type; nil counts as absent."""
    types = {**_COMMON, **_FIELDS.get(entity.kind, {})}
    for key, value in entity.item.items():
        expected = types.get(key.name) if isinstance(key, Keyword) else None
        if expected is not None and value is not None and not expected.holds(value):
            offset = field_offset(file, entity, key.text)
            file.warn_of(entity, offset, f"{write_edn(key)} is {_short(value)}, not {expected.words}")
    unknown = [write_edn(kind) for kind in _modifier_types(entity) if write_edn(kind) not in _MODIFIERS]
    if unknown:
        offset = field_offset(file, entity, "level-modifiers")
        file.warn_of(entity, offset, f":level-modifiers holds {', '.join(unknown)}, which OrcPub does not know")


def _modifier_types(entity: Entity) -> list[Any]:
    modifiers = entity.item.get(Keyword("level-modifiers"))
    if not isinstance(modifiers, list | tuple):
        return []
    return [part.get(Keyword("type")) for part in modifiers if isinstance(part, dict)]


def field_offset(file: BrewFile, entity: Entity, field: str) -> int:
    """Offset of a field in its file. Entities do not store it, so the entity is read a second time."""
    item = entity.item
    if not isinstance(item, LocatedMap):
        item = read(file.text, entity.start, end=entity.end, located=1, one=True).forms[0]
    return next((e.key_span[0] for e in item.entries if e.key is Keyword(field)), entity.at)


def _short(value: Any) -> str:
    text = write_edn(value) if not isinstance(value, EdnSet) or len(value) < 5 else "a set"  # noqa: PLR2004
    return text if len(text) <= 40 else f"{text[:37]}…"  # noqa: PLR2004 - a line's worth
