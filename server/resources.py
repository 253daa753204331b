"""Resources that clients attach without a tool call: books, dataset, licences and sheets; and their completions.

The modules that answer are imported on the first request: they need the engine, and a server greets without it.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Final

from fastmcp.exceptions import ValidationError
from mcp_types import Completion, PromptReference, ResourceTemplateReference

from server.play.limits import DIFFICULTIES, EDITIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastmcp import FastMCP
    from mcp_types import CompletionArgument, CompletionContext

    from server.library.library import Library
    from server.swap import LibraryHolder

_SHEET: Final = "lorekeeper://{entity_type}/{document}/{slug}"
_LICENSE: Final = "lorekeeper://licenses/{document}"
_MARKDOWN: Final = "text/markdown"
_CHOICES: Final = {"difficulty": DIFFICULTIES, "edition": EDITIONS}
"""Arguments of prompts that take one of a few words."""
_MOST: Final = 100
"""Maximum number of completions that the protocol allows in an answer."""


def add_resources(server: FastMCP, holder: LibraryHolder) -> None:
    """Add the resources, which answer from the library in service, and the completions of their parameters."""

    @server.resource(
        "lorekeeper://documents",
        title="Source documents",
        description="The books of the dataset: key, title, source, edition, number of entries, licence.",
        mime_type="text/plain",
    )
    def documents() -> str:
        from server.tools.documents import LIST  # noqa: PLC0415

        with holder.lend() as library:
            return str(LIST.call(library, {"format": "text"})["text"])

    @server.resource(
        "lorekeeper://dataset",
        title="Dataset",
        description="Version, dates and size of the dataset.",
        mime_type="application/json",
    )
    def dataset() -> str:
        with holder.lend() as library:
            return json.dumps({**library.identity, "entities": library.size}, ensure_ascii=False)

    @server.resource(
        _LICENSE,
        title="Licence of a document",
        description="Publisher, authors, licence and credit of a document; its key is in lorekeeper://documents.",
        mime_type=_MARKDOWN,
    )
    def license_of(document: str) -> str:
        from server.sheets.credit import render_credit  # noqa: PLC0415

        with holder.lend() as library:
            credit = library.credit(document)
        if credit is None:
            msg = f"There is no document {document!r}; lorekeeper://documents lists them."
            raise _refused(msg)
        return render_credit(credit)

    @server.resource(
        _SHEET,
        title="Sheet",
        description="A spell, stat block, item, class or rule as a book prints it; the path is its `id`.",
        mime_type=_MARKDOWN,
    )
    def sheet(entity_type: str, document: str, slug: str) -> str:
        from server.sheets.sheet import render  # noqa: PLC0415

        entity_id = f"{entity_type}/{document}/{slug}"
        with holder.lend() as library:
            record = library.entity(entity_id)
        if record is None:
            msg = f"There is no {entity_id}; a look-up by name returns ids."
            raise _refused(msg)
        return render(record)

    @server.completion
    def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        given = (context.arguments if context else None) or {}
        with holder.lend() as library:
            candidates = _candidates(library, reference, argument.name, given)
            wanted = argument.value.casefold()
            found = [value for value in candidates if value.casefold().startswith(wanted)]
        return Completion(values=found[:_MOST], total=len(found), has_more=len(found) > _MOST)


def _refused(message: str) -> ValidationError:
    """The error for a caller's mistake, which FastMCP would log with a trace."""
    return ValidationError(message, log_level=logging.DEBUG)


def _candidates(
    library: Library,
    reference: PromptReference | ResourceTemplateReference,
    argument: str,
    given: dict[str, str],
) -> Iterable[str]:
    """Values for an argument of a resource or a prompt, in order."""
    is_sheet = isinstance(reference, ResourceTemplateReference) and reference.uri == _SHEET
    match argument:
        case "document" | "documents":
            return sorted(library.document_keys)
        case "entity_type" if is_sheet:
            from server.dataset.schema import TABLE_OF  # noqa: PLC0415

            return sorted(TABLE_OF)
        case "slug" if is_sheet:
            return library.slugs(given.get("entity_type", ""), given.get("document", ""))
        case "class_name":
            return library.names_of("class")
        case _:
            return _CHOICES.get(argument, ())
