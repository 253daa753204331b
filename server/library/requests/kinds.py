"""The entities that the tools' `type`, `rule_type` and `content_types` tokens stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from server.dataset.schema import (
    CHARACTER_OPTIONS,
    CREATURES,
    ENTITY_TABLES,
    EQUIPMENT,
    EQUIPMENT_TYPES,
    RULE_TYPES,
    RULES,
    SPELLS,
)
from server.dataset.tables.columns import Table


@dataclass(frozen=True, slots=True)
class Kind:
    """A set of entities that tools can be asked for.

    Attributes:
        noun: the word for them in messages, in the plural.
        table: the table they are in.
        entity_types: the entity types it covers.
        flag: a boolean column that must also be true, if entity types are not enough (a magic weapon is a weapon).
    """

    noun: str
    table: Table
    entity_types: tuple[str, ...]
    flag: str | None = None


_RULE_NOUNS: Final = {
    "ability-score": "ability scores",
    "proficiency": "proficiencies",
    "weapon-property": "weapon properties",
}

KINDS: Final[dict[str, dict[str | None, Kind]]] = {
    "spell": {None: Kind("spells", SPELLS, SPELLS.entity_types)},
    "creature": {None: Kind("creatures", CREATURES, CREATURES.entity_types)},
    "equipment": {
        "weapon": Kind("weapons", EQUIPMENT, ("weapon", "magic-item"), "is_weapon"),
        "armor": Kind("armor", EQUIPMENT, ("armor", "magic-item"), "is_armor"),
        "magic-item": Kind("magic items", EQUIPMENT, ("magic-item",)),
        "adventuring-gear": Kind("adventuring gear", EQUIPMENT, ("adventuring-gear",)),
        "all": Kind("equipment", EQUIPMENT, EQUIPMENT_TYPES),
    },
    "character_option": {
        "class": Kind("classes", CHARACTER_OPTIONS, ("class", "subclass")),
        "race": Kind("races", CHARACTER_OPTIONS, ("race", "subrace")),
        "background": Kind("backgrounds", CHARACTER_OPTIONS, ("background",)),
        "feat": Kind("feats", CHARACTER_OPTIONS, ("feat",)),
    },
    "rule": {t: Kind(_RULE_NOUNS.get(t, f"{t.replace('-', ' ')}s"), RULES, (t,)) for t in RULE_TYPES},
}
"""Family → token → kind. Spells and creatures have no tokens: the `type` of a creature is a filter."""

FAMILY_TABLES: Final = {family: next(iter(kinds.values())).table for family, kinds in KINDS.items()}
"""Family → the table that holds it."""


def kind_parameter(family: str) -> str:
    """The parameter that chooses a kind of a family."""
    return "rule_type" if family == "rule" else "type"


_FAMILY_CONTENT: Final = {
    "Spell": SPELLS.entity_types,
    "Creature": CREATURES.entity_types,
    "Equipment": EQUIPMENT_TYPES,
    "CharacterOption": CHARACTER_OPTIONS.entity_types,
    "Rule": RULE_TYPES,
}


def _camel(entity_type: str) -> str:
    return "".join(part.capitalize() for part in entity_type.split("-"))


CONTENT_TYPES: Final[dict[str, tuple[str, ...]]] = _FAMILY_CONTENT | {
    _camel(t): (t,) for table in ENTITY_TABLES for t in table.entity_types if _camel(t) not in _FAMILY_CONTENT
}
"""`content_types` token → entity types."""
