"""`search_spell` and `lookup_spell`."""

from typing import Final

from server.tools.parameters import names, words
from server.tools.tool import finder

SEARCH: Final = finder(
    "search_spell",
    "Search spells",
    "Find spells by meaning and facts. Name known: lookup_spell. "
    'E.g. search="protect from fire", level_max=3; class_key="cleric", ritual=true.',
    words("search", "E.g. turn invisible", target="search"),
)

LOOKUP: Final = finder(
    "lookup_spell",
    "Look up spells",
    'Get spells by name. No name: search_spell. E.g. name="fireball", documents=["srd-5e"]; name="*fire*", level=3.',
    names("Or pattern: fire*"),
)
