"""`search_equipment` and `lookup_equipment`."""

from typing import Final

from server.dataset.schema import EQUIPMENT
from server.library.kinds import KINDS
from server.tools.parameters import names, token, words
from server.tools.tool import finder

_TYPES: Final = tuple(name for name in KINDS["equipment"] if name)
_TYPE: Final = token(
    "type",
    "includes magic ones",
    _TYPES,
    target="kind",
    default="all",
)

SEARCH: Final = finder(
    "search_equipment",
    "Search equipment",
    "Find weapons, armor, magic items and gear by meaning and facts. Name known: lookup_equipment. "
    'E.g. search="lets me fly", rarity="rare"; type="weapon", is_finesse=true.',
    toolset="search",
    family="equipment",
    tables=(EQUIPMENT,),
    first=(words("search", "E.g. lets me fly", target="search"), _TYPE),
)

LOOKUP: Final = finder(
    "lookup_equipment",
    "Look up equipment",
    "Get weapons, armor, magic items and gear by name. No name: "
    'search_equipment. E.g. name="longsword", type="weapon"; name="cloak of*".',
    toolset="lookup",
    family="equipment",
    tables=(EQUIPMENT,),
    first=(names("Name or pattern, e.g. *sword*"), _TYPE),
)
