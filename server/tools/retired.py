"""Parameter names of earlier designs, which models still try, and their replacements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_SUCCESSORS: Final = {
    "document": "documents",
    "document_keys": "documents",
    "semantic_query": "search",
    "item_type": "type",
    "option_type": "type",
    "challenge_rating": "cr",
}


def replacement(parameter: str, tool: str, parameters: Sequence[str]) -> str:
    """A sentence that names the replacement of a tool's retired parameter; "" if it is not a retired one."""
    verb, _, subject = tool.partition("_")
    if parameter == "name" and verb == "search":
        return f" To look up a name, use {_lookup(subject)}."
    if parameter in ("search", "semantic_query") and verb == "lookup":
        return f" To search by meaning, use search_{subject} with the parameter search."
    if parameter in ("search", "semantic_query") and "query" in parameters:
        return " Use query instead."
    successor = _SUCCESSORS.get(parameter)
    if successor is None:
        return ""
    if successor in parameters:
        return f" Use {successor} instead."
    return f" It is now {successor}, which {tool} does not have."


def _lookup(subject: str) -> str:
    """The look-up tool for the subject of a search tool; all of them for everything."""
    everything = subject in ("all", "dnd_content")
    return "one of the lookup_* tools" if everything else f"lookup_{subject} with the parameter name"
