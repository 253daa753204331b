"""Which rules are chapters of a book: what other sources put above them is not the book's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from build_pipeline.normalize.merging.draft import Draft
from server.dataset.names import normalize_name

_BOOK: Final = "srd"


def with_chapters_of_books(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """The drafts; a chapter of a book stands below nothing, wherever another source has it."""
    everything = list(drafts)
    chapters = {_place(draft) for draft in everything if draft.source == _BOOK and _is_outermost(draft)}
    for draft in everything:
        if draft.source != _BOOK and draft.entity_type == "rule" and _place(draft) in chapters:
            draft.facts["parent"] = None
        yield draft


def _is_outermost(draft: Draft) -> bool:
    return draft.entity_type == "rule" and not draft.facts.get("parent") and not draft.facts.get("headings")


def _place(draft: Draft) -> tuple[str, str]:
    return draft.document_key, normalize_name(draft.name)
