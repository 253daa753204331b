"""`search_character_option` and `lookup_character_option`."""

from typing import Final

from server.dataset.schema import CHARACTER_OPTIONS
from server.library.kinds import KINDS
from server.tools.parameters import token, words
from server.tools.tool import finder

_TYPE: Final = token(
    "type",
    'What to find, e.g. "feat"; class includes subclasses, race includes subraces.',
    tuple(name for name in KINDS["character_option"] if name),
    target="kind",
    required=True,
)

SEARCH: Final = finder(
    "search_character_option",
    "Search character options",
    "Find classes and subclasses, races and subraces, backgrounds or feats by concept: hit dice, proficiencies, "
    "features by level, ability score increases, traits, prerequisites and text. `search` ranks by meaning; without "
    "it everything of the type is listed by name. For an option whose name you know use lookup_character_option.\n"
    "Examples:\n"
    'search_character_option(type="class", search="divine warrior")\n'
    'search_character_option(type="background", documents=["srd-5e"])',
    toolset="search",
    family="character_option",
    tables=(CHARACTER_OPTIONS,),
    first=(_TYPE, words("search", 'The concept, in your own words, e.g. "raised by wolves".', target="search")),
)

LOOKUP: Final = finder(
    "lookup_character_option",
    "Look up character options",
    "Get classes and subclasses, races and subraces, backgrounds or feats by name, as every source document prints "
    "them: hit dice, proficiencies, features by level, ability score increases, traits, prerequisites and text. A "
    "class lists its subclasses, a race its subraces. Misspelt names come back as suggestions. For an idea instead of "
    "a name use search_character_option.\n"
    "Examples:\n"
    'lookup_character_option(type="class", name="wizard", documents=["srd-5e"])\n'
    'lookup_character_option(type="race", name="*elf*")',
    toolset="lookup",
    family="character_option",
    tables=(CHARACTER_OPTIONS,),
    first=(_TYPE, words("name", 'Name, part of it, or pattern, e.g. "acolyte", "oath*".', target="name")),
)
