"""The library's sentences on ranked searches: how the query was read, what filters could require, what fits better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.library.message import Call, Given, Message, NamedTool, enumerated, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def query_cut(longest: int, max_tokens: int) -> str:
    """A query longer than the encoder reads."""
    return (
        f"The query is longer than {longest} characters or {max_tokens} tokens: "
        f"only its first {max_tokens} tokens were ranked by meaning."
    )


def weak(best: float) -> str:
    """Probably nothing answers the query; `best` is the highest score, 0 to 1."""
    return f"Weak matches only, the best with a score of {best:.2f}: perhaps nothing here is about this query."


def fitting_better(ways: Mapping[Call, float]) -> Message:
    """Look-ups of what other kinds have that answers a query better → its score."""
    scored = joined((Message(way, f" ({score:.2f})") for way, score in ways.items()), ", ")
    return Message("Other kinds fit this query better: ", scored, ".")


def preferred(facts: Sequence[str]) -> str:
    """Facts that the query mentions raised scores, but excluded nothing."""
    return f"Understood from the query as preferred, not as required: {enumerated(facts)}."


def to_require(offers: Mapping[tuple[Given, ...], int], together: int, *, can_combine: bool) -> Message:
    """Filters that require what the query mentions → how many results each leaves; and all of them together.

    `can_combine`: one call can have them all.
    """
    ways = [Message(joined(given, ", "), f" (leaves {count})") for given, count in offers.items()]
    ways += [Message(f"all of these (leaves {together})")] if can_combine and together and len(offers) > 1 else []
    none = "" if together else " Nothing passes all of these."
    return Message("To require that, filter: ", joined(ways, ", "), f".{none}")


def requires(family: str, filters: Iterable[Given], left: int) -> Message:
    """The tool whose filters can require what a query over all families mentions, and how many results that leaves."""
    tool = f"search_{family}"
    its_own = joined((each._replace(tool=tool) for each in filters), ", ")
    return Message(NamedTool(tool), " can require ", its_own, f" (leaves {left}).")


def by_query(unit: str, statement: str) -> Message:
    """A search with a superlative, and the statement of the tool `query` that orders by the fact."""
    query = Call("query", (Given("sql", statement),))
    return Message(f"Search ranks by meaning, not by {unit}; to order by that: ", query, ".")


def unranked(reason: str) -> str:
    """The encoder gave no vector."""
    return (
        f"Not ranked by meaning, because the query could not be encoded ({reason}): "
        "entries whose names share words with the query come first, then the others by name."
    )
