"""Every rule reports records that break it and no others."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.check import books, sources
from build_pipeline.check.checks import RULES, check
from server.dataset.schema import COMMON

IMP = {
    "id": "creature/red-book/imp", "entity_type": "creature", "document_key": "red-book", "name": "Bog Imp",
    "game_system": "5e-2014", "size": "small", "challenge_rating": 1.0, "experience_points": 200,
    "proficiency_bonus": 2, "armor_class": 13, "hit_points": 9, "hit_dice": "2d6+2", "initiative_bonus": 3,
    "ability_scores": {"dexterity": 17, "constitution": 12, "wisdom": 10}, "saving_throws": {"dexterity": 5},
    "skills": {"perception": 2}, "senses": {"darkvision": 60, "passive_perception": 12}, "speed": {"walk": 30},
    "spells": [{"name": "Spark", "id": "spell/red-book/spark"}],
    "actions": [{
        "name": "Bite", "description": "*Hit:* 5 (1d4 + 3) piercing damage.",
        "attacks": [{"name": "Bite", "to_hit": 5, "damage": [{"dice": "1d4+3", "type": "piercing"}]}],
    }],
}  # fmt: skip
SPARK = {
    "id": "spell/red-book/spark", "entity_type": "spell", "document_key": "red-book", "name": "Spark",
    "game_system": "5e-2014", "level": 1, "duration": "Instantaneous", "concentration": False,
    "description": "Make a ranged spell attack. The target must make a Dexterity saving throw or take 1d8 fire damage.",
    "damage_types": ["fire"], "saving_throw": "dexterity", "attack_roll": True, "classes": ["seer"],
    "components": {"material_description": "a ruby worth 50+ GP", "material_cost_gp": 50.0},
}  # fmt: skip
RING = {
    "id": "magic-item/red-book/ring", "entity_type": "magic-item", "document_key": "red-book", "name": "Ring",
    "game_system": "5e-2014", "is_magic": True, "rarity": "rare", "cost_gp": 50.0, "weight_lb": 0.1,
    "requires_attunement": True, "description": "You are warm while attuned to it.",
    "spells": [{"name": "Spark", "id": "spell/red-book/spark"}],
}  # fmt: skip
SLOTS = ["2", "3", "4/2", "4/3", "4/3/2", "4/3/3", "4/3/3/1", "4/3/3/2", "4/3/3/3/1", "4/3/3/3/2"]
SLOTS += ["4/3/3/3/2/1"] * 2 + ["4/3/3/3/2/1/1"] * 2 + ["4/3/3/3/2/1/1/1"] * 2
SLOTS += ["4/3/3/3/2/1/1/1/1", "4/3/3/3/3/1/1/1/1", "4/3/3/3/3/2/1/1/1", "4/3/3/3/3/2/2/1/1"]
SEER = {
    "id": "class/red-book/seer", "entity_type": "class", "document_key": "red-book", "name": "Seer",
    "game_system": "5e-2014", "caster_type": "full", "features": [{"name": "Sight", "level": 1}],
    "subclasses": [{"id": "subclass/red-book/far-seer", "name": "Far Seer"}],
    "spell_list": [{"level": 1, "spells": ["spell/red-book/spark"]}],
    "progression": [
        {
            "level": level, "proficiency_bonus": 2 + (level - 1) // 4,
            "columns": [{"name": f"Spell Slots {n}", "value": v} for n, v in enumerate(slots.split("/"))],
        }
        for level, slots in enumerate(SLOTS, 1)
    ],
}  # fmt: skip
FAR_SEER = {
    "id": "subclass/red-book/far-seer", "entity_type": "subclass", "document_key": "red-book", "name": "Far Seer",
    "game_system": "5e-2014", "subclass_of": {"id": "class/red-book/seer", "name": "Seer"},
}  # fmt: skip
COVER = {
    "id": "rule/red-book/cover", "entity_type": "rule", "document_key": "red-book", "name": "Cover",
    "game_system": "5e-2014", "document_source": "srd", "description": 'Walls help. *See also* "Wall."',
    "related": ["rule/red-book/wall"], "links": None, "parent": {"id": "rule/red-book/wall"}, "reading_order": 8,
    "provenance": {
        "raw": ["srd/red-book/cover", "open5e_v2/rules/cover"], "from_text": ["related"], "corrected": [],
        "filled": [{"column": "description", "source": "open5e_v2"}],
    },
}  # fmt: skip
WALL = {
    "id": "rule/red-book/wall", "entity_type": "rule", "document_key": "red-book", "name": "Wall", "reading_order": 7,
}  # fmt: skip
TABLES = {
    "creatures": [IMP], "spells": [SPARK], "equipment": [RING], "character_options": [SEER, FAR_SEER],
    "rules": [COVER, WALL],
}  # fmt: skip
TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |"

BREAKS: list[tuple[str, str, dict[str, Any]]] = [
    ("ability-scores", "creatures", {"ability_scores": {"charisma": -3}}),
    ("saving-throws", "creatures", {"saving_throws": {"constitution": 30}}),
    ("skills", "creatures", {"skills": {"stealth": 40}}),
    ("speeds", "creatures", {"speed": {"walk": 3000}}),
    ("senses", "creatures", {"senses": {"darkvision": 0}}),
    ("armor-class", "creatures", {"armor_class": 0}),
    ("hit-points", "creatures", {"hit_points": 0}),
    ("challenge-rating", "creatures", {"challenge_rating": 0.75}),
    ("creature-size", "creatures", {"size": "middling"}),
    ("spell-level", "spells", {"level": 10}),
    ("price", "equipment", {"cost_gp": 0.0}),
    ("weight", "equipment", {"weight_lb": -1.0}),
    ("rarity", "equipment", {"rarity": "scarce"}),
    ("hit-points-and-dice", "creatures", {"hit_points": 22}),
    ("hit-die-and-size", "creatures", {"hit_dice": "2d8"}),
    ("hit-dice-and-constitution", "creatures", {"hit_dice": "2d6+4"}),
    ("experience", "creatures", {"experience_points": 100}),
    ("proficiency-bonus", "creatures", {"proficiency_bonus": 3}),
    ("passive-perception", "creatures", {"skills": {"perception": 0}}),
    ("save-bonuses", "creatures", {"saving_throws": {"dexterity": 1}}),
    ("skill-bonuses", "creatures", {"skills": {"stealth": 4}}),
    ("attack-bonuses", "creatures", {"actions": [{"attacks": [{"name": "Bite", "to_hit": 9, "damage": []}]}]}),
    ("initiative", "creatures", {"initiative_bonus": 9}),
    ("damage-types", "spells", {"damage_types": ["cold"]}),
    ("saves-in-text", "spells", {"saving_throw": None}),
    ("attacks-in-text", "spells", {"attack_roll": False}),
    ("material-price", "spells", {"components": {"material_description": "a ruby worth 50+ GP"}}),
    ("concentration", "spells", {"concentration": True}),
    ("attack-damage", "creatures", {"actions": [{**IMP["actions"][0], "attacks": []}]}),  # type: ignore[index,dict-item]
    ("attunement-in-text", "equipment", {"requires_attunement": False}),
    ("twenty-levels", "character_options", {"progression": [{"level": 1}]}),
    ("twenty-levels", "character_options",
     {"progression": [*SEER["progression"], {**SEER["progression"][0], "level": 21, "proficiency_bonus": 7}]}),
    ("class-proficiency-bonus", "character_options", {"progression": [{"level": 5, "proficiency_bonus": 2}]}),
    ("spell-slots", "character_options",
     {"progression": [{"level": 3, "columns": [{"name": "Spell Slots 1st", "value": "4"}]}]}),
    ("feature-levels", "character_options", {"features": [{"name": "Sight", "level": 21}]}),
    ("no-dangling-ids", "spells", {"links": [{"id": "spell/red-book/gone"}]}),
    ("right-edition", "spells", {"game_system": "5e-2024", "related": ["creature/red-book/imp"]}),
    ("creatures-spells", "creatures", {"spells": [{"name": "hex", "id": None}]}),
    ("items-spells", "equipment", {"spells": [{"name": "hex", "id": None}]}),
    ("spell-lists", "character_options", {"spell_list": [{"level": 2, "spells": ["spell/red-book/spark"]}]}),
    ("spell-lists", "spells", {"classes": ["bard"]}),
    ("spell-lists", "spells", {"classes": ["seer"], "id": "spell/red-book/flash"}),
    ("see-also", "rules", {"related": ["Wall"]}),
    ("unique-ids", "rules", {"id": "rule/red-book/wall"}),
    ("reading-order", "rules", {"reading_order": 6}),
    ("no-circles", "rules", {"parent": {"id": "rule/red-book/cover"}}),
    ("provenance-columns", "rules", {"related": []}),
    ("provenance-sources", "rules", {"document_source": "open5e_v2"}),
    ("ways-back", "character_options", {"subclasses": []}),
    ("mojibake", "spells", {"higher_level": "the casterâ€™s hand"}),
    ("control-characters", "spells", {"higher_level": "a\u200bb"}),
    ("markup", "spells", {"higher_level": "see {@spell fireball}"}),
    ("glued-words", "spells", {"higher_level": "your map,which leads"}),
    ("spaces", "spells", {"higher_level": "two  spaces"}),
    ("emphasis", "spells", {"higher_level": "**Bold. And on."}),
    ("sentences-end", "spells", {"higher_level": "It burns the"}),
    ("sentences-end", "spells", {"higher_level": "It must succeed on a DC 15 Constitution saving throw."}),
    ("markdown-tables", "spells", {"higher_level": f"{TABLE}\n| 3 |"}),
]  # fmt: skip


def found(tables: dict[str, list[dict[str, Any]]]) -> set[str]:
    return {finding.rule for finding in check(tables).broken}


def test_records_that_obey_the_rules_are_not_reported() -> None:
    fine = {**TABLES, "spells": [{**SPARK, "higher_level": f"More. **Even** so.\n\n{TABLE}"}]}
    assert found(fine) == set()
    counts = check(fine).counts
    about_sources = {rule.name for rule in (*books.RULES, *sources.RULES)}
    assert {rule.name for rule in RULES} - set(counts) - about_sources <= {"right-edition"}


def test_a_save_in_a_summoned_creatures_stat_block_is_not_the_spells() -> None:
    summons = {
        **SPARK,
        "description": f"{SPARK['description']}\n\n## Imp\n\nIt must make a Wisdom saving throw or flee.",
    }
    assert found({**TABLES, "spells": [summons]}) == set()


@pytest.mark.parametrize(("rule", "table", "changes"), BREAKS, ids=[rule for rule, *_ in BREAKS])
def test_each_rule_reports_what_breaks_it(rule: str, table: str, changes: dict[str, Any]) -> None:
    first, *others = TABLES[table]
    assert rule in found({**TABLES, table: [{**first, **changes}, *others]})


REQUIRED = {column.name for column in COMMON if column.required}
UNKNOWN = [(table, column) for table, rows in TABLES.items() for column in sorted({*rows[0]} - REQUIRED)]


@pytest.mark.parametrize(("table", "column"), UNKNOWN)
def test_no_rule_needs_a_fact_that_may_be_unknown(table: str, column: str) -> None:
    rows = [{name: value for name, value in row.items() if name != column} for row in TABLES[table]]
    assert found({**TABLES, table: rows}) <= {rule.name for rule in RULES}


def test_every_rule_has_a_test() -> None:
    about_sources = {rule.name for rule in (*books.RULES, *sources.RULES)}
    assert {rule for rule, *_ in BREAKS} == {rule.name for rule in RULES} - about_sources


@pytest.mark.parametrize(
    ("passive", "changes", "fits"),
    [
        (17, {}, False),
        (
            17,
            {"traits": [{"name": "Keen Smell", "description": "It has advantage on Wisdom (Perception) checks."}]},
            True,
        ),
        (15, {"game_system": "a5e"}, True),  # with an expertise die, a d6
        (15, {}, False),
        (15, {"game_system": "a5e", "skills": {}}, False),
    ],
)
def test_advantage_and_expertise_dice_add_to_passive_perception(
    passive: int, changes: dict[str, Any], *, fits: bool
) -> None:
    creature = {**IMP, "senses": {"passive_perception": passive}, **changes}
    assert ("passive-perception" not in found({"creatures": [creature]})) is fits


@pytest.mark.parametrize(("kind", "fits"), [("cold or piercing", True), ("cold or fire", False)])
def test_a_hit_may_be_one_of_the_types_to_choose_from(kind: str, *, fits: bool) -> None:
    bite = {**IMP["actions"][0], "attacks": [{"damage": [{"dice": "1d4+3", "type": kind}]}]}  # type: ignore[index,dict-item]
    assert ("attack-damage" not in found({"creatures": [{**IMP, "actions": [bite]}]})) is fits
