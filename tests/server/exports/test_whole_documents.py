"""Snapshots of exports of one record of each kind with every field: none is lost or misplaced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from foundry_model import violations
from readable_json import readable_json
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from server.exports.foundry.creatures import npc
from server.exports.foundry.items import item
from server.exports.foundry.spells import spell
from server.exports.statblocks import bestiary

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation
    from syrupy.types import SnapshotIndex

SNAPSHOTS = Path(__file__).parents[2] / "snapshots" / "exports"

BOOK: dict[str, Any] = {
    "document_name": "The Hills",
    "document_key": "hills",
    "license": "Creative Commons Attribution 4.0",
    "game_system": "5e-2024",
    "page": 12,
}


def attack(kind: str, to_hit: int, *damage: tuple[str, str], **ranges: int) -> dict[str, Any]:
    return {"kind": kind, "to_hit": to_hit, "damage": [{"dice": dice, "type": told} for dice, told in damage], **ranges}


BARROW_QUEEN: dict[str, Any] = BOOK | {
    "id": "creature/hills/barrow-queen",
    "entity_type": "creature",
    "name": "Barrow Queen",
    "size": "huge",
    "type": "undead",
    "subtype": "giant",
    "alignment": "lawful evil",
    "armor_class": 17,
    "hit_points": 157,
    "hit_dice": "15d12+60",
    "speed": {"walk": 40, "fly": 60, "swim": 20, "climb": 15, "burrow": 10, "hover": True},
    "ability_scores": {
        "strength": 23,
        "dexterity": 8,
        "constitution": 18,
        "intelligence": 12,
        "wisdom": 15,
        "charisma": 20,
    },
    "saving_throws": {"strength": None, "dexterity": 3, "wisdom": 6, "charisma": 0},
    "skills": {"sleight_of_hand": 3, "stealth": 7, "history": 0},
    "senses": {"darkvision": 120, "blindsight": 30, "tremorsense": 60, "truesight": 10, "passive_perception": 12},
    "languages": "Common, Giant",
    "challenge_rating": 11.0,
    "challenge_rating_text": "11",
    "proficiency_bonus": 4,
    "initiative_bonus": 3,
    "damage_vulnerabilities": ["radiant", "thunder"],
    "damage_resistances": [
        "cold",
        "piercing from nonmagical attacks (while it stands in its barrow)",
        "slashing from nonmagical attacks that aren't silvered",
    ],
    "damage_immunities": ["necrotic", "poison"],
    "condition_immunities": ["charmed", "poisoned"],
    "description": "She rules what lies under the hills.",
    "environments": ["hills"],
    "traits": [{"name": "Grave Sight", "usage": "10/Day", "description": "She sees where the dead lie."}],
    "actions": [
        {
            "name": "Rusty Blade",
            "description": "It cuts.",
            "attacks": [
                attack("melee weapon", 10, ("3d8+6", "slashing"), ("2d6", "cold or necrotic"), reach=15),
                attack("ranged weapon", 8, ("1d8+4", "piercing"), range=30, long_range=120),
            ],
        },
        {
            "name": "Bolt of Dust",
            "usage": "Recharge 5-6",
            "description": "It chokes.",
            "attacks": [attack("ranged spell", 9, ("4d10", "necrotic"), range=60, long_range=90)],
        },
        {
            "name": "Cold Hand",
            "description": "It freezes.",
            "attacks": [attack("melee spell", 9, ("7", "cold"), reach=5)],
        },
    ],
    "bonus_actions": [{"name": "Sink", "usage": "3/Day", "description": "She sinks into the ground."}],
    "reactions": [{"name": "Turn Aside", "attacks": [attack("melee weapon", 10, ("1d4+6", "bludgeoning"), reach=10)]}],
    "legendary_actions": [{"name": "Call", "description": "The dead rise."}],
    "legendary_uses": 3,
    "lair_actions": [{"name": "Stones", "description": "The stones move."}],
}

HUMBLE_HARE: dict[str, Any] = BOOK | {
    "id": "creature/hills/humble-hare",
    "entity_type": "creature",
    "name": "Humble Hare",
    "hit_dice": "2d4-2",
    "traits": [
        {"name": "Teeth", "attacks": [attack("melee weapon", 0, ("1d4", "piercing"), reach=5)]},
    ],
    "legendary_description": None,
}

FLOOD: dict[str, Any] = BOOK | {
    "id": "spell/hills/flood-of-oil",
    "entity_type": "spell",
    "name": "Flood of Oil",
    "level": 6,
    "school": "conjuration",
    "ritual": True,
    "concentration": True,
    "casting_time": "1 reaction",
    "reaction_condition": "which you take when you are wetted",
    "range": "Touch",
    "duration": "Up to 8 hours",
    "components": {
        "somatic": True,
        "material": True,
        "material_description": "a flask of oil worth 25 gp, which the spell consumes",
        "material_cost_gp": 25.0,
        "material_consumed": True,
    },
    "target_count": 4,
    "area_of_effect": {"shape": "cube", "size": 2, "unit": "miles"},
    "attack_roll": True,
    "damage_dice": "6d6",
    "damage_types": ["acid"],
    "description": "Oil floods the land.",
}

CANTRIP: dict[str, Any] = BOOK | {
    "id": "spell/hills/spark-of-flint",
    "entity_type": "spell",
    "name": "Spark of Flint",
    "level": 0,
    "school": "evocation",
    "casting_time": "1 action",
    "range": "60 feet",
    "duration": "Instantaneous",
    "components": {"verbal": True},
    "attack_roll": True,
    "damage_dice": "1d10",
    "damage_types": ["fire"],
    "description": "A spark flies.",
    "casting_options": [{"character_level": 5, "damage": "2d10"}, {"character_level": 11, "damage": "3d10"}],
}


def properties(*names: str) -> list[dict[str, str]]:
    return [{"name": name} for name in names]


ITEMS: dict[str, dict[str, Any]] = {
    "longsword": {
        "entity_type": "weapon",
        "weapon_category": "martial",
        "damage_dice": "1d8",
        "damage_type": "slashing",
        "versatile_dice": "1d10",
        "properties": properties("versatile"),
        "mastery": "sap",
        "weight_lb": 3.0,
        "cost_gp": 15.0,
    },
    "longbow": {
        "entity_type": "weapon",
        "weapon_category": "martial",
        "damage_dice": "1d8",
        "damage_type": "piercing",
        "range": 150,
        "long_range": 600,
        "is_ranged": True,
        "properties": properties("ammunition", "heavy", "two-handed"),
        "mastery": "slow",
        "weight_lb": 2.0,
        "cost_gp": 50.0,
    },
    "arrow": {"entity_type": "adventuring-gear", "item_category": "ammunition", "weight_lb": 0.05, "cost_gp": 0.05},
    "halberd-of-frost": {
        "entity_type": "magic-item",
        "item_category": "weapon",
        "weapon_category": "martial",
        "damage_dice": "1d10",
        "damage_type": "slashing",
        "range": 10,
        "properties": properties("heavy", "reach", "two-handed"),
        "is_magic": True,
        "rarity": "very rare",
        "requires_attunement": True,
        "bonus": 2,
        "charges": {"number": 6, "regains": "1d6 daily at dawn"},
        "description": "It is cold.",
    },
    "dart-sling": {
        "entity_type": "weapon",
        "weapon_category": "simple",
        "damage_dice": "1",
        "damage_type": "piercing",
        "is_ranged": True,
        "properties": properties("ammunition"),
    },
    "plate-of-the-hills": {
        "entity_type": "magic-item",
        "armor_category": "heavy",
        "armor_class": 18,
        "armor_class_text": "18",
        "strength_required": 15,
        "stealth_disadvantage": True,
        "is_magic": True,
        "rarity": "rare",
        "bonus": 1,
        "weight_lb": 65.0,
        "cost_gp": 1500.0,
    },
}


class OneFileADocument(SingleFileSnapshotExtension):
    """The document of a longsword is the file `longsword.json`."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - all documents lie in one folder
        return str(SNAPSHOTS)

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:  # noqa: ARG003
        return str(index)


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("creature", npc(BARROW_QUEEN)),
        ("creature-of-which-little-is-known", npc(HUMBLE_HARE)),
        ("spell", spell(FLOOD)),
        ("cantrip", spell(CANTRIP)),
        *((name, item(BOOK | {"id": f"item/{name}", "name": name} | told)) for name, told in ITEMS.items()),
    ],
)
def test_foundry_documents_equal_their_snapshots(
    snapshot: SnapshotAssertion, name: str, document: dict[str, Any]
) -> None:
    assert violations(document) == []
    assert f"{readable_json(document)}\n" == snapshot(name=name, extension_class=OneFileADocument)


def test_the_bestiary_of_fantasy_statblocks_equals_its_snapshot(snapshot: SnapshotAssertion) -> None:
    shown = bestiary([BARROW_QUEEN, HUMBLE_HARE])

    assert f"{readable_json(shown)}\n" == snapshot(name="bestiary", extension_class=OneFileADocument)


def test_a_spell_whose_dice_decrease_at_a_higher_level_does_not_scale() -> None:
    (attack,) = spell(CANTRIP | {"casting_options": [{"character_level": 5, "damage": "0d10"}]})["system"][
        "activities"
    ].values()

    assert attack["damage"]["parts"][0]["scaling"]["number"] is None
