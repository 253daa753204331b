"""Shared by the books' readers: the list of books, a section's place in its file, a draft made from sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from build_pipeline.normalize.books.tree import SOURCE, Section
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Draft, Reference

BOOKS: Final = SRD_DOCUMENTS[::-1]
"""The main texts, newest first: each is an endpoint of the source and the key of a document."""


def where(section: Section) -> str:
    """File and line of a section."""
    return f"{section.raw.data['file']}:{section.raw.data['line']}"


def reference(entity_type: str, name: str, section: Section) -> Reference:
    """A reference to the entity whose first section this is."""
    return Reference((entity_type,), name, section.raw.id)


def book_draft(
    entity_type: str, name: str, sections: Iterable[Section], facts: dict[str, Any], from_text: Iterable[str] = ()
) -> Draft:
    """A draft made from sections of one book, the main section first."""
    raw = list(dict.fromkeys(section.raw for section in sections))
    document = raw[0].endpoint
    return Draft(
        SOURCE, tuple(obj.id for obj in raw), entity_type, document, name, facts=facts, from_text=set(from_text)
    )
