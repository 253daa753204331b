"""`search_spell` and `lookup_spell`."""

from typing import Final

from server.dataset.schema import SPELLS
from server.tools.parameters import words
from server.tools.tool import finder

SEARCH: Final = finder(
    "search_spell",
    "Search spells",
    "Find spells by what they do, or by their facts, and get them whole: level, school, casting time, range, "
    "components, duration, classes, damage, saving throw and text. `search` ranks by meaning; without it the filters "
    "alone select, sorted by name. For a spell whose name you know use lookup_spell.\n"
    "Examples:\n"
    'search_spell(search="protect from fire", level_max=3)\n'
    'search_spell(class_key="cleric", ritual=true, documents=["srd-5e"])',
    toolset="search",
    family="spell",
    tables=(SPELLS,),
    first=(words("search", 'What the spell does, in your own words, e.g. "turn invisible".', target="search"),),
)

LOOKUP: Final = finder(
    "lookup_spell",
    "Look up spells",
    "Get spells by name, as every source document prints them: level, school, casting time, range, components, "
    "duration, classes, damage, saving throw and text. Misspelt names come back as suggestions. Without `name` it lists "
    "what the filters select. For an idea instead of a name use search_spell.\n"
    "Examples:\n"
    'lookup_spell(name="fireball", documents=["srd-5e"])\n'
    'lookup_spell(name="*fire*", level=3)',
    toolset="lookup",
    family="spell",
    tables=(SPELLS,),
    first=(words("name", 'Name, part of it, or pattern, e.g. "fireball", "fire*", "*wall*".', target="name"),),
)
