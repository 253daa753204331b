"""`search_all`, and its earlier name `search_dnd_content`."""

from dataclasses import replace
from typing import Final

from server.dataset.schema import ENTITY_TABLES
from server.tools.parameters import CONTENT_TYPES_PARAMETER, words
from server.tools.tool import finder

SEARCH: Final = finder(
    "search_all",
    "Search everything",
    "Search spells, creatures, equipment, character options and rules at once, ranked by meaning. Use it when you do "
    "not know what kind of thing answers the question; when you do, the search_* tool of that kind has filters for "
    "its facts. An empty query lists by name.\n"
    "Examples:\n"
    'search_all(query="ways to breathe under water", detail="summary")\n'
    'search_all(query="undead", content_types=["Creature", "Spell"])',
    toolset="search",
    family="all",
    tables=ENTITY_TABLES,
    first=(
        words("query", 'What to find, in your own words, e.g. "heal wounds".', target="search", required=True),
        CONTENT_TYPES_PARAMETER,
    ),
)

COMPAT: Final = replace(
    SEARCH,
    name="search_dnd_content",
    title="Search D&D content",
    toolset="compat",
    description="Earlier name of search_all, with the same parameters and answers: searches spells, creatures, "
    "equipment, character options and rules at once, ranked by meaning.\n"
    "Examples:\n"
    'search_dnd_content(query="ways to breathe under water")\n'
    'search_dnd_content(query="undead", content_types=["Creature"])',
)
