"""What the books' readers share: which books there are, a section's place in its file, a draft of sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from build_pipeline.normalize.books.tree import SOURCE, Section
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Draft, Reference

BOOKS: Final = SRD_DOCUMENTS[::-1]
"""The main texts, the newest first: endpoints of the source, and keys of the documents that they are."""


def where(section: Section) -> str:
    """File and line of a section."""
    return f"{section.raw.data['file']}:{section.raw.data['line']}"


def reference(entity_type: str, name: str, section: Section) -> Reference:
    """A reference to the entity that a section is the first of."""
    return Reference((entity_type,), name, section.raw.id)


def book_draft(
    entity_type: str, name: str, sections: Iterable[Section], facts: dict[str, Any], from_text: Iterable[str] = ()
) -> Draft:
    """A draft of what sections of one book tell, the main section first."""
    raw = list(dict.fromkeys(section.raw for section in sections))
    document = raw[0].endpoint
    return Draft(
        SOURCE, tuple(obj.id for obj in raw), entity_type, document, name, facts=facts, from_text=set(from_text)
    )
