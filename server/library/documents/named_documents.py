"""Requests whose texts name the documents to search: "owlbear 2024", "dragons from Tome of Beasts 2"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from server.library import messages

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from server.library.requests.request import Request


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """A text without the documents that it names, and the entries of `documents` that stand for these."""

    text: str
    entries: tuple[str, ...] = ()


def within_named(
    request: Request,
    read: Callable[[str], NamedDocuments],
    keys_of: Callable[[Sequence[str]], Collection[str]],
    noun: str,
) -> Request:
    """The request with what its texts name as its documents; if that is impossible, a note says why.

    It is impossible if the request already has other documents, or if its names do not all name the same ones.

    Args:
        request: as the caller made it.
        read: separates a text from the documents that it names.
        keys_of: the keys of the library's documents that entries of `documents` stand for.
        noun: what the texts name, in the singular: edition, source.
    """
    named = [_kept(name, read(name)) if len(request.names) > 1 else read(name) for name in request.names]
    searched = None if request.search is None else read(request.search)
    told = {each.entries for each in (*named, *([] if searched is None else [searched]))}
    entries = list(dict.fromkeys(entry for each in (*named, *filter(None, [searched])) for entry in each.entries))
    texts = tuple(each.text for each in named)
    understood = replace(
        request,
        name=texts if isinstance(request.name, tuple) else next(iter(texts), None),
        search=None if searched is None else searched.text,
    )
    if not entries:
        return understood
    if request.documents is not None:
        wanted = {key for entry in entries for key in keys_of([entry])}
        is_within = wanted.issuperset(keys_of(request.documents))
        note = None if is_within else messages.not_as_named(entries, request.documents, noun)
    elif len(told) > 1:
        note = messages.several_named(noun)
    else:
        understood = replace(understood, documents=tuple(entries))
        note = messages.as_named(entries, noun, searched=searched is not None)
    return replace(understood, notes=(*request.notes, *filter(None, [note])))


def _kept(text: str, named: NamedDocuments) -> NamedDocuments:
    """One of several names, which may not be empty."""
    return named if named.text else NamedDocuments(text)
