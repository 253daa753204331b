"""The common parts of the tools of the set `table`: parameters, and the envelope of their answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from server.library.message import joined
from server.library.messages import NO_DOCUMENTS_ASKED
from server.library.records.budget import in_longest_form
from server.library.requests.request import Request
from server.tools import values
from server.tools.output import COUNT, EVERY_ANSWER, STRING, STRINGS, JsonSchema, object_of
from server.tools.parameters import DOCUMENTS, Parameter, integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.library import Library
    from server.library.records.budget import Shorter
    from server.tools.tool import Envelope

TOOLSET: Final = "table"

Work = Callable[["Library", Mapping[str, Any], tuple[str, ...] | None, list[str]], "Envelope"]


SEED: Final = integer("seed", "Repeats an answer, e.g. 7; default: random", 0)


def name_of(name: str, doc: str) -> Parameter:
    """A required parameter that takes the name, not empty, of the tool's subject."""
    return Parameter(name, doc, {"type": "string"}, values.name, required=True)


CITATIONS: Final = {"type": "array", "items": object_of(dict.fromkeys(("id", "name", "document", "says"), STRING))}
"""Schema of citations: the records that numbers come from, and what each is cited for."""


def answers(results: JsonSchema, more: JsonSchema) -> JsonSchema:
    """Properties of a tool's answers: its own in `more`, `results` with the given ones, and those of all tools."""
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
    shorter: Sequence[Shorter] = (),
    fewer: str = "",
    **more: Any,
) -> Envelope:
    """The envelope of an answer, in the longest form that fits in the response budget.

    Args:
        library: the library that answered.
        results: the results.
        rules: citations of the rules that the numbers come from.
        notes: sentences of the message; empty ones are left out.
        suggestions: other names.
        shorter: forms of the results, each shorter than the one before; if even the last is too long, as many results
            in that form as fit.
        fewer: a sentence that tells the caller how to get fewer results.
        more: further fields, before the results.
    """

    def envelope(some: Sequence[Any], shortened: str | None) -> Envelope:
        return {
            **more,
            "results": list(some),
            "count": len(some),
            "rules": list(rules),
            "message": joined((*notes, shortened)) or None,
            "suggestions": list(suggestions),
            "dataset": library.identity,
        }

    return in_longest_form(envelope, results, shorter, fewer, library.max_response_chars)


def within_documents(work: Work, **nothing: Any) -> Callable[[Library, Mapping[str, Any], tuple[str, ...]], Envelope]:
    """A tool's answer function that first checks the documents of a call.

    Args:
        work: (library, values by parameter name, entries of `documents` or None for all, sentences of the message so
            far) → the answer.
        nothing: further fields of the answer to a call with an empty list of documents, which has no results.

    Raises:
        RequestError: from the returned function, if no entry of `documents` stands for a document.
    """

    def answer(library: Library, given: Mapping[str, Any], notes: tuple[str, ...]) -> Envelope:
        documents: tuple[str, ...] | None = given.get(DOCUMENTS.name)
        if documents is not None and not documents:
            return worked_out(library, [], notes=[*notes, NO_DOCUMENTS_ASKED], **nothing)
        library.facts.check_documents(documents)
        unknown = library.facts.unknown_documents(Request("all", documents=documents))
        return work(library, given, documents, [*notes, *unknown])

    return answer


def seed_of(given: Mapping[str, Any]) -> int:
    """The seed of a call; a random one if it gives none."""
    return given["seed"] if "seed" in given else secrets.randbelow(1_000_000)
