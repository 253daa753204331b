"""Which documents come first among equals: those asked for, then the System Reference Documents, newest rules first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.library import messages
from server.library.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.library.shelf import Shelf

_SRD: Final = "srd-"
"""How the keys of the System Reference Documents begin, a year after it."""


def precedence(shelf: Shelf, prefer: Sequence[str] = ()) -> list[frozenset[str]]:
    """Groups of document keys, the most preferred first; documents in none of them come last.

    Args:
        shelf: the library's documents.
        prefer: documents or game systems to prefer to the SRDs, as `documents` names them.

    Raises:
        RequestError: an entry of `prefer` is unknown.
    """
    choice = shelf.choose(prefer)
    if choice.unknown:
        raise RequestError(
            parameter="prefer", value=list(choice.unknown), message=messages.unknown_documents(choice.unknown)
        )
    asked = (group for entry in prefer for group in _srds_first(shelf.choose([entry]).keys))
    return list(_distinct((*asked, *_srds_first(key for key in shelf.keys if key.startswith(_SRD)))))


def _srds_first(keys: Iterable[str]) -> Iterator[frozenset[str]]:
    """Each SRD by itself, then the other documents together."""
    ordered = sorted(keys, reverse=True)
    yield from (frozenset({key}) for key in ordered if key.startswith(_SRD))
    yield frozenset(key for key in ordered if not key.startswith(_SRD))


def _distinct(groups: Iterable[frozenset[str]]) -> Iterator[frozenset[str]]:
    seen: set[str] = set()
    for group in groups:
        if new := group - seen:
            yield frozenset(new)
            seen |= new
