"""Gear, packs and what no column can say, from hand-written objects of every API."""

import copy

import pytest
from equipment_rows import document, layer, read, v2_item, v2_weapon

from build_pipeline.normalize.equipment import equipment


def test_a_pack_is_its_set_and_its_price():
    rope = v2_item("rope-hempen-50-feet", name="Rope, hempen (50 feet)")
    pack = {
        "key": "delvers-pack",
        "name": "Delver's Pack",
        "desc": "Has what a delver wants.",
        "document": "srd-2014",
        "items": [{"name": rope["name"], "key": rope["key"]}],
    }
    holy = {**copy.deepcopy(pack), "key": "holy-symbols", "name": "Holy Symbols", "desc": "Signs of a god."}
    priced = {
        "index": "delvers-pack",
        "name": "Delver's Pack",
        "equipment_category": {"index": "adventuring-gear"},
        "gear_category": {"index": "equipment-packs"},
        "cost": {"quantity": 12, "unit": "gp"},
        "contents": [{"item": {"index": "rope", "name": "Rope, hempen (50 feet)"}, "quantity": 2}],
        "properties": [],
    }
    entities, _ = read(
        layer(open5e_v2__items=[rope], open5e_v2__itemsets=[pack, holy], dnd5e_api__2014__equipment=[priced])
    )
    assert set(entities) == {
        "adventuring-gear/srd-2014/hempen-rope-50-feet",
        "adventuring-gear/srd-2014/delvers-pack",
        "adventuring-gear/srd-2014/holy-symbols",
    }
    delvers = entities["adventuring-gear/srd-2014/delvers-pack"]
    assert delvers.facts["item_category"] == "equipment-pack"
    assert delvers.facts["cost_gp"] == 12
    assert delvers.facts["description"] == "Has what a delver wants."
    symbols = entities["adventuring-gear/srd-2014/holy-symbols"]
    assert symbols.facts["description"] == "Signs of a god.\n\nIncludes: Hempen Rope (50 feet)."


def test_facts_without_a_column_are_told_in_the_text():
    mule = {
        "index": "mule",
        "name": "Mule",
        "equipment_category": {"index": "mounts-and-vehicles"},
        "vehicle_category": "Mounts and Other Animals",
        "cost": {"quantity": 8, "unit": "gp"},
        "speed": {"quantity": 40, "unit": "ft/round"},
        "capacity": "420 lb.",
        "properties": [],
    }
    room = {
        "key": "srd-2024_room",
        "name": "Room",
        "desc": "A bed.",
        "cost": "0.50",
        "detail": "1 day",
        "document": document("srd-2024"),
    }
    poison = {"index": "gall", "name": "Gall", "cost": 150, "type": "contact", "description": "It burns."}
    entities, _ = read(
        layer(dnd5e_api__2014__equipment=[mule], open5e_v2__services=[room], dnd5e_api__2024__poisons=[poison])
    )
    texts = {e.name: (e.facts["item_category"], e.facts["description"]) for e in entities.values()}
    assert texts == {
        "Mule": ("mount", "Speed: 40 feet per round.\n\nCarrying capacity: 420 lb."),
        "Room": ("service", "A bed.\n\nPrice per day."),
        "Gall": ("poison", "It burns.\n\nPoison type: contact."),
    }


def test_an_unreferenced_weapon_row_is_a_problem():
    _, problems = read(layer(open5e_v2__weapons=[v2_weapon("longsword")]))
    assert problems == [{"raw": "open5e_v2/weapons/srd_longsword", "reason": "no item refers to it"}]


@pytest.mark.parametrize(
    ("text", "thrown"),
    [
        ("It has the thrown property (range 10/30).", (10, 30)),
        ("Gains the _thrown_ property with a range of 25 feet and a long range of 75 feet.", (25, 75)),
        ("One charge hurls it as if it had the thrown property (range 10/30).", None),
    ],
)
def test_a_text_may_give_the_thrown_property(text, thrown):
    facts = {"is_weapon": True, "description": text, "properties": [{"name": "light", "detail": None}]}
    found = equipment.derive("magic-item", facts)
    assert (found.get("range"), found.get("long_range")) == (thrown or (None, None))
    assert [p["name"] for p in found.get("properties", [])] == (["light", "thrown"] if thrown else [])
