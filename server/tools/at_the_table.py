"""What the tools of the set `table` share: parameters, and the envelope of what is worked out."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from server.library.messages import NO_DOCUMENTS_ASKED
from server.library.request import Request
from server.tools import values
from server.tools.output import COUNT, EVERY_ANSWER, STRING, STRINGS, JsonSchema, object_of
from server.tools.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.library import Library
    from server.tools.tool import Envelope

TOOLSET: Final = "table"

SEED: Final = Parameter(
    "seed",
    "Repeats an answer, e.g. 7; by chance without",
    {"type": "integer"},
    partial(values.integer, minimum=0, maximum=None),
)

CITATIONS: Final = {"type": "array", "items": object_of(dict.fromkeys(("id", "name", "document", "says"), STRING))}
"""Schema of the records that numbers come from, and of what is said on them."""


def answers(results: JsonSchema, more: JsonSchema) -> JsonSchema:
    """Properties of a tool's answers: `more` of its own, `results` with these properties, and what all have."""
    return {
        **more,
        "results": {"type": "array", "items": object_of(results)},
        "count": COUNT,
        "rules": CITATIONS,
        "suggestions": STRINGS,
        **EVERY_ANSWER,
    }


def worked_out(
    library: Library,
    results: Sequence[Any],
    *,
    rules: Sequence[Mapping[str, Any]] = (),
    notes: Sequence[str | None] = (),
    suggestions: Sequence[str] = (),
    **more: Any,
) -> Envelope:
    """The envelope of an answer.

    Args:
        library: what answered.
        results: what was worked out.
        rules: where its numbers come from.
        notes: sentences of the message; empty ones are left out.
        suggestions: other names.
        more: further fields, before the results.
    """
    return {
        **more,
        "results": list(results),
        "count": len(results),
        "rules": list(rules),
        "message": " ".join(filter(None, notes)) or None,
        "suggestions": list(suggestions),
        "dataset": library.identity,
    }


def seed_of(given: Mapping[str, Any]) -> int:
    """The seed of a call; by chance where it gives none."""
    return given["seed"] if "seed" in given else secrets.randbelow(1_000_000)


def documents_of(library: Library, given: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The entries of a call's `documents`; None if it gives none.

    Raises:
        RequestError: none of them stands for a document.
    """
    documents: tuple[str, ...] | None = given.get("documents")
    library.facts.check_documents(documents)
    return documents


def about_documents(library: Library, documents: Sequence[str] | None) -> list[str]:
    """Sentences on entries of `documents` that stand for nothing."""
    if documents is not None and not documents:
        return [NO_DOCUMENTS_ASKED]
    return library.facts.unknown_documents(Request("all", documents=None if documents is None else tuple(documents)))
