"""The calls of the soak's clients: every tool, with results, without and refused, as at many a gaming table."""

from __future__ import annotations

from typing import Any, Final

Call = tuple[str, dict[str, Any]]

_SQL: Final = (
    "SELECT name, challenge_rating FROM creatures ORDER BY challenge_rating DESC, name LIMIT 10",
    "SELECT level, count(*) AS n FROM spells GROUP BY level ORDER BY level",
    "SELECT document_key, count(*) AS n FROM equipment GROUP BY ALL ORDER BY n DESC, document_key",
    "SELECT a.name, count(*) AS n FROM creatures a JOIN spells b USING (document_key) GROUP BY 1 ORDER BY ALL LIMIT 5",
    "SELECT name FROM spells WHERE description ILIKE '%fire%' ORDER BY name LIMIT 20",
    "DESCRIBE creatures",
    "SELECT nmae FROM spells",
)
_SEARCHES: Final = ("protect from fire", "undead that drain life", "a cheap weapon for a rogue", "hide in shadows")

CALLS: Final[tuple[Call, ...]] = (
    *(("query", {"sql": sql}) for sql in _SQL),
    *(("search_all", {"query": text, "limit": 5}) for text in _SEARCHES),
    *(("search_dnd_content", {"query": text, "detail": "summary"}) for text in _SEARCHES[:2]),
    *(("search", {"query": text}) for text in _SEARCHES),
    ("search_all", {"query": "", "content_types": ["Creature"], "detail": "names", "limit": 100}),
    ("fetch", {"id": "condition/srd-2014/prone"}),
    ("fetch", {"id": "spell/srd-2014/no-such-spell"}),
    ("search_spell", {"search": "protect from fire", "level_max": 4, "limit": 5}),
    ("search_spell", {"level": 3, "school": "evocation", "detail": "summary"}),
    ("search_spell", {"class_key": "wizard", "ritual": True, "detail": "names"}),
    ("search_spell", {"level": 12}),
    ("lookup_spell", {"name": "fireball"}),
    ("lookup_spell", {"name": ["fireball", "shield", "wish"], "detail": "summary"}),
    ("lookup_spell", {"name": "fierball"}),
    ("lookup_spell", {"name": "*light*", "detail": "names"}),
    ("search_creature", {"search": "undead that drain life", "cr_max": 6, "limit": 5}),
    ("search_creature", {"cr_min": 5, "type": "undead", "detail": "summary"}),
    ("lookup_creature", {"name": "goblin warrior"}),
    ("lookup_creature", {"name": "aboleth", "format": "markdown"}),
    ("lookup_creature", {"name": "*dragon*", "detail": "summary", "limit": 20}),
    ("lookup_creature", {"name": "troll", "type": "dragn"}),
    ("search_equipment", {"search": "a cheap weapon for a rogue", "type": "weapon", "limit": 5}),
    ("search_equipment", {"type": "magic-item", "rarity": "rare", "detail": "names", "limit": 50}),
    ("lookup_equipment", {"type": "weapon", "name": "longsword"}),
    ("lookup_equipment", {"name": "bag of holding", "type": "magic-item"}),
    ("search_character_option", {"search": "wizard", "type": "class", "limit": 2, "detail": "summary"}),
    ("lookup_character_option", {"type": "class", "name": "barbarian", "part": "level 5"}),
    ("lookup_character_option", {"type": "race", "name": "elf"}),
    ("search_rule", {"rule_type": "rule", "search": "falling", "limit": 3}),
    ("lookup_rule", {"rule_type": "condition", "name": "prone"}),
    ("lookup_rule", {"name": "grappled", "documents": ["2024"]}),
    ("list_documents", {}),
    ("list_documents", {"format": "text"}),
    ("evaluate_encounter", {"party": [3, 3, 3, 3], "monsters": ["4 wolves", "ogre"]}),
    ("evaluate_encounter", {"party": [3], "monsters": ["no such monster"]}),
    ("suggest_encounter", {"party": [3, 3, 3, 3], "difficulty": "high", "seed": 7}),
    ("level_up", {"class_key": "wizard", "level": 5}),
    ("spell_list", {"class_key": "cleric", "level": 3}),
    ("roll_table", {"table": "lighthouse keeper", "seed": 3, "times": 2}),
    ("roll_table", {"table": "bag of beans", "seed": 3}),
)
