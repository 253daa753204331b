"""`search_all`, and its earlier name `search_dnd_content`."""

from dataclasses import replace
from typing import Final

from server.tools.parameters import CONTENT_TYPES_PARAMETER, words
from server.tools.tool import finder

SEARCH: Final = finder(
    "search_all",
    "Search everything",
    "Search all kinds of things at once, by meaning. Kind known: its search_* "
    'tool. E.g. query="breathe under water"; query="undead", content_types=["Creature"].',
    words("query", "E.g. heal wounds, or empty", target="search", required=True),
    CONTENT_TYPES_PARAMETER,
)

COMPAT: Final = replace(
    SEARCH,
    name="search_dnd_content",
    title="Search D&D content",
    toolset="compat",
    description="Earlier name of search_all, with the same parameters and answers. "
    'E.g. query="breathe under water"; query="undead", content_types=["Creature"].',
)
