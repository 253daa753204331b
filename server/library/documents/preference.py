"""Which documents come first among equals: preferred ones, then the System Reference Documents, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.library.documents.document_index import SRD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.library.documents.document_index import DocumentIndex


def precedence(documents: DocumentIndex, prefer: Sequence[str] = ()) -> list[frozenset[str]]:
    """Groups of document keys, the most preferred first; other documents come last.

    Args:
        documents: the library's documents.
        prefer: documents or game systems to prefer to the SRDs: keys, aliases or names.

    Raises:
        RequestError: an entry of `prefer` is unknown.
    """
    documents.resolve(prefer).check("prefer")
    preferred = (group for entry in prefer for group in _srds_first(documents.resolve([entry]).keys))
    return list(_disjoint((*preferred, *_srds_first(key for key in documents.keys if key.startswith(SRD)))))


def _srds_first(keys: Iterable[str]) -> Iterator[frozenset[str]]:
    """One group for each SRD, then one for the other documents."""
    ordered = sorted(keys, reverse=True)
    yield from (frozenset({key}) for key in ordered if key.startswith(SRD))
    yield frozenset(key for key in ordered if not key.startswith(SRD))


def _disjoint(groups: Iterable[frozenset[str]]) -> Iterator[frozenset[str]]:
    """The groups without keys of earlier groups, and without empty groups."""
    seen: set[str] = set()
    for group in groups:
        if new := group - seen:
            yield frozenset(new)
            seen |= new
