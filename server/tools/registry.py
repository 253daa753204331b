"""All tools, by tool set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.tools import (
    advancement,
    character_options,
    creatures,
    documents,
    encounters,
    equipment,
    everything,
    query,
    research,
    rolls,
    rules,
    spells,
)
from server.tools.tool import ALWAYS_ON, beside_query

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.tools.tool import Tool

_FAMILY_MODULES: Final = (spells, creatures, equipment, character_options, rules)

TOOLS: Final[tuple[Tool, ...]] = (
    *(family.SEARCH for family in _FAMILY_MODULES),
    everything.SEARCH,
    *(family.LOOKUP for family in _FAMILY_MODULES),
    query.QUERY,
    everything.COMPAT,
    research.SEARCH,
    research.FETCH,
    encounters.EVALUATE,
    encounters.SUGGEST,
    advancement.LEVEL_UP,
    advancement.SPELL_LIST,
    rolls.ROLL,
    documents.LIST,
)

SUCCESSORS: Final = {everything.COMPAT.name: everything.SEARCH.name}
"""Earlier name of a tool → its present name."""


def tools_of(toolsets: Collection[str], public_url: str = "") -> tuple[Tool, ...]:
    """The tools of these sets, and those that are always on; their answers link to pages at `public_url`, if set.

    Searches point to `query` if that is among them.
    """
    linking = {tool.name: tool for tool in research.linking_to(f"{public_url}/")} if public_url else {}
    chosen = (tool for tool in TOOLS if tool.toolset == ALWAYS_ON or tool.toolset in toolsets)
    named = (linking.get(tool.name, tool) for tool in chosen)
    return tuple(map(beside_query, named) if query.QUERY.toolset in toolsets else named)


def tool_named(name: str) -> Tool | None:
    """The tool with this name; None if there is none."""
    return next((tool for tool in TOOLS if tool.name == name), None)
