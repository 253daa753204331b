"""`search_creature` and `lookup_creature`."""

from typing import Final

from server.tools.parameters import names, words
from server.tools.tool import finder

SEARCH: Final = finder(
    "search_creature",
    "Search creatures",
    "Find monsters, animals and NPCs by meaning and facts. Name known: lookup_creature. "
    'E.g. search="drains life", type="undead"; cr="1/4", environment="forest".',
    words("search", "E.g. swamp ambusher", target="search"),
)

LOOKUP: Final = finder(
    "lookup_creature",
    "Look up creatures",
    "Get monsters, animals and NPCs by name. "
    'No name: search_creature. E.g. name="ancient red dragon"; name="*zombie*", cr_max=2.',
    names("Or pattern: *dragon*"),
)
