"""What holds of the real APIs' objects holds of the starter's too, which have their form in our own words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from build_pipeline.normalize.records import Normalized, normalize
from build_pipeline.snapshot.raw import RawLayer, read_raw_layer
from build_pipeline.sources import ENDPOINTS, SOURCES
from build_pipeline.tables import complaints
from server.dataset.schema import ENTITY_TABLES, TABLE_OF, TABLES

STARTER: Final = Path(__file__).parents[3] / "data" / "starter"


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


def test_every_text_arrives(entities: dict[str, dict[str, Any]]) -> None:
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
        ("feat/srd-2024/alert", ["open5e_v2", "dnd5e_api"]),
    ],
)
def test_what_several_apis_tell_is_one_entity(
    entities: dict[str, dict[str, Any]], entity_id: str, sources: list[str]
) -> None:
    assert [source for source in entities[entity_id]["sources"] if source != "srd"] == sources


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
    ],
)
def test_known_facts(entities: dict[str, dict[str, Any]], entity_id: str, facts: dict[str, Any]) -> None:
    assert {name: entities[entity_id][name] for name in facts} == facts


def test_parts_and_wholes_name_each_other(entities: dict[str, dict[str, Any]]) -> None:
    for record in entities.values():
        for part, whole in (("subclass_of", "subclasses"), ("subrace_of", "subraces")):
            parent = record.get(part)
            if parent and parent["id"] in entities:
                assert record["id"] in {child["id"] for child in entities[parent["id"]][whole]}
        assert (record.get("parent") or {}).get("id") != record["id"]
