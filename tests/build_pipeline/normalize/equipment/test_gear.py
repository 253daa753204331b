"""Gear, packs and facts without a column, from hand-written objects of every API."""

import copy

import pytest
from equipment_rows import document, layer, read, v2_item, v2_weapon

from build_pipeline.normalize.equipment import equipment


def test_a_pack_has_its_contents_and_price():
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


def test_facts_without_a_column_are_in_the_text():
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
        ("Foes fear who can throw it with a normal range of 15 feet and a maximum range of 45 feet.", (15, 45)),
        ("In a ranged attack with this fork, it has a normal range of 9 feet and a maximum range of 18 feet.", (9, 18)),
        ("One charge hurls the pot as if it had the thrown property (range 10/30).", None),
    ],
)
def test_a_text_may_give_the_thrown_property(text, thrown):
    facts = {"is_weapon": True, "description": text, "properties": [{"name": "light", "detail": None}]}
    found = equipment.derive("magic-item", facts)
    assert (found.get("range"), found.get("long_range")) == (thrown or (None, None))
    assert [p["name"] for p in found.get("properties", [])] == (["light", "thrown"] if thrown else [])


@pytest.mark.parametrize(
    ("text", "altered"),
    [
        ("It hums. This fork deals fire damage instead of piercing damage.", {"damage_type": "fire"}),
        ("It deals fire damage instead of slashing damage.", {}),
        ("While it burns, the fork deals fire damage instead of piercing damage.", {}),
        (
            "This magic fork has the finesse property.",
            {"is_finesse": True, "properties": ["finesse", "light", "loading", "thrown"]},
        ),
        ("The fork doesn't have the loading property.", {"properties": ["light", "thrown"]}),
        ("It doesn’t have the loading property, and it doesn’t require light.", {"properties": ["thrown"]}),
    ],
)
def test_a_magic_weapon_may_differ_from_its_base_item(text, altered):
    properties = [{"name": name, "detail": None} for name in ("light", "loading", "thrown")]
    fork = {"name": "Fork", "is_magic": True, "is_weapon": True, "damage_type": "piercing", "properties": properties}
    found = equipment.derive("magic-item", fork | {"base_item": {"name": "Fork"}, "description": text})
    told = {column: found[column] for column in ("damage_type", "is_finesse", "properties") if column in found}
    if "properties" in told:
        told["properties"] = [each["name"] for each in told["properties"]]
    assert told == altered


def test_a_bow_may_have_a_longer_range_than_its_base_item():
    properties = [{"name": "ammunition", "detail": "range 80/320"}, {"name": "light", "detail": None}]
    bow = {"name": "Bow", "is_magic": True, "is_weapon": True, "range": 80, "properties": properties}
    text = "This fine bow sings. Its normal range is doubled; what lies farther is no nearer."
    found = equipment.derive("magic-item", bow | {"base_item": {"name": "Bow"}, "description": text})
    assert found["range"] == 160
    assert [each["detail"] for each in found["properties"]] == ["range 160/320", None]


def test_a_magic_weapon_without_a_base_item_has_damage_from_its_text():
    fork = {
        "name": "Fork",
        "is_magic": True,
        "is_weapon": True,
        "description": "This magic fork deals 2d4 Piercing damage.",
    }
    found = equipment.derive("magic-item", fork)
    assert (found["damage_dice"], found["damage_type"]) == ("2d4", "piercing")
    assert "damage_dice" not in equipment.derive("magic-item", fork | {"description": "It deals 2d4 piercing damage."})
    told = equipment.derive(
        "magic-item", fork | {"description": "It has the reach and heavy properties and deals 2d4 piercing damage."}
    )
    assert [each["name"] for each in told["properties"]] == ["heavy", "reach"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You must be a cook to attune to this pot.", "by a cook"),
        ("It can only be attuned to by a brave cook.", "by a brave cook"),
        ("It can only be attuned to when you hold a _silver spoon._ It hums.", "when you hold a silver spoon"),
        ("You can attune to this item only if you can cook.", "only if you can cook"),
        ("You can only attune to these pans if you can cook.", "only if you can cook"),
        ("You cannot attune to this pot if you are a Newt.", "not if you are a newt"),
    ],
)
def test_who_may_attune_is_read_from_a_text(text, expected):
    pot = {"name": "Pot", "is_magic": True, "requires_attunement": True, "description": text}
    assert equipment.derive("magic-item", pot)["attunement_detail"] == expected


def test_magic_armor_without_a_base_item_has_its_class_from_the_text():
    text = "Your AC equals 12 + your Dexterity modifier."
    shirt = {"name": "Shirt", "is_magic": True, "is_armor": True, "description": text}
    found = equipment.derive("magic-item", shirt)
    assert (found["armor_class"], found["armor_class_text"]) == (12, "12 + Dex")
