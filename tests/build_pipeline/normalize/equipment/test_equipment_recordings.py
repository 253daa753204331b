"""Known facts of real equipment, from the recordings of the APIs."""

from __future__ import annotations

import pytest
from merging import linked, recorded

from build_pipeline.normalize.equipment import equipment
from build_pipeline.normalize.merging.draft import Problems
from server.dataset.schema import EQUIPMENT

pytestmark = pytest.mark.recordings


@pytest.fixture(scope="module")
def found(recordings):
    """(raw layer, entities by id, problems) of everything recorded of the family."""
    raw = recorded(recordings, "equipment")
    problems = Problems()
    entities = linked(equipment.drafts(raw, problems), equipment)
    return raw, {e.id: e for e in entities}, problems.entries


def mundane(found, kind, document="srd-2014"):
    return {e.name: e.facts for e in found[1].values() if e.entity_type == kind and e.document_key == document}


def test_nothing_is_lost(found):
    raw, entities, problems = found
    told = {r for e in entities.values() for r in e.raw} | {p["raw"] for p in problems}
    assert {obj.id for obj in raw} == told
    assert {p["raw"].rpartition("/")[0] for p in problems} == {"open5e_v1/armor"}


def test_every_fact_has_its_column(found):
    _, entities, _ = found
    for entity in entities.values():
        assert set(entity.facts) <= {c.name for c in EQUIPMENT.columns_of(entity.entity_type)}, entity.id


def test_records_have_required_columns_and_valid_values(found):
    _, entities, _ = found
    for entity in entities.values():
        facts = entity.facts
        assert None not in (facts["is_magic"], facts["is_weapon"], facts["is_armor"], facts["item_category"])
        assert facts.get("cost_gp") != 0
        assert facts.get("weight_lb") != 0
        assert facts.get("rarity") in {
            None, "common", "uncommon", "rare", "very rare", "legendary", "artifact", "varies"
        }  # fmt: skip
        assert facts.get("armor_category") in {None, "light", "medium", "heavy", "shield"}


def test_known_weapons_of_2014_are_read(found):
    weapons = mundane(found, "weapon")
    assert len(weapons) == 37
    longsword = weapons["Longsword"]
    assert (longsword["damage_dice"], longsword["versatile_dice"], longsword["damage_type"]) == (
        "1d8", "1d10", "slashing"
    )  # fmt: skip
    assert (longsword["cost_gp"], longsword["weight_lb"], longsword["is_simple"]) == (15, 3, False)
    cheap = {n for n, w in weapons.items() if w["is_finesse"] and w["is_light"] and w["cost_gp"] <= 10}
    assert cheap == {"Dagger", "Shortsword"}
    assert {n for n, w in weapons.items() if w.get("damage_dice") == "2d6"} == {"Greatsword", "Maul"}
    assert "damage_dice" not in weapons["Net"]
    assert weapons["Blowgun"]["damage_dice"] == "1"
    assert {"Light Crossbow", "Hand Crossbow", "Heavy Crossbow"} <= set(weapons)
    assert (weapons["Sling"]["range"], weapons["Sling"]["properties"][0]["detail"]) == (30, "range 30/120")


def test_plate_armor_is_one_entity(found):
    armor = mundane(found, "armor")
    plates = {name: facts for name, facts in armor.items() if name.startswith("Plate")}
    assert list(plates) == ["Plate Armor"]
    assert (plates["Plate Armor"]["armor_class"], plates["Plate Armor"]["cost_gp"]) == (18, 1500)
    assert len(armor) == 13
    chain = armor["Chain Mail"]
    assert (chain["armor_class"], chain["strength_required"], chain["stealth_disadvantage"]) == (16, 13, True)
    assert armor["Shield"]["armor_class_text"] == "+2"


def test_known_magic_weapons_and_armor_are_read(found):
    _, entities, _ = found
    for document in ("srd-2014", "srd-2024"):
        thrower = entities[f"magic-item/{document}/dwarven-thrower"].facts
        assert thrower["is_weapon"]
        assert thrower["base_item"]["id"] == f"weapon/{document}/warhammer"
        assert (thrower["damage_dice"], thrower["range"], thrower["long_range"]) == ("1d8", 20, 60)
        shield = entities[f"magic-item/{document}/arrow-catching-shield"].facts
        assert (shield["is_armor"], shield["armor_category"], shield["item_category"]) == (True, "shield", "shield")
    assert entities["magic-item/srd-2014/flame-tongue-shortsword"].facts["damage_type"] == "piercing"


def test_unknown_is_null(found):
    _, entities, _ = found
    for document in ("srd-2014", "srd-2024"):
        cloak = entities[f"magic-item/{document}/cloak-of-displacement"].facts
        assert (cloak["rarity"], cloak["requires_attunement"]) == ("rare", True)
        assert cloak.get("cost_gp") is cloak.get("weight_lb") is None


def test_items_attuned_by_wizards_are_known(found):
    details = [e.facts.get("attunement_detail") or "" for e in found[1].values()]
    assert sum("wizard" in d for d in details) >= 14
    assert not any(d.startswith("requires") for d in details)
