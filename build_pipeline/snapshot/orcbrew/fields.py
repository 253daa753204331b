"""The fields that OrcPub gives each kind of entity, and a check that a file's values have the right types.

OrcPub itself checks nothing, so any field may be absent, nil or of another type.
"""

from __future__ import annotations

from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn import LocatedMap, read
from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, write_edn
from build_pipeline.snapshot.orcbrew.field_types import (
    ABILITIES,
    AMOUNT,
    ARMOR_CLASS,
    CHALLENGE,
    COMPONENTS,
    ENTRIES,
    FLAG,
    FLAGS,
    HIT_DIE,
    HIT_POINTS,
    KEYS,
    LABEL,
    LANGUAGES,
    LEGENDARY,
    LEVELED,
    LEVELS,
    LINE,
    MANY,
    MAP,
    NAME,
    NUMBERS,
    RANGE,
    SCORES,
    SKILL_BONUSES,
    SPEED,
    TEXT,
    FieldType,
    number,
    one_of,
)
from build_pipeline.snapshot.orcbrew.model import BrewFile, Entity
from server.dataset.vocabulary import SCHOOLS, SIZES

_COMMON: Final = {
    "key": LABEL,
    "name": NAME,
    "option-pack": TEXT,
    "disabled?": FLAG,
    "description": TEXT,
    "summary": TEXT,
    "help": TEXT,
    "edit-event": MANY,
    "traits": LEVELED,
    "props": MAP,
    "profs": MAP,
}
_CASTER: Final = {
    "level-modifiers": LEVELED,
    "level-selections": LEVELED,
    "spellcasting": MAP,
}
_RACE: Final = {
    "size": one_of(*SIZES),
    "speed": AMOUNT,
    "darkvision": AMOUNT,
    "abilities": SCORES,
    "languages": LANGUAGES,
    "spells": ENTRIES,
}
_FEAT: Final = {"prereqs": KEYS, "path-prereqs": MAP, "ability-increases": MANY}
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
FIELDS: Final[dict[str, dict[str, FieldType]]] = {
    "spells": {
        "level": number(0, 9),
        "school": one_of(*SCHOOLS),
        "casting-time": TEXT,
        "range": RANGE,
        "duration": TEXT,
        "components": COMPONENTS,
        "concentration": FLAG,
        "ritual": FLAG,
        "attack-roll?": FLAG,
        "spell-lists": FLAGS,
    },
    "monsters": {
        "size": one_of(*SIZES),
        "type": LABEL,
        "subtypes": MANY,
        "alignment": LINE,
        "armor-class": ARMOR_CLASS,
        "armor-notes": TEXT,
        "hit-points": HIT_POINTS,
        "speed": SPEED,
        **dict.fromkeys(ABILITIES, number(0, 30)),
        "saving-throws": SCORES,
        "skills": SKILL_BONUSES,
        "senses": LINE,
        "languages": LINE,
        "challenge": CHALLENGE,
        "damage-resistances": LINE,
        "damage-immunities": LINE,
        "damage-vulnerabilities": LINE,
        "condition-immunities": LINE,
        "actions": ENTRIES,
        "legendary-actions": LEGENDARY,
    },
    "classes": {
        **_CASTER,
        "hit-die": HIT_DIE,
        "ability-increase-levels": LEVELS,
        "subclass-level": number(1, 20),
        "subclass-title": NAME,
        "subclass-help": TEXT,
        "weapons": MAP,
        "armor": MAP,
        "equipment": MAP,
        "weapon-choices": ENTRIES,
        "armor-choices": ENTRIES,
        "equipment-choices": ENTRIES,
        "equipment-selections": ENTRIES,
        "multiclass-prereqs": FieldType("a map or set of abilities", lambda v: isinstance(v, dict | list | tuple)),
    },
    "subclasses": {
        **_CASTER,
        "class": LABEL,
        "cleric-spells": MAP,
        "paladin-spells": MAP,
        "warlock-spells": MAP,
    },
    "races": _RACE,
    "subraces": {**_RACE, "race": LABEL},
    "backgrounds": {"equipment": MAP, "equipment-choices": ENTRIES, "treasure": NUMBERS},
    **dict.fromkeys(("feats", "invocations", "boons", "fighting-styles"), _FEAT),
    "draconic-ancestries": {**_FEAT, "breath-weapon": MAP},
    "selections": {"options": ENTRIES},
    "encounters": {"creatures": ENTRIES},
}
FIELD_NAMES: Final = frozenset({*_COMMON, *(name for fields in FIELDS.values() for name in fields), "components"})
"""Every field of every kind."""


def known_fields(kind: str) -> frozenset[str]:
    """Names of the fields that an entity of this kind may have."""
    return frozenset((*_COMMON, *FIELDS.get(kind, ())))


def check_fields(file: BrewFile, entity: Entity) -> None:
    """Warn of each field whose value has the wrong type; nil counts as absent."""
    types = {**_COMMON, **FIELDS.get(entity.kind, {})}
    for key, value in entity.item.items():
        expected = types.get(key.name) if isinstance(key, Keyword) else None
        if expected is not None and value is not None and not expected.holds(value):
            offset = field_offset(file, entity, key.text)
            message = f"{write_edn(key)} is {_short(value)}: {expected.made_of(value)}; it should be {expected.words}"
            file.warn_of(entity, offset, message)
    unknown = [write_edn(kind) for kind in _modifier_types(entity) if write_edn(kind) not in _MODIFIERS]
    if unknown:
        offset = field_offset(file, entity, "level-modifiers")
        message = f":level-modifiers holds {', '.join(unknown)}, which OrcPub does not know: kept as text"
        file.warn_of(entity, offset, message)


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
