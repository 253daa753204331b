"""Calls of every tool: answered ones, by the kind of answer, and refused ones."""

from typing import Any

from server.tools.registry import TOOLS

SRD = {"documents": ["srd-5e"]}
FEW = {"detail": "summary", "limit": 2}

Calls = dict[str, dict[str, Any]]

ANSWERS: dict[str, Calls] = {
    "search_spell": {
        "full": {"level": 3, "school": "evocation", "limit": 1, **SRD},
        "summary": {"class_key": "cleric", "ritual": True, **FEW},
        "ranked": {"search": "fireball", "detail": "summary", "limit": 1},
        "empty by its filters": {"level": 9, "school": "illusion", "ritual": True},
        "empty by a value that nothing has": {"class_key": "wizzard"},
        "empty by no document": {"documents": []},
        "empty by an unknown document": {"documents": ["srd-2015"]},
    },
    "lookup_spell": {
        "full": {"name": "fireball", **SRD},
        "summary": {"level_max": 1, **FEW},
        "several names": {"name": ["fireball", "fierball"], "detail": "summary", **SRD},
        "under a retired name": {"search": "fireball", "document_keys": "srd-5e", "detail": "summary"},
        "empty but for similar names": {"name": "fierball"},
        "empty by a filter": {"name": "fireball", "level": 2},
        "empty by the documents": {"name": "alarm", "documents": ["the-lantern-coast"]},
    },
    "search_creature": {
        "full": {"cr": "1/8", "type": "humanoid", "limit": 1},
        "summary": {"cr_max": "1/2", "environment": "forest", **FEW},
        "ranked": {"search": "goblin", "detail": "summary", "limit": 1, **SRD},
        "names": {"search": "goblin", "detail": "names", "limit": 2},
        "empty": {"cr_min": 20, "size": "tiny"},
    },
    "lookup_creature": {
        "full": {"name": "goblin", **SRD},
        "a part": {"name": "goblin", "part": "escape", **SRD},
        "empty by an unknown part": {"name": "goblin", "part": "scimtar", **SRD},
        "summary": {"name": "*dragon*", **FEW},
        "empty": {"name": "goblin", "type": "dragon"},
    },
    "search_equipment": {
        "full": {"type": "magic-item", "requires_attunement": "wizard", "limit": 1},
        "summary": {"type": "armor", "is_magic": False, **FEW},
        "ranked": {"search": "longsword", "detail": "summary", "limit": 1, **SRD},
        "empty by a filter of another type": {"type": "armor", "is_finesse": True},
    },
    "lookup_equipment": {
        "full": {"type": "weapon", "name": "longsword", **SRD},
        "summary": {"type": "weapon", "is_light": True, **FEW},
        "empty but for another type": {"type": "weapon", "name": "chain mail"},
    },
    "search_character_option": {
        "full": {"type": "background", "limit": 1},
        "summary": {"type": "class", **FEW},
        "ranked": {"type": "class", "search": "wizard", "detail": "summary", "limit": 1, **SRD},
        "empty": {"type": "feat", "documents": ["srd-2041"]},
    },
    "lookup_character_option": {
        "full": {"type": "race", "name": "elf", **SRD},
        "a level": {"type": "class", "name": "barbarian", "part": "level 5", **SRD},
        "summary": {"type": "class", "name": "barbarian", **FEW},
        "empty": {"type": "background", "name": "wizard"},
    },
    "search_rule": {
        "full": {"rule_type": "rule", "section": "combat", "limit": 1},
        "summary": {"rule_type": "condition", **FEW},
        "ranked": {"rule_type": "condition", "search": "prone", "detail": "summary", "limit": 1, **SRD},
        "empty": {"rule_type": "rule", "section": "cooking"},
    },
    "lookup_rule": {
        "full": {"rule_type": "condition", "name": "prone", **SRD},
        "without a type": {"name": "prone", "detail": "summary", **SRD},
        "summary": {"rule_type": "language", **FEW},
        "empty": {"rule_type": "skill", "name": "prone"},
    },
    "search_all": {
        "full": {"query": "", "content_types": ["DamageType"], "limit": 1},
        "summary": {"query": "", **FEW},
        "ranked": {"query": "fireball", "detail": "summary", "limit": 1, **SRD},
        "empty": {"query": "fireball", "documents": ["srd-2041"]},
    },
    "search_dnd_content": {
        "full": {"query": "", "content_types": ["condition"], "limit": 1},
        "summary": {"query": "", **FEW},
        "empty": {"query": "fireball", "documents": []},
    },
    "query": {
        "full": {"sql": "SELECT name, document_key FROM creatures WHERE challenge_rating < 1 ORDER BY ALL", "limit": 3},
        "empty": {"sql": "SELECT name FROM spells WHERE level > 9"},
        "summary": {"sql": "describe documents"},
    },
    "search": {
        "full": {"query": "fireball"},
        "empty": {"query": ""},
    },
    "fetch": {
        "full": {"id": "condition/srd-2014/prone"},
        "full by its address": {"id": "lorekeeper://spell/the-lantern-coast/brine-lash"},
    },
    "evaluate_encounter": {
        "full": {"party": [1, 1, 1, 1], "monsters": ["4 goblin warriors", "wolf x2"]},
        "over every budget, with cautions": {
            "party": [1, 2],
            "monsters": ["5 skeletons", {"name": "commoner", "count": 1}, "wraith", "Owlbear"],
        },
        "of an edition that the library cannot measure": {"party": [3], "monsters": ["troll"], "edition": "2014"},
        "by id, and a document that is not there": {
            "party": [5, 5],
            "monsters": ["creature/the-lantern-coast/fog-wrecker"],
            "documents": ["the-lantern-coast", "the-lantern-cost"],
        },
    },
    "suggest_encounter": {
        "full": {"party": [3, 3, 3, 3], "difficulty": "high", "seed": 7},
        "by a budget of one's own": {"party": [8], "xp": 2000, "documents": ["5e-2014"], "type": "undead", "seed": 1},
        "empty by the budget": {"party": [1], "cr_min": 2, "seed": 1},
        "empty by its filters": {"party": [1], "type": "dragon", "size": "tiny", "xp": 100, "seed": 1},
        "empty by the documents": {"party": [1], "documents": [], "xp": 100, "seed": 1},
    },
    "level_up": {
        "full": {"class_key": "wizard", "level": 3},
        "with a subclass, from the first level": {
            "class_key": "barbarian",
            "from_level": 0,
            "level": 3,
            "subclass": "path of the berserker",
        },
        "empty by the documents": {"class_key": "wizard", "level": 3, "documents": []},
    },
    "spell_list": {
        "full": {"class_key": "wizard", "level": 3},
        "by pact magic": {"class_key": "warlock", "level": 5, "documents": ["srd-2014"]},
        "from one slot": {"class_key": "cleric", "slot": 2},
        "of one spell level": {"class_key": "wizard", "level": 3, "spell_level": 1},
        "empty of that spell level": {"class_key": "wizard", "level": 3, "spell_level": 9},
        "empty": {"class_key": "fighter", "level": 4},
    },
    "roll_table": {
        "full": {"table": "lighthouse keeper", "seed": 3, "times": 2},
        "by its title": {"table": "Lighthouse Keeper: Sight", "seed": 3},
        "empty but for similar names": {"table": "lighthouse kepper sihgt", "seed": 3},
        "empty": {"table": "xyzzy", "seed": 3},
        "empty of no documents": {"table": "sight", "documents": [], "seed": 3},
        "empty by the documents": {"table": "sight", "documents": ["srd-2014"], "seed": 3},
    },
    "list_documents": {
        "full": {},
        "of one source": {"source": "orcbrew"},
    },
}

LONG_ANSWERS: dict[str, list[dict[str, Any]]] = {
    "evaluate_encounter": [
        {"party": [5] * 12, "monsters": ["wolf", "owlbear", "troll", "skeleton", "zombie", "wraith"]}
    ],
    "suggest_encounter": [{"party": [5] * 12, "limit": 10, "seed": 1}],
    "level_up": [{"class_key": "barbarian", "from_level": 0, "level": 20, "subclass": "path of the berserker"}],
    "spell_list": [{"class_key": "wizard"}, {"class_key": "wizard", "slot": 9}],
    "roll_table": [{"table": "lighthouse keeper", "times": 20, "seed": 1}],
    "list_documents": [{"format": "text"}],
}
"""Calls with long answers."""

COMMON_REFUSALS: list[dict[str, Any]] = [
    {"limit": 0},
    {"limit": 101},
    {"limit": "many"},
    {"limit": True},
    {"offset": -1},
    {"detail": "short"},
    {"documents": ["srd-5e", 5]},
    {"documnets": ["srd-5e"]},
    {"documents": ["srd-5e"], "document_keys": ["srd-5e"]},
]
REFUSALS: dict[str, list[dict[str, Any]]] = {
    "spell": [
        {"level": 12},
        {"level": True},
        {"level": 2.5},
        {"level": 1, "level_min": 1},
        {"level_min": 5, "level_max": 2},
        {"school": "evocatoin"},
        {"school": 3},
        {"ritual": "perhaps"},
        {"class_key": ["wizard"]},
        {"lvl": 3},
    ],
    "creature": [
        {"cr": "1/3"},
        {"cr": 31},
        {"cr": 5, "cr_max": 8},
        {"cr_min": 5, "cr_max": "1/2"},
        {"type": "dragno"},
        {"size": "enormous"},
        {"armor_class_min": -1},
        {"hit_points_min": "lots"},
        {"cr": 5, "challenge_rating": 5},
    ],
    "equipment": [
        {"type": "weapn"},
        {"type": "armor", "item_type": "weapon"},
        {"rarity": "epic"},
        {"requires_attunement": 1},
        {"cost_min": "cheap"},
        {"cost_min": 5, "cost_max": 3},
        {"is_magic": "perhaps"},
    ],
    "character_option": [{"type": "subclass"}, {"type": 5}, {"option_type": "class", "type": "class"}],
    "rule": [{"rule_type": "conditions"}, {"rule_type": "condition", "section": "combat"},
             {"rule_type": "rule", "type": "rule"}],
    "all": [{}, {"query": 5}, {"query": "", "content_types": ["Monster"]},
            {"query": "", "content_types": []}, {"query": "", "level": 3}],
}  # fmt: skip
REQUIRED: Calls = {"character_option": {"type": "class"}, "rule": {"rule_type": "rule"}, "all": {"query": ""}}
OTHER_REFUSALS: dict[str, list[dict[str, Any]]] = {
    "query": [{}, *({"sql": sql} for sql in ("SELECT nmae FROM spells", "DELETE FROM spells", "describe spels")),
              {"sql": 5}, {"sql": "", "limit": 501}, {"sql": "", "offset": 5}],
    "list_documents": [{"source": "open5e"}, {"source": ["orcbrew"]}, {"format": "xml"}, {"limit": 5}],
    "search": [{}, {"query": 5}, {"query": "fire", "limit": 5}],
    "fetch": [{}, {"id": "spell/srd-2014/firebll"}, {"id": "fireball", "book": "srd"}],
    "evaluate_encounter": [
        {}, {"party": [1]}, {"party": [], "monsters": ["wolf"]}, {"party": [0, 21], "monsters": ["wolf"]},
        {"party": 5, "monsters": ["wolf"]}, {"party": [1], "monsters": []}, {"party": [1], "monsters": ["0 wolves"]},
        {"party": [1], "monsters": [5]}, {"party": [1], "monsters": ["wolff"]}, {"party": [1], "monsters": ["dragon"]},
        {"party": [1], "monsters": ["wolf"], "edition": "2041"}, {"party": [1], "monsters": ["wolf"], "level": 5},
    ],
    "suggest_encounter": [
        {}, {"party": [1], "difficulty": "deadly"}, {"party": [1], "cr": 5, "cr_max": 8}, {"party": [1], "limit": 11},
        {"party": [1], "xp": 0}, {"party": [1], "seed": -1}, {"party": [1], "edition": "2014"},
        {"party": [1], "type": "dragno"}, {"party": [1], "characters": 4},
    ],
    "level_up": [
        {}, {"class_key": "wizard"}, {"class_key": "wizrd", "level": 3}, {"class_key": "wizard", "level": 21},
        {"class_key": "wizard", "level": 3, "from_level": 3}, {"class_key": "bard", "level": 3, "subclass": "thief"},
        {"class_key": "wizard", "level": 3, "multiclass": "bard"},
    ],
    "spell_list": [
        {}, {"class_key": "wizrd"}, {"class_key": ""}, {"class_key": "wizard", "slot": 10},
        {"class_key": "wizard", "level": 0},
        {"class_key": "wizard", "level": 3, "slot": 5}, {"class_key": "wizard", "school": "evocation"},
    ],
    "roll_table": [
        {}, {"table": 5}, {"table": " "}, {"table": "sight", "times": 21}, {"table": "sight", "dice": "1d4"},
        {"table": "sight", "sides": 4},
    ],
}  # fmt: skip
FINDERS = [tool.name for tool in TOOLS if tool.answers is None and tool.name != "list_documents"]


def family_of(tool: str) -> str:
    return tool.partition("_")[2].replace("dnd_content", "all")


def refusals_of(tool: str) -> list[dict[str, Any]]:
    """Calls that a tool refuses, one of each kind."""
    if tool in OTHER_REFUSALS:
        return OTHER_REFUSALS[tool]
    own, others = ("search", "name") if tool.startswith("search") else ("name", "search")
    common = [*COMMON_REFUSALS, {own: 5}, {own: "fire", others: "fire"}]
    return [*(REQUIRED.get(family_of(tool), {}) | call for call in common), *REFUSALS[family_of(tool)]]
