"""Lists of damage and conditions, in which the name of a trait is replaced by what it lists."""

from __future__ import annotations

from build_pipeline.normalize.creatures.defences import named_by_traits, settled_defences
from build_pipeline.normalize.text.stat_blocks.actions import trait

COLUMNS = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")


def told(traits: dict[str, str], **lists: list[str]) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {column: [] for column in COLUMNS} | lists
    found = settled_defences(given, [trait(name, text) for name, text in traits.items()])
    return {column: members for column, members in found.items() if members}


def test_a_named_trait_is_replaced_by_its_list():
    newt = {
        "Newt Resilience": "The newt is resistant to cold and fire damage. Besides, it is immune to poison damage, "
        "to exhaustion, and to the poisoned and prone conditions."
    }
    lists = {"damage_resistances": ["newt resilience"], "damage_immunities": ["acid", "newt resilience"]}
    assert told(newt, **lists) == {
        "damage_resistances": ["cold", "fire"],
        "damage_immunities": ["poison", "acid"],
        "condition_immunities": ["exhaustion", "poisoned", "prone"],
    }


def test_columns_read_from_a_trait_have_a_text_as_source():
    traits = [trait("Newt Resilience", "It is resistant to cold damage, and it is immune to the prone condition.")]
    assert named_by_traits({"damage_resistances": ["newt resilience"], "damage_immunities": ["acid"]}, traits) == {
        "damage_resistances",
        "condition_immunities",
    }
    assert named_by_traits({"damage_resistances": ["cold"]}, traits) == set()


def test_conditions_in_a_later_list_are_read():
    newt = {"Newt Nature": "The newt is immune to exhaustion and the charmed, prone, and stunned conditions."}
    assert told(newt, damage_immunities=["newt nature"]) == {
        "condition_immunities": ["exhaustion", "charmed", "prone", "stunned"]
    }


def test_a_trait_with_a_choice_adds_nothing():
    choice = {"Art": "The bard is resistant to one type of damage: acid or cold (the bard's choice)."}
    assert told(choice, damage_resistances=["art"]) == {}
    examples = {
        "Art": "It is resistant to one type of damage. For example, a singer is resistant to thunder damage, and a "
        "dancer is resistant to psychic damage. The art can't make the bard resistant to force or radiant damage."
    }
    assert told(examples, damage_resistances=["art"]) == {}


def test_conditions_and_damage_are_moved_to_their_lists():
    assert told({}, damage_immunities=["fire", "prone"], condition_immunities=["lightning", "stunned"]) == {
        "damage_immunities": ["fire", "lightning"],
        "condition_immunities": ["prone", "stunned"],
    }
    assert told({}, damage_immunities=["psychic condition immunities blinded", "prone"]) == {
        "damage_immunities": ["psychic"],
        "condition_immunities": ["blinded", "prone"],
    }


def test_a_resisted_condition_is_listed_as_a_condition():
    assert told({}, damage_resistances=["prone", "cold"], damage_vulnerabilities=["stunned"]) == {
        "damage_resistances": ["cold"],
        "condition_resistances": ["prone"],
        "condition_vulnerabilities": ["stunned"],
    }
