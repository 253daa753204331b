"""Columns that hold one of a few values, each value with its meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from server.dataset.tables.column_types import (
    CHARACTER_OPTION_TYPES,
    EQUIPMENT_TYPES,
    RULE_TYPES,
    STAT_BLOCK_SECTIONS,
)
from server.dataset.vocabulary import ABILITIES, CREATURE_TYPES, DAMAGE_TYPES, MASTERIES, SCHOOLS, SIZES, TITANIC


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """A set of values.

    Attributes:
        paths: where they occur: `table.column`, with a path into the column (`paths.py`) where it is nested.
        meanings: value → its meaning. Other values, as homebrew may have, are dropped and reported as problems.
    """

    paths: tuple[str, ...]
    meanings: Mapping[str, str]


def _meanings(values: Iterable[str], *meanings: str) -> dict[str, str]:
    """Value → meaning, for values that are declared elsewhere, in the same order."""
    return dict(zip(values, meanings, strict=True))


_RULE_TYPES: Final = _meanings(
    RULE_TYPES,
    "Rules text: a chapter, a section, an entry of a glossary, a table.",
    "A condition a creature can be under.",
    "A type of damage.",
    "A property or mastery of weapons.",
    "A skill.",
    "One of the six abilities.",
    "A school of magic.",
    "A language.",
    "A proficiency that classes or races grant.",
    "An alignment.",
)
_EQUIPMENT_TYPES: Final = _meanings(
    EQUIPMENT_TYPES,
    "A mundane weapon.",
    "Mundane armor, or a shield.",
    "A magic item.",
    "Any other mundane thing or service.",
)
_OPTION_TYPES: Final = _meanings(
    CHARACTER_OPTION_TYPES,
    "A class.",
    "A subclass, archetype, domain or the like.",
    "A race or species.",
    "A subrace, lineage or ancestry of one.",
    "A background.",
    "A feat, or an option that a class offers, such as an invocation.",
)
_ABILITY_MEANINGS: Final = _meanings(
    ABILITIES,
    "Strength: might of the body.",
    "Dexterity: agility, reflexes and balance.",
    "Constitution: health and stamina.",
    "Intelligence: reasoning and memory.",
    "Wisdom: perceptiveness and fortitude of mind.",
    "Charisma: confidence, poise and charm.",
)
_SCHOOLS: Final = _meanings(
    SCHOOLS,
    "Magic that protects, wards or banishes.",
    "Magic that brings things or creatures from elsewhere, or carries them there.",
    "Magic that reveals.",
    "Magic that sways or clouds minds.",
    "Magic that releases energy, to harm or to heal.",
    "Magic that deceives senses and minds.",
    "Magic over life, death and undeath.",
    "Magic that changes what things are like.",
)
_DAMAGE: Final = _meanings(
    DAMAGE_TYPES,
    "Damage from corrosives.",
    "Damage from blows, falls and crushing.",
    "Damage from frost.",
    "Damage from flames and heat.",
    "Damage from pure magical energy.",
    "Damage from electricity.",
    "Damage that withers life.",
    "Damage from piercing points and fangs.",
    "Damage from venom and toxic gas.",
    "Damage to the mind.",
    "Damage from holy or searing light.",
    "Damage from blades and claws.",
    "Damage from sound and shock waves.",
)
_SIZES: Final = _meanings(
    (*SIZES, TITANIC),
    "Controls a space of 2½ by 2½ feet.",
    "Controls a space of 5 by 5 feet.",
    "Controls a space of 5 by 5 feet.",
    "Controls a space of 10 by 10 feet.",
    "Controls a space of 15 by 15 feet.",
    "Controls a space of 20 by 20 feet or more.",
    "Larger than gargantuan; only in one publisher's books.",
)
_CREATURE_TYPES: Final = _meanings(
    CREATURE_TYPES,
    "Utterly alien beings.",
    "Animals, natural or monstrous in size only.",
    "Beings of the Upper Planes.",
    "Creatures that were made, not born.",
    "Dragons and their kin.",
    "Beings of the elemental planes.",
    "Beings of the Feywild and of wild magic.",
    "Beings of the Lower Planes.",
    "Giants and their kin.",
    "People.",
    "Monsters that fit no other type.",
    "Shapeless creatures.",
    "Plants and fungi that act as creatures.",
    "The dead that walk, and spirits.",
)
_RARITIES: Final = {
    "common": "Common.",
    "uncommon": "Uncommon.",
    "rare": "Rare.",
    "very rare": "Very rare.",
    "legendary": "Legendary.",
    "artifact": "One of a kind.",
    "varies": "Its variants differ in rarity.",
}
_MASTERIES: Final = _meanings(
    MASTERIES,
    "A hit may strike a second creature.",
    "A miss still deals some damage.",
    "The extra attack of a light weapon costs no bonus action.",
    "A hit may push the target away.",
    "The target's next attack roll has disadvantage.",
    "A hit may reduce the target's speed.",
    "A hit may knock the target prone.",
    "The attacker's next attack on the target has advantage.",
)
_SOURCES: Final = {
    "srd": "The System Reference Documents' own text.",
    "open5e_v2": "The Open5e API, version 2.",
    "open5e_v1": "The Open5e API, version 1.",
    "dnd5e_api": "The D&D 5e API.",
    "orcbrew": "An OrcBrew file of homebrew content.",
}
_EDITIONS: Final = {
    "5e-2014": "The rules of 2014.",
    "5e-2024": "The rules of 2024.",
    "a5e": "Level Up: Advanced 5th Edition.",
}

_ACTIONS: Final = STAT_BLOCK_SECTIONS[1:]
"""All but traits, which have no attacks."""
_ENTITY_TABLES: Final = ("spells", "creatures", "equipment", "character_options", "rules")

CLOSED_SETS: Final = (
    ClosedSet(("spells.entity_type",), {"spell": "A spell."}),
    ClosedSet(("creatures.entity_type",), {"creature": "A monster, an animal or a non-player character."}),
    ClosedSet(("equipment.entity_type",), _EQUIPMENT_TYPES),
    ClosedSet(("character_options.entity_type",), _OPTION_TYPES),
    ClosedSet(("rules.entity_type", "rules.rule_type"), _RULE_TYPES),
    ClosedSet(("documents.source_api", *(f"{table}.document_source" for table in _ENTITY_TABLES)), _SOURCES),
    ClosedSet(("documents.game_system", *(f"{table}.game_system" for table in _ENTITY_TABLES)), _EDITIONS),
    ClosedSet(("spells.school",), _SCHOOLS),
    ClosedSet(("spells.damage_types", "creatures.deals", "equipment.damage_type"), _DAMAGE),
    ClosedSet(
        (
            "spells.saving_throw",
            "spells.forces_saves",
            "creatures.forces_saves",
            "creatures.saves[].abilities",
            "character_options.spellcasting_ability",
            "rules.ability",
        ),
        _ABILITY_MEANINGS,
    ),
    ClosedSet(
        ("spells.save_effect", "creatures.saves[].save_effect"),
        {
            "half": "A successful save halves the damage.",
            "none": "A successful save prevents the effect.",
            "other": "The text describes the effect of a successful save.",
        },
    ),
    ClosedSet(
        ("spells.area_of_effect.shape", "creatures.saves[].area_of_effect.shape"),
        {
            "cone": "As wide at any point as that point's distance from the origin; size is its length.",
            "cube": "Size is the length of a side.",
            "cylinder": "Size is the radius.",
            "emanation": "Around a creature or thing, and moving with it; size is the distance outward.",
            "hemisphere": "Size is the radius.",
            "line": "Size is its length.",
            "sphere": "Size is the radius; a bare radius, a circle and a pool on the ground are given as one too.",
            "square": "Flat on the ground; size is the length of a side.",
        },
    ),
    ClosedSet(
        ("creatures.saves[].section",),
        _meanings(
            STAT_BLOCK_SECTIONS,
            "A trait.",
            "An action.",
            "A bonus action.",
            "A reaction.",
            "A legendary action.",
            "A lair action, or a regional effect.",
        ),
    ),
    ClosedSet(
        ("spells.area_of_effect.unit", "creatures.saves[].area_of_effect.unit"),
        {"feet": "Feet.", "miles": "Miles, of 5,280 feet each."},
    ),
    ClosedSet(("creatures.size", "creatures.other_sizes"), _SIZES),
    ClosedSet(("creatures.type",), _CREATURE_TYPES),
    ClosedSet(
        tuple(f"creatures.{actions}[].attacks[].kind" for actions in _ACTIONS),
        {
            "melee weapon": "With a weapon or natural weapon, within reach.",
            "ranged weapon": "With a weapon, or something thrown, shot or spat, within range.",
            "melee or ranged weapon": "With a weapon that can be thrown.",
            "melee spell": "With a spell, or something like one, within reach.",
            "ranged spell": "With a spell, or something like one, within range.",
            "melee or ranged spell": "With a spell, or something like one, within reach or range.",
            "melee": "Within reach; the rules of 2024 do not say with what.",
            "ranged": "Within range; the rules of 2024 do not say with what.",
            "melee or ranged": "Within reach or range; the rules of 2024 do not say with what.",
        },
    ),
    ClosedSet(("equipment.rarity",), _RARITIES),
    ClosedSet(
        ("equipment.weapon_category",), {"simple": "Most people can use it.", "martial": "Using it takes training."}
    ),
    ClosedSet(
        ("equipment.armor_category",),
        {"light": "Light armor.", "medium": "Medium armor.", "heavy": "Heavy armor.", "shield": "A shield."},
    ),
    ClosedSet(("equipment.mastery",), _MASTERIES),
    ClosedSet(
        ("character_options.caster_type",),
        {
            "full": "Spell slots of all nine levels.",
            "half": "Spell slots up to the 5th level.",
            "third": "Spell slots up to the 4th level.",
            "pact": "A few spell slots, all of the highest level, back after a short rest.",
            "none": "No spell slots.",
        },
    ),
)
"""Every closed set. Open vocabularies differ by book and are left out: conditions, item categories, kinds of feats."""
