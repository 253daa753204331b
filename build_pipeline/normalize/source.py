"""A source: where its objects come from, what reads them, and which facts it wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from build_pipeline.normalize.merging.authority import Wins
from build_pipeline.normalize.merging.documents import DocumentMeta, DocumentReader
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.forms import Form
from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.snapshot.web.origin import Origin

DraftReader = Callable[[RawLayer, Problems], Iterator[Draft]]
"""Reads raw objects into drafts and adds those it cannot read to the problems."""


def _no_documents(_raw: RawLayer, _known: Mapping[str, DocumentMeta]) -> Mapping[str, DocumentMeta]:
    return {}


def _no_reader(_obj: RawObject) -> str:
    return "no normaliser read it"


@dataclass(frozen=True, kw_only=True)
class Source(Origin):
    """A source of content.

    Attributes:
        documents: describes the source's books. The first source to describe a book wins.
        drafts: its readers. A reader shared by several sources (the APIs are excerpts of the same books, and some
            facts of one depend on another) is listed in each and runs once.
        forms: endpoint → required form of its objects (see `merging.forms`).
        wins: facts for which it overrides more trusted sources.
        why_unread: explains why an object that no reader took has no entity.
    """

    documents: DocumentReader = _no_documents
    drafts: tuple[DraftReader, ...] = ()
    forms: Mapping[str, Form] = field(default_factory=dict)
    wins: tuple[Wins, ...] = ()
    why_unread: Callable[[RawObject], str] = _no_reader
