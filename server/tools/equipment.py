"""`search_equipment` and `lookup_equipment`."""

from typing import Final

from server.dataset.schema import EQUIPMENT
from server.library.kinds import KINDS
from server.tools.parameters import token, words
from server.tools.tool import finder

_TYPES: Final = tuple(name for name in KINDS["equipment"] if name)
_TYPE: Final = token(
    "type",
    'What to find, e.g. "weapon"; weapon and armor include magic ones.',
    _TYPES,
    target="kind",
    default="all",
)

SEARCH: Final = finder(
    "search_equipment",
    "Search equipment",
    "Find weapons, armor, magic items and adventuring gear by what they do, or by their facts: price in gp, weight in "
    "lb, rarity, attunement, damage, armor class, properties and text. `search` ranks by meaning; without it the "
    "filters alone select, sorted by name. For an item whose name you know use lookup_equipment.\n"
    "Examples:\n"
    'search_equipment(search="helps against traps", type="magic-item", rarity="uncommon")\n'
    'search_equipment(type="weapon", is_finesse=true, cost_max=25)',
    toolset="search",
    family="equipment",
    tables=(EQUIPMENT,),
    first=(words("search", 'What it is or does, in your own words, e.g. "lets me fly".', target="search"), _TYPE),
)

LOOKUP: Final = finder(
    "lookup_equipment",
    "Look up equipment",
    "Get weapons, armor, magic items and adventuring gear by name, as every source document prints them: price in gp, "
    "weight in lb, rarity, attunement, damage, armor class, properties and text. Misspelt names come back as "
    "suggestions. Without `name` it lists what the filters select. For an idea instead of a name use search_equipment.\n"
    "Examples:\n"
    'lookup_equipment(name="longsword", type="weapon")\n'
    'lookup_equipment(name="cloak of*", requires_attunement="no")',
    toolset="lookup",
    family="equipment",
    tables=(EQUIPMENT,),
    first=(words("name", 'Name, part of it, or pattern, e.g. "chain mail", "*sword*".', target="name"), _TYPE),
)
