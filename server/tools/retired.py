"""Parameter names of earlier designs, which models still try, and what took their place."""

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
    """A sentence that names what replaces a retired parameter of a tool; empty if it is none."""
    verb, _, subject = tool.partition("_")
    if parameter == "name" and verb == "search":
        return f" Names are looked up with {_sibling('lookup', subject)}."
    if parameter in ("search", "semantic_query") and verb == "lookup":
        return f" Ideas are searched with search_{subject}, parameter search."
    if parameter in ("search", "semantic_query") and "query" in parameters:
        return " Use query instead."
    successor = _SUCCESSORS.get(parameter)
    if successor is None:
        return ""
    if successor in parameters:
        return f" Use {successor} instead."
    return f" It is now {successor}, which {tool} does not have."


def _sibling(verb: str, subject: str) -> str:
    """The look-up tool beside a search tool; for those over everything, all of them."""
    return f"{verb}_{subject}, parameter name" if subject not in ("all", "dnd_content") else "the lookup_* tools"
