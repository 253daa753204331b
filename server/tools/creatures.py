"""`search_creature` and `lookup_creature`."""

from typing import Final

from server.dataset.schema import CREATURES
from server.tools.parameters import words
from server.tools.tool import finder

SEARCH: Final = finder(
    "search_creature",
    "Search creatures",
    "Find monsters, animals and non-player characters by what they are like, or by their facts, with complete stat "
    "blocks: armor class, hit points, speeds, abilities, senses, challenge rating, traits and actions. `search` ranks "
    "by meaning; without it the filters alone select, sorted by name. For a creature whose name you know use "
    "lookup_creature.\n"
    "Examples:\n"
    'search_creature(search="undead that drain life", cr_max=5)\n'
    'search_creature(type="dragon", cr="1/4", detail="summary")',
    toolset="search",
    family="creature",
    tables=(CREATURES,),
    first=(words("search", 'What it is or does, in your own words, e.g. "ambusher in swamps".', target="search"),),
)

LOOKUP: Final = finder(
    "lookup_creature",
    "Look up creatures",
    "Get the stat blocks of monsters, animals and non-player characters by name, as every source document prints "
    "them: armor class, hit points, speeds, abilities, senses, challenge rating, traits and actions. Misspelt names "
    "come back as suggestions. Without `name` it lists what the filters select. For an idea instead of a name use "
    "search_creature.\n"
    "Examples:\n"
    'lookup_creature(name="ancient red dragon", documents=["srd-5e"])\n'
    'lookup_creature(name="*zombie*", cr_max=2)',
    toolset="lookup",
    family="creature",
    tables=(CREATURES,),
    first=(words("name", 'Name, part of it, or pattern, e.g. "goblin", "*dragon*".', target="name"),),
)
