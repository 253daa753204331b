"""Exports of spells for Foundry: rolls, their scaling, ranges and durations."""

from __future__ import annotations

from typing import Any

import pytest
from foundry_model import violations

from server.exports.foundry.spells import spell

BLAST: dict[str, Any] = {
    "id": "spell/hills/gravel-blast",
    "entity_type": "spell",
    "name": "Gravel Blast",
    "document_name": "The Hills",
    "level": 2,
    "school": "evocation",
    "casting_time": "1 bonus action",
    "range": "1,000 feet",
    "duration": "Up to 10 minutes",
    "components": {"verbal": True, "material": True, "material_cost_gp": 5.0, "material_consumed": True},
    "damage_dice": "3d8",
    "damage_types": ["bludgeoning"],
    "saving_throw": "dexterity",
    "save_effect": "half",
    "area_of_effect": {"shape": "emanation", "size": 10, "unit": "feet"},
    "description": "Gravel flies.",
    "higher_level": "More gravel flies.",
    "casting_options": [{"slot_level": 3, "damage": "5d8"}, {"slot_level": 4, "damage": "7d8"}],
}


def test_damage_with_a_saving_throw_scales() -> None:
    document = spell(BLAST)
    system = document["system"]
    (save,) = system["activities"].values()

    assert violations(document) == []
    assert system["activation"]["type"] == "bonus"
    assert system["range"] == {"units": "ft", "value": "1000", "special": ""}
    assert system["duration"] == {"units": "minute", "value": "10"}
    assert system["target"]["template"] == {"type": "radius", "size": "10", "units": "ft"}
    assert system["materials"]["cost"] == 5
    assert system["properties"] == ["vocal", "material"]
    assert "<strong>At Higher Levels.</strong>" in system["description"]["value"]
    assert save["type"] == "save"
    assert save["save"]["ability"] == ["dex"]
    assert save["damage"]["onSave"] == "half"
    assert save["damage"]["parts"][0]["scaling"]["number"] == 2


def test_a_spell_of_unknown_level_is_no_cantrip_and_does_not_scale_like_one() -> None:
    grown = [{"character_level": 5, "damage": "4d8"}]
    document = spell(BLAST | {"level": None, "casting_options": grown})
    (save,) = document["system"]["activities"].values()

    assert violations(document) == []
    assert document["system"]["level"] is None
    assert save["damage"]["parts"][0]["scaling"]["number"] is None


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"saving_throw": None, "attack_roll": True}, "attack"),
        ({"saving_throw": None, "damage_dice": None, "heals": "2d8 + spellcasting ability modifier"}, "heal"),
        ({"saving_throw": None}, "damage"),
        ({"saving_throw": None, "damage_dice": None}, "utility"),
    ],
)
def test_a_spell_has_its_activities(changes: dict[str, Any], kind: str) -> None:
    document = spell(BLAST | changes)
    (found,) = document["system"]["activities"].values()

    assert violations(document) == []
    assert found["type"] == kind
    if kind == "heal":
        assert (found["healing"]["number"], found["healing"]["bonus"]) == (2, "@mod")


def rolls(changes: dict[str, Any]) -> dict[str, list[tuple[str, list[str], int | None]]]:
    """Activity → its damage parts: dice, types, and dice added per higher slot."""
    document = spell(BLAST | changes)
    assert violations(document) == []
    return {
        each["type"]: [
            (f"{part['number']}d{part['denomination']}", part["types"], part["scaling"]["number"])
            for part in each["damage"]["parts"]
        ]
        for each in document["system"]["activities"].values()
    }


@pytest.mark.parametrize(
    ("told", "parts"),
    [
        ("It takes 3d8 fire damage and 2d6 cold damage.", [("3d8", ["fire"], 2), ("2d6", ["cold"], None)]),
        ("It takes 3d8 Fire damage plus 3d8 Cold damage.", [("3d8", ["fire"], 2), ("3d8", ["cold"], None)]),
        ("It takes 3d8 cold or fire damage.", [("3d8", ["cold", "fire"], 2)]),
        ("It takes 3d8 fire damage. Later it takes 3d8 cold damage.", [("3d8", ["cold", "fire"], 2)]),
        ("It takes 3d8 fire damage, and 2d6 fire damage later.", [("3d8", ["fire"], 2)]),
        ("It takes 3d8 damage of the chosen type.", [("3d8", ["cold", "fire"], 2)]),
    ],
)
def test_rolls_dealt_together_are_parts_of_one_activity(
    told: str, parts: list[tuple[str, list[str], int | None]]
) -> None:
    assert rolls({"damage_types": ["cold", "fire"], "description": told}) == {"save": parts}


@pytest.mark.parametrize(
    ("told", "more"),
    [
        ("The fire damage and the cold damage increase by 1d8.", [2, 2]),
        ("The fire damage or the cold damage (your choice) increases by 1d8.", [2, None]),
    ],
)
def test_only_the_named_rolls_scale(told: str, more: list[int | None]) -> None:
    grown = rolls({"description": "It takes 3d8 fire damage and 3d8 cold damage.", "higher_level": told})

    assert [part[2] for part in grown["save"]] == more


def test_a_roll_does_not_scale_by_the_dice_of_another() -> None:
    told = "On a hit, 3d8 fire damage. It must succeed on a Dexterity saving throw or take 4d8 cold damage."
    options = [{"slot_level": 3, "damage": "5d8", "description": "The cold damage increases by 1d8."}]
    grown = rolls({"attack_roll": True, "description": told, "casting_options": options})

    assert grown == {"attack": [("3d8", ["fire"], None)], "save": [("4d8", ["cold"], 1)]}


@pytest.mark.parametrize(
    ("told", "attack", "save"),
    [
        (
            "On a hit, 3d8 piercing damage. It must succeed on a Dexterity saving throw or take 2d6 cold damage.",
            [("3d8", ["piercing"], 2)],
            [("2d6", ["cold"], None)],
        ),
        ("On a hit, it must succeed on a Dexterity saving throw or take 3d8 cold damage.", [], [("3d8", ["cold"], 2)]),
        ("On a hit, 3d8 cold damage. It makes a Dexterity saving throw or falls.", [("3d8", ["cold"], 2)], []),
    ],
)
def test_a_spell_with_an_attack_and_a_saving_throw_has_both(
    told: str, attack: list[tuple[str, list[str], int | None]], save: list[tuple[str, list[str], int | None]]
) -> None:
    assert rolls({"attack_roll": True, "description": told}) == {"attack": attack, "save": save}


@pytest.mark.parametrize(
    ("told", "exported"),
    [
        ("Self (30-foot cone)", {"units": "self", "value": None, "special": ""}),
        ("Touch", {"units": "touch", "value": None, "special": ""}),
        ("1 mile", {"units": "mi", "value": "1", "special": ""}),
        ("Sight", {"units": "spec", "value": None, "special": "Sight"}),
        ("Unlimited", {"units": "any", "value": None, "special": ""}),
    ],
)
def test_ranges_are_exported(told: str, exported: dict[str, Any]) -> None:
    assert spell(BLAST | {"range": told})["system"]["range"] == exported


@pytest.mark.parametrize(
    ("told", "units"),
    [
        ("Instantaneous", "inst"),
        ("1 round", "round"),
        ("Until dispelled or triggered", "disp"),
        ("Permanent", "perm"),
        ("1 minute or 1 hour", "spec"),
    ],
)
def test_durations_are_exported(told: str, units: str) -> None:
    assert spell(BLAST | {"duration": told})["system"]["duration"]["units"] == units
