"""Properties of the real APIs' objects, checked on the starter's, which have the same form."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from starter_rows import STARTER

from build_pipeline.normalize.records import Normalized, normalize
from build_pipeline.snapshot.raw import RawLayer, read_raw_layer
from build_pipeline.sources import ENDPOINTS, SOURCES
from build_pipeline.tables import complaints
from server.dataset.schema import ENTITY_TABLES, TABLE_OF, TABLES


@pytest.fixture(scope="module")
def raw() -> RawLayer:
    return read_raw_layer(STARTER, ENDPOINTS)


@pytest.fixture(scope="module")
def normalized(raw: RawLayer) -> Normalized:
    return normalize(raw, SOURCES)


@pytest.fixture(scope="module")
def entities(normalized: Normalized) -> dict[str, dict[str, Any]]:
    """Every entity by its id."""
    return {record["id"]: record for table in ENTITY_TABLES for record in normalized.tables[table.name]}


def test_nothing_is_lost(raw: RawLayer, normalized: Normalized, entities: dict[str, dict[str, Any]]) -> None:
    coverage = dict(normalized.coverage)
    assert coverage.pop("objects") == sum(coverage.values()) == len(list(raw))
    told = {raw_id for record in entities.values() for raw_id in record["provenance"]["raw"]}
    assert {obj.id for obj in raw} >= told
    assert not [problem for problem in normalized.problems if problem["reason"] == "no normaliser read it"]


def test_every_record_obeys_the_schema(normalized: Normalized, entities: dict[str, dict[str, Any]]) -> None:
    assert [c for table in TABLES for record in normalized.tables[table.name] for c in complaints(table, record)] == []
    for record in entities.values():
        columns = {column.name for column in TABLE_OF[record["entity_type"]].columns_of(record["entity_type"])}
        assert {name for name, value in record.items() if value is not None} <= columns, record["id"]


def test_a_document_counts_its_entities(normalized: Normalized, entities: dict[str, dict[str, Any]]) -> None:
    counted = Counter((e["document_key"], source) for e in entities.values() for source in e["sources"])
    rows = normalized.tables["documents"]
    assert {(row["document_key"], row["source_api"]): row["entity_count"] for row in rows} == counted


def test_every_text_is_read(entities: dict[str, dict[str, Any]]) -> None:
    silent = {record["id"] for record in entities.values() if not record.get("description")}
    assert {record_id.partition("/")[0] for record_id in silent} <= {"creature", "weapon", "armor", "adventuring-gear"}


@pytest.mark.parametrize(
    ("entity_id", "sources"),
    [
        ("spell/srd-2014/burning-hands", ["open5e_v2", "open5e_v1", "dnd5e_api"]),
        ("creature/srd-2014/goblin", ["open5e_v2", "open5e_v1", "dnd5e_api"]),
        ("magic-item/srd-2014/holy-avenger", ["open5e_v1", "dnd5e_api"]),
        ("subrace/srd-2014/lightfoot", ["open5e_v2", "open5e_v1", "dnd5e_api"]),
        ("feat/srd-2014/grappler", ["open5e_v2", "open5e_v1", "dnd5e_api"]),
        ("condition/srd-2014/blinded", ["open5e_v2", "open5e_v1", "dnd5e_api"]),
        ("feat/srd-2024/alert", ["srd", "open5e_v2", "dnd5e_api"]),
        ("class/srd-2014/sorcerer", ["srd", "open5e_v2"]),
        ("condition/srd-2024/prone", ["srd", "open5e_v2"]),
    ],
)
def test_an_entity_of_several_sources_is_merged(
    entities: dict[str, dict[str, Any]], entity_id: str, sources: list[str]
) -> None:
    assert entities[entity_id]["sources"] == sources


@pytest.mark.parametrize(
    ("entity_id", "facts"),
    [
        ("spell/srd-2014/fireball", {"level": 3, "school": "evocation", "range": "150 feet", "damage_dice": "8d6"}),
        ("creature/srd-2014/ancient-red-dragon", {"hit_points": 546, "armor_class": 22, "experience_points": 62000}),
        ("weapon/srd-2014/longsword", {"damage_dice": "1d8", "versatile_dice": "1d10", "cost_gp": 15.0}),
        ("armor/srd-2014/plate-armor", {"armor_class": 18, "cost_gp": 1500.0, "strength_required": 15}),
        ("magic-item/srd-2024/dwarven-thrower", {"is_weapon": True, "damage_dice": "1d8", "range": 20}),
        ("class/srd-2014/paladin", {"hit_dice": "d10", "spellcasting_ability": "charisma", "caster_type": "half"}),
        ("race/srd-2014/elf", {"size": "medium", "ability_score_increases": [{"ability": "dexterity", "bonus": 2}]}),
        ("subrace/srd-2024/elven-lineage-wood-elf", {"speed": {"walk": 35}}),
        ("background/srd-2014/acolyte", {"skill_proficiencies": "Insight, Religion"}),
        (
            "creature/srd-2024/goblin-warrior",
            {"initiative_bonus": 2, "group": "Goblins", "deals": ["piercing", "slashing"]},
        ),
        ("spell/srd-2024/eldritch-blast", {"level": 0, "classes": ["warlock"], "damage_dice": "1d10"}),
        ("spell/srd-2014/mage-armor", {"classes": ["sorcerer", "wizard"], "duration": "8 hours"}),
        ("magic-item/srd-2024/energy-bow", {"rarity": "very rare", "requires_attunement": True, "bonus": 1}),
        ("magic-item/srd-2024/potion-of-healing-greater", {"rarity": "uncommon", "item_category": "potion"}),
        ("weapon/srd-2024/scimitar", {"damage_dice": "1d6", "mastery": "nick", "cost_gp": 25.0}),
        ("adventuring-gear/srd-2024/assassins-blood", {"item_category": "poison", "cost_gp": 150.0}),
        ("class/srd-2024/warlock", {"hit_dice": "d8", "caster_type": "pact", "primary_ability": "charisma"}),
        ("rule/srd-2024/dash", {"tags": ["action"], "section": "Rules Glossary"}),
        ("rule/srd-2024/cone", {"tags": ["area of effect"]}),
        ("rule/srd-2024/burning", {"tags": ["hazard"]}),
        ("rule/srd-2024/friendly", {"tags": ["attitude"]}),
        ("rule/srd-2024/falling-net", {"tags": ["trap"], "section": "Gameplay Toolbox"}),
        ("rule/srd-2024/sewer-plague", {"tags": ["disease"]}),
        ("rule/srd-2024/extreme-cold", {"tags": ["environmental effect"]}),
    ],
)
def test_known_facts_are_read(entities: dict[str, dict[str, Any]], entity_id: str, facts: dict[str, Any]) -> None:
    assert {name: entities[entity_id][name] for name in facts} == facts


def test_parts_and_wholes_name_each_other(entities: dict[str, dict[str, Any]]) -> None:
    for record in entities.values():
        for part, whole in (("subclass_of", "subclasses"), ("subrace_of", "subraces")):
            parent = record.get(part)
            if parent and parent["id"] in entities:
                assert record["id"] in {child["id"] for child in entities[parent["id"]][whole]}
        assert (record.get("parent") or {}).get("id") != record["id"]


def test_carried_equipment_is_linked(entities: dict[str, dict[str, Any]]) -> None:
    gear = {each["name"]: each["id"] for each in entities["creature/srd-2024/goblin-warrior"]["gear"]}
    assert gear == {
        "Leather Armor": "armor/srd-2024/leather-armor",
        "Scimitar": "weapon/srd-2024/scimitar",
        "Shield": "armor/srd-2024/shield",
        "Shortbow": None,
    }


@pytest.mark.parametrize(
    ("kind", "owner", "options"),
    [
        ("invocation", "class/srd-2024/warlock", {"Agonizing Blast", "Devil's Sight", "Otherworldly Leap"}),
        ("metamagic", "class/srd-2014/sorcerer", {"Quickened Spell", "Subtle Spell"}),
    ],
)
def test_options_belong_to_the_class_that_offers_them(
    entities: dict[str, dict[str, Any]], kind: str, owner: str, options: set[str]
) -> None:
    offered = [record for record in entities.values() if record.get("feat_type") == kind]
    assert {record["name"] for record in offered} == options
    assert {each["id"] for record in offered for each in record["option_of"]} == {owner}


def test_a_table_of_a_rule_is_data(entities: dict[str, dict[str, Any]]) -> None:
    [table] = entities["rule/srd-2024/xp-budget-per-character"]["tables"]
    assert table["columns"] == ["Party's Level", "Low", "Moderate", "High"]
    assert table["rows"][4] == ["5", "500", "750", "1,100"]


def test_a_class_has_twenty_levels(entities: dict[str, dict[str, Any]]) -> None:
    for entity_id in ("class/srd-2024/warlock", "class/srd-2014/sorcerer"):
        assert [row["level"] for row in entities[entity_id]["progression"]] == list(range(1, 21))
