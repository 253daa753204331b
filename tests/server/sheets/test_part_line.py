"""Parts of records on one line."""

from typing import Any

import pytest

from server.sheets.part_line import part_line

LEVEL = {
    "level": 3,
    "proficiency_bonus": 2,
    "features": ["Rage", "Primal Path"],
    "columns": [{"name": "Rages", "value": "3"}],
}


@pytest.mark.parametrize(
    ("part", "fields", "said"),
    [
        ({"armor_class": 19}, ["armor_class"], "Armor Class: 19"),
        ({"cost_gp": 1500.0}, ["cost_gp"], "Cost: 1,500 gp"),
        ({"weight_lb": 0.25}, ["weight_lb"], "Weight: 0.25 lb"),
        ({"concentration": False}, ["concentration"], "Concentration: no"),
        ({"speed": {"walk": 40, "fly": None, "hover": False}}, ["speed"], "Speed: walk 40"),
        ({"components": {"verbal": True, "material": False}}, ["components"], "Components: verbal"),
        ({"skills": {"stealth": 6}}, ["skills.stealth"], "Skills Stealth: 6"),
        ({"saving_throws": None}, ["saving_throws.wisdom"], ""),
        ({"spells": [{"id": "spell/x/light", "name": "Light"}]}, ["spells"], "Spells: Light"),
        ({"damage_dice": "8d6", "damage_types": ["fire"]}, ["damage_dice", "damage_types"],
         "Damage Dice: 8d6; Damage Types: fire"),
        ({"actions": [{"name": "Bite", "description": "It bites. Hard."}]}, [], "Bite: It bites."),
        ({"actions": [{"name": "Bite"}, {"name": "Claw"}]}, [], "Level 3: Bite, Claw"),
        ({"features": [{"name": "Rage", "level": 1, "description": "Ire.", "by_level": {"Rages": "2 at level 1"}}]}, [],
         "Rage (level 1): Ire. Rages: 2 at level 1."),
        ({"is_light": True, "save_dc": 15, "damage_immunities": []}, ["is_light", "save_dc", "damage_immunities"],
         "Light: yes; Save DC: 15; Damage Immunities: none"),
        ({"progression": [LEVEL]}, [], "Level 3: Rage, Primal Path; Proficiency Bonus +2, Rages 3"),
        ({"features": [{"name": "Rage"}], "progression": [LEVEL]}, [],
         "Level 3: Rage, Primal Path; Proficiency Bonus +2, Rages 3"),
        ({"progression": [LEVEL | {"features": [], "proficiency_bonus": None}]}, [], "Level 3: Rages 3"),
        ({"progression": [LEVEL, LEVEL | {"level": 4}, LEVEL | {"level": 6, "columns": None}]}, [],
         "Rages: 3 at level 3"),
    ],
)  # fmt: skip
def test_a_part_is_said_in_a_few_words(part: dict[str, Any], fields: list[str], said: str) -> None:
    assert part_line({"part": "Level 3", "name": "Thing", **part}, fields, "rages") == said
