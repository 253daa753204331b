"""Weapons, armor and magic items from hand-written objects of every API."""

import pytest
from equipment_rows import (
    dnd5e_magic_item,
    layer,
    read,
    v1_magic_item,
    v2_armor,
    v2_item,
    v2_magic_item,
    v2_weapon,
    weapon_property,
)

from build_pipeline.normalize.equipment import equipment
from build_pipeline.normalize.merging.draft import Problems


def test_a_weapon_row_is_a_fact_of_its_item():
    row = v2_weapon("longsword", properties=[weapon_property("Versatile", "1d10")])
    entities, problems = read(
        layer(open5e_v2__weapons=[row], open5e_v2__items=[v2_item("longsword", category="weapon", weapon=row)])
    )
    (entity,) = entities.values()
    assert entity.id == "weapon/srd-2014/longsword"
    assert entity.raw == ["open5e_v2/items/srd_longsword", "open5e_v2/weapons/srd_longsword"]
    assert entity.facts["damage_dice"] == "1d8"
    assert entity.facts["versatile_dice"] == "1d10"
    assert entity.facts["damage_type"] == "slashing"
    assert entity.facts["weapon_category"] == "martial"
    assert entity.facts["properties"] == [{"name": "versatile", "detail": "1d10"}]
    assert (entity.facts["cost_gp"], entity.facts["weight_lb"]) == (15.0, 3.0)
    assert "range" not in entity.facts
    assert not problems


def test_mastery_is_not_a_property():
    row = v2_weapon("club", "srd-2024", properties=[weapon_property("Slow", kind="Mastery"), weapon_property("Light")])
    entities, _ = read(
        layer(open5e_v2__weapons=[row], open5e_v2__items=[v2_item("club", "srd-2024", category="weapon", weapon=row)])
    )
    facts = entities["weapon/srd-2024/club"].facts
    assert facts["mastery"] == "slow"
    assert [p["name"] for p in facts["properties"]] == ["light"]
    assert facts["is_light"]
    assert not facts["is_finesse"]


def test_v1_corrects_v2s_weapon_table_even_for_magic_weapons():
    row = v2_weapon("shortsword", kind="Slashing", properties=[weapon_property("Two-Handed")])
    v1 = {
        "slug": "shortsword",
        "name": "Shortsword",
        "category": "Martial Melee Weapons",
        "document__slug": "wotc-srd",
        "cost": "10 gp",
        "damage_dice": "1d6",
        "damage_type": "piercing",
        "weight": "2 lb.",
        "properties": ["finesse", "light", ""],
    }
    entities, _ = read(
        layer(
            open5e_v1__weapons=[v1],
            open5e_v2__weapons=[row],
            open5e_v2__items=[v2_item("shortsword", category="weapon", weapon=row)],
            open5e_v2__magicitems=[
                v2_magic_item("shortsword-1", name="Shortsword (+1)", category="weapon", weapon=row)
            ],
        )
    )
    assert set(entities) == {"weapon/srd-2014/shortsword", "magic-item/srd-2014/shortsword-1"}
    for entity in entities.values():
        assert entity.facts["damage_type"] == "piercing"
        assert [p["name"] for p in entity.facts["properties"]] == ["finesse", "light"]
        assert entity.facts["is_finesse"]
    magic = entities["magic-item/srd-2014/shortsword-1"]
    assert magic.facts["base_item"]["id"] == "weapon/srd-2014/shortsword"
    assert magic.facts["is_weapon"]
    assert magic.facts.get("cost_gp") is None
    assert magic.facts["weight_lb"] == 2.0
    assert magic.filled["weight_lb"] == "open5e_v1"
    assert (magic.facts["bonus"], magic.from_text) == (1, {"bonus"})


def test_plate_armor_of_three_sources_is_merged():
    row = v2_armor("plate")
    v1 = {
        "slug": "plate",
        "name": "Plate",
        "category": "Heavy Armor",
        "document__slug": "wotc-srd",
        "base_ac": 18,
        "plus_flat_mod": 0,
        "ac_string": "18",
        "strength_requirement": 15,
        "cost": "1500 gp",
        "weight": "",
        "stealth_disadvantage": True,
    }
    dnd5e = {
        "index": "plate-armor",
        "name": "Plate Armor",
        "equipment_category": {"index": "armor"},
        "armor_category": "Heavy",
        "weight": 65,
        "cost": {"quantity": 1500, "unit": "gp"},
        "armor_class": {"base": 18, "dex_bonus": False},
        "properties": [],
        "stealth_disadvantage": True,
        "str_minimum": 15,
    }
    item = v2_item("plate-armor", category="armor", armor=row, cost="1500.00", weight="0.000")
    entities, problems = read(
        layer(
            open5e_v1__armor=[v1],
            open5e_v2__armor=[row],
            open5e_v2__items=[item],
            dnd5e_api__2014__equipment=[dnd5e],
        )
    )
    (entity,) = entities.values()
    assert entity.id == "armor/srd-2014/plate-armor"
    assert "plate" in entity.keys
    assert entity.facts["armor_class"] == 18
    assert entity.facts["cost_gp"] == 1500
    assert entity.facts["weight_lb"] == 65
    assert entity.facts["strength_required"] == 15
    assert not problems


def test_a_way_to_calculate_armor_class_is_not_armor():
    spell = {"slug": "mage-armor", "name": "Mage Armor", "category": "Spell", "document__slug": "wotc-srd"}
    entities, problems = read(layer(open5e_v1__armor=[spell]))
    assert not entities
    assert problems == [
        {"raw": "open5e_v1/armor/mage-armor", "reason": "not an item but a way to calculate armor class (spell)"}
    ]


@pytest.mark.parametrize("doc", ["srd-2014", "srd-2024"])
def test_a_shield_is_armor_with_a_bonus(doc):
    row = v2_armor("shield", doc, base=2, category="heavy", strength=None)
    item = v2_item("shield", doc, category="armor", armor=row)
    entities, _ = read(layer(open5e_v2__armor=[row], open5e_v2__items=[item]))
    facts = entities[f"armor/{doc}/shield"].facts
    assert (facts["armor_category"], facts["armor_class"], facts["armor_class_text"]) == ("shield", 2, "+2")
    assert facts["item_category"] == "shield"
    assert facts.get("strength_required") is None


def test_a_magic_weapon_without_weapon_object_uses_other_sources():
    row = v2_weapon("warhammer", "srd-2024", kind="Bludgeoning", properties=[weapon_property("Versatile", "1d10")])
    thrower = v2_magic_item(
        "dwarven-thrower",
        "srd-2024",
        category="weapon",
        rarity="Very Rare",
        attunement=True,
        desc="Dwarves gave it the Thrown property (range 15/45 feet), and it comes home.",
    )
    told = {
        "index": "dwarven-thrower",
        "name": "Dwarven Thrower",
        "equipment_category": {"index": "weapons"},
        "rarity": {"name": "Very Rare"},
        "variants": [],
        "variant": False,
        "attunement": True,
        "limited-to": "Dwarf",
        "desc": "Weapon (Warhammer)  \n It comes back.",
    }
    entities, _ = read(
        layer(
            open5e_v2__weapons=[row],
            open5e_v2__items=[v2_item("warhammer", "srd-2024", category="weapon", weapon=row)],
            open5e_v2__magicitems=[thrower],
            dnd5e_api__2024__magic_items=[told],
        )
    )
    entity = entities["magic-item/srd-2024/dwarven-thrower"]
    assert entity.facts["is_weapon"]
    assert entity.facts["damage_dice"] == "1d8"
    assert entity.facts["attunement_detail"] == "by a dwarf"
    assert entity.facts["base_item"]["id"] == "weapon/srd-2024/warhammer"
    assert {"name": "thrown", "detail": "range 15/45"} in entity.facts["properties"]
    assert (entity.facts["range"], entity.facts["long_range"]) == (15, 45)
    assert {"damage_dice", "range", "base_item"} <= entity.from_text


def test_the_header_of_the_dnd5e_text_becomes_facts():
    sword = dnd5e_magic_item(
        "sun-brand",
        "Sun Brand",
        "Legendary",
        ["Weapon (longsword), legendary (requires attunement by a paladin)", "It shines."],
    )
    entities, _ = read(layer(dnd5e_api__2014__magic_items=[sword]))
    facts = entities["magic-item/srd-2014/sun-brand"].facts
    assert facts["description"].startswith("It shines.")
    assert facts["rarity"] == "legendary"
    assert facts["requires_attunement"] is True
    assert facts["attunement_detail"] == "by a paladin"
    assert facts["is_weapon"]


def test_facts_without_a_column_stay_in_the_text():
    group = dnd5e_magic_item(
        "blade", "Blade, +1, +2, or +3", "Varies", ["Weapon (any sword), uncommon (+1), rare (+2)", "Sharp."]
    )
    entities, _ = read(layer(dnd5e_api__2014__magic_items=[group]))
    (entity,) = entities.values()
    assert entity.facts["rarity"] == "varies"
    assert entity.facts["description"] == "Sharp.\n\nRarity: uncommon (+1), rare (+2).\n\nMade from: any sword."


def test_a_variant_with_its_groups_name_has_the_groups_text():
    group = dnd5e_magic_item(
        "draught", "Draught", "Varies", ["Potion, varies", "Red."], variants=[("draught-common", "Draught")]
    )
    common = dnd5e_magic_item("draught-common", "Draught", "Common", ["Potion, common", "Red."], variant=True)
    entities, _ = read(layer(dnd5e_api__2014__magic_items=[group, common]))
    (entity,) = entities.values()
    assert entity.facts["rarity"] == "common"
    assert entity.raw == ["dnd5e_api/2014/magic-items/draught-common", "dnd5e_api/2014/magic-items/draught"]


def test_a_variant_has_its_groups_raw_object():
    group = dnd5e_magic_item(
        "horn", "Horn", "Varies", ["Wondrous item, varies", "Loud."], variants=[("tin-horn", "Tin Horn")]
    )
    tin = dnd5e_magic_item("tin-horn", "Tin Horn", "Rare", ["Wondrous item, rare", "Tinny."], variant=True)
    entities, _ = read(layer(dnd5e_api__2014__magic_items=[group, tin]))
    (variant,) = (e for e in entities.values() if e.name == "Tin Horn")
    assert variant.raw == ["dnd5e_api/2014/magic-items/tin-horn", "dnd5e_api/2014/magic-items/horn"]


def test_kinds_of_an_item_may_have_their_own_rarity():
    text = "| **Spoon** | **Rarity** |\n|---|---|\n| Tin | Common |\n| Gold | Rare |"
    printed = "Tin Spoon (Common). It bends. Gold Spoon (Legendary). It shines."
    items = [
        v1_magic_item("spoon", "Wondrous item", "common", doc="vom", text=text),
        v1_magic_item("gold-spoon", "Wondrous item", "rare", doc="vom", text=printed),
    ]
    entities, _ = read(layer(open5e_v1__magicitems=items))
    assert {e.name: e.facts["rarity"] for e in entities.values()} == {"Spoon": "varies", "Gold Spoon": "legendary"}
    assert {e.facts["description"] for e in entities.values()} == {text, "Gold Spoon (Legendary). It shines."}


def test_the_base_of_a_v1_item_is_read_from_type_name_or_opening():
    row = v2_weapon("dagger", simple=True)
    items = [
        v1_magic_item("typed", "Weapon (dagger)", "rare", doc="vom"),
        v1_magic_item("dagger-of-fog", "Weapon", "rare", doc="vom"),
        v1_magic_item("opened", "Weapon", "rare", doc="vom", text="This black dagger hums. So does a mace."),
        v1_magic_item("open-choice", "Weapon (any axe)", "rare", doc="vom", text="Not a dagger."),
    ]
    entities, _ = read(
        layer(
            open5e_v2__weapons=[row],
            open5e_v2__items=[v2_item("dagger", category="weapon", weapon=row)],
            open5e_v1__magicitems=items,
        )
    )
    magic = {e.name: e.facts for e in entities.values() if e.entity_type == "magic-item"}
    for name in ("Typed", "Dagger Of Fog", "Opened"):
        assert magic[name]["base_item"]["id"] == "weapon/srd-2014/dagger"
        assert magic[name]["is_simple"] is True
    assert "base_item" not in magic["Open Choice"]
    assert magic["Open Choice"]["is_weapon"]


def test_categories_of_shields_and_armor_are_corrected():
    items = [
        v1_magic_item("moon-shield", "Armor", "rare", doc="vom"),
        v1_magic_item("moon-door", "Armor", "rare", doc="vom", text="This shield is round. It hums."),
        v1_magic_item("coat-of-mud", "Armor", "rare", doc="vom", text="This medium armor drips. A shield does not."),
    ]
    found = {e.name: e.facts for e in read(layer(open5e_v1__magicitems=items))[0].values()}
    told = [[found[item["name"]].get(f"{of}_category") for of in ("item", "armor")] for item in items]
    assert told == [["shield", "shield"], ["shield", "shield"], ["armor", "medium"]]


def test_ammunition_is_not_a_weapon():
    entities, _ = read(
        layer(open5e_v2__magicitems=[v2_magic_item("ammunition-of-slaying", "srd-2024", category="weapon")])
    )
    (entity,) = entities.values()
    assert entity.facts["item_category"] == "ammunition"
    assert not entity.facts["is_weapon"]
    row = v2_weapon("heavy-crossbow")
    bow = v2_magic_item("leaden-bolt", "srd-2024", category="weapon", weapon=row)
    entities, _ = read(layer(open5e_v2__weapons=[row], open5e_v2__magicitems=[bow]))
    assert entities["magic-item/srd-2024/leaden-bolt"].facts["item_category"] == "weapon"  # shot without a bolt


@pytest.mark.parametrize("category", ["rod", "wand"])
@pytest.mark.parametrize(
    "text", ["It functions as a magic quarterstaff.", "It can be used as a focus. It can be used as a quarterstaff."]
)
def test_a_rod_or_wand_usable_as_a_quarterstaff_is_a_weapon(text, category):
    row = v2_weapon("quarterstaff", simple=True, dice="1d6", kind="Bludgeoning")
    item = v2_magic_item("stick-of-storms", category=category, desc=text)
    entities, _ = read(layer(open5e_v2__weapons=[row], open5e_v2__magicitems=[item]))
    facts = entities["magic-item/srd-2014/stick-of-storms"].facts
    assert (facts["item_category"], facts["damage_dice"]) == (category, "1d6")


def test_a_staff_usable_as_a_quarterstaff_is_a_weapon():
    row = v2_weapon("quarterstaff", simple=True, dice="1d6", kind="Bludgeoning")
    staff = v2_magic_item(
        "staff-of-storms",
        category="staff",
        attunement=True,
        detail="requires attunement by a Wizard",
        desc="The crook can be wielded as a magic quarterstaff.",
    )
    focus = v2_item("staff", category="staff", weapon=row)
    entities, problems = read(layer(open5e_v2__weapons=[row], open5e_v2__items=[focus], open5e_v2__magicitems=[staff]))
    facts = entities["magic-item/srd-2014/staff-of-storms"].facts
    assert facts["item_category"] == "staff"
    assert facts["is_weapon"]
    assert facts["damage_dice"] == "1d6"
    assert facts["attunement_detail"] == "by a wizard"
    assert entities["adventuring-gear/srd-2014/staff"].facts["item_category"] == "spellcasting-focus"
    assert not problems


@pytest.mark.parametrize("text", ["You have a +1 bonus with this magic quarterstaff.", "It appears as a quarterstaff."])
def test_a_staff_may_be_a_weapon_by_its_text_alone(text):
    row = v2_weapon("quarterstaff", simple=True, dice="1d6", kind="Bludgeoning")
    staff = v2_magic_item("staff-of-storms", "a5e", category="staff", desc=text)
    entities, _ = read(layer(open5e_v2__weapons=[row], open5e_v2__magicitems=[staff]))
    (entity,) = (each for each in entities.values() if each.entity_type == "magic-item")
    assert entity.facts["is_weapon"]
    assert "damage_dice" not in entity.facts, "the numbers are those of another book's quarterstaff"
    assert "is_weapon" in entity.from_text


def test_printed_rarity_and_missing_attunement_win():
    v2 = v2_magic_item("odd-mask", rarity="Common", attunement=True, category="wondrous-item")
    v1 = v1_magic_item("odd-mask", "Wondrous item", "very rare")
    entities, _ = read(layer(open5e_v2__magicitems=[v2], open5e_v1__magicitems=[v1]))
    (entity,) = entities.values()
    assert entity.facts["rarity"] == "very rare"
    assert entity.facts["requires_attunement"] is False


@pytest.mark.parametrize(
    ("text", "attuned", "by"),
    [
        ("While you are attuned to this mask, you see far.", True, None),
        ("You must be a spellcaster to attune to this item. It hums.", True, "by a spellcaster"),
        ("**Glare (Requires Attunement).** Once attuned to the mask, you glare.", False, None),
        ("If it breaks, you may attune to one half. When attuned to it, you see half.", False, None),
        ("It shows those attuned to their masks.", False, None),
    ],
)
def test_attunement_may_be_read_from_a_text(text, attuned, by):
    entities, _ = read(layer(open5e_v2__magicitems=[v2_magic_item("odd-mask", category="wondrous-item", desc=text)]))
    facts = entities["magic-item/srd-2014/odd-mask"].facts
    assert (facts["requires_attunement"], facts.get("attunement_detail")) == (attuned, by)


def test_a_magic_item_of_the_price_list_is_common():
    potion = v2_item("potion-of-glee", category="potion", cost="50.00")
    entities, _ = read(layer(open5e_v2__items=[potion]))
    assert entities["magic-item/srd-2014/potion-of-glee"].facts["rarity"] == "common"


def test_a_text_that_only_names_the_weapon_is_replaced_by_its_facts():
    row = v2_weapon("longsword", properties=[weapon_property("Versatile", "1d10")])
    sling = v2_weapon("sling", dice="1d4", kind="Bludgeoning", simple=True, ranges=(30, 120))
    items = [
        v2_item("longsword", category="weapon", weapon=row, desc="A longsword."),
        v2_item("sling", category="weapon", weapon=sling, desc="A strip of hide that hurls a stone."),
    ]
    entities, _ = read(layer(open5e_v2__weapons=[row, sling], open5e_v2__items=items))
    assert entities["weapon/srd-2014/longsword"].facts["description"] == (
        "A martial weapon that deals 1d8 slashing damage (1d10 with two hands). Properties: versatile."
    )
    assert entities["weapon/srd-2014/sling"].facts["description"] == "A strip of hide that hurls a stone."
    told = {d.name: d.facts["description"] for d in equipment.drafts(layer(open5e_v2__items=items), Problems())}
    assert told == {"Longsword": None, "Sling": "A strip of hide that hurls a stone."}  # the sentence has no source
