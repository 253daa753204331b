"""`search_character_option` and `lookup_character_option`."""

from typing import Final

from server.dataset.schema import CHARACTER_OPTIONS
from server.library.requests.kinds import KINDS
from server.tools.parameters import names, token, words
from server.tools.tool import finder

_TYPE: Final = token(
    "type",
    "with subclasses, subraces",
    tuple(name for name in KINDS["character_option"] if name),
    target="kind",
    required=True,
)

SEARCH: Final = finder(
    "search_character_option",
    "Search character options",
    "Find classes, races, backgrounds or feats by meaning. Name known: lookup_character_option. "
    'E.g. type="class", search="divine warrior"; type="feat".',
    toolset="search",
    family="character_option",
    tables=(CHARACTER_OPTIONS,),
    first=(_TYPE, words("search", "E.g. raised by wolves", target="search")),
)

LOOKUP: Final = finder(
    "lookup_character_option",
    "Look up character options",
    "Get classes, races, backgrounds or feats by name. No name: search_character_option. "
    'E.g. type="class", name="wizard"; type="race", name="*elf*".',
    toolset="lookup",
    family="character_option",
    tables=(CHARACTER_OPTIONS,),
    first=(_TYPE, names("Or pattern, e.g. oath*")),
)
