"""Which weapons are ranged, as each source says it; and the facts of weapons and armor as sentences."""

import pytest

from build_pipeline.normalize.equipment.weapons import dnd5e_weapon, v1_weapon, weapon_facts
from build_pipeline.normalize.text.items.descriptions import described

V1 = {"damage_dice": "1d4", "damage_type": "piercing", "properties": ["thrown (range 20/60)"]}
OF_2014 = {"weapon_category": "Simple", "properties": [{"index": "thrown"}]}
OF_2024 = {"properties": [{"index": "thrown"}]}


@pytest.mark.parametrize(("category", "is_ranged"), [("Simple Ranged Weapons", True), ("Simple Melee Weapons", False)])
def test_open5e_v1_says_it_in_the_category(category, is_ranged):
    assert v1_weapon({**V1, "category": category})["is_ranged"] is is_ranged


@pytest.mark.parametrize(("weapon_range", "is_ranged"), [("Ranged", True), ("Melee", False)])
def test_the_dnd5e_api_has_a_field_for_2014(weapon_range, is_ranged):
    assert dnd5e_weapon({**OF_2014, "weapon_range": weapon_range})["is_ranged"] is is_ranged


@pytest.mark.parametrize(("category", "is_ranged"), [("ranged-weapons", True), ("melee-weapons", False)])
def test_the_dnd5e_api_has_categories_for_2024(category, is_ranged):
    categories = [{"index": "simple-weapons"}, {"index": category}]
    assert dnd5e_weapon({**OF_2024, "equipment_categories": categories})["is_ranged"] is is_ranged


@pytest.mark.parametrize(("name", "is_ranged"), [("ammunition", True), ("thrown", None)])
def test_without_a_word_of_the_source_only_ammunition_tells(name, is_ranged):
    properties: list[dict[str, str | None]] = [{"name": name, "detail": None}]
    facts = weapon_facts(simple=True, dice="1d6", damage_type="piercing", properties=properties)
    assert facts["is_ranged"] is is_ranged


def test_facts_of_weapons_and_armor_are_written_as_sentences():
    sling = {"is_weapon": True, "weapon_category": "simple", "damage_dice": "1d4", "range": 30, "long_range": 120}
    assert described(sling | {"mastery": "slow"}) == (
        "A simple weapon that deals 1d4 damage. Range: 30/120 feet. Mastery: slow."
    )
    assert described({"is_weapon": True, "weapon_category": "simple", "is_ranged": True}) == "A simple ranged weapon."
    assert described({"is_weapon": True, "is_ranged": False}) == "A melee weapon."
    shield = {"armor_category": "shield", "armor_class": 2, "armor_class_text": "+2"}
    assert described(shield) == "A shield: +2 to armor class."
    mail = {"armor_category": "heavy", "armor_class": 16, "strength_required": 13, "stealth_disadvantage": True}
    assert described(mail) == (
        "Heavy armor with an armor class of 16. Requires Strength 13. Disadvantage on Stealth checks."
    )
    assert described({}) is None
