"""Books of the game that are not open, by the names that players use: no dataset may contain them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from server.dataset.index.terms import longest_runs
from server.dataset.names import normalize_name
from server.library.closed.content import declared
from server.library.names.other_names import words_of
from server.library.queries.without_books import without_books

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from server.library.requests.request import Request

_AROUND: Final = re.compile(r"^(?:the|new|dnd|dd|5e|20[12]4)*(?=[a-z])|(?:5e|20[12]4)*$")
"""What may stand before and after a book's name without punctuation."""
_WILDCARDS: Final = frozenset("*%")
_WORD: Final = re.compile(r"\w+(?:['’]\w*)*")
_KINDS: Final = frozenset({"cauldron", "guide", "tome", "treasury"})
"""Words that end the beginning of a title by which the book is known: "Xanathar's Guide"."""
_MIN_WORDS: Final = 2
"""Words of a part of a title that is told as such."""
_MIN_LETTERS: Final = 3
"""Letters of an abbreviation that is recognised in a text."""
_AMBIGUOUS: Final = frozenset({"dmg"})
"""Abbreviations that mean something else too, unless a text names them as a book: damage."""
_NAMED: Final = re.compile(r"\b(?:in|from|per) the $", re.IGNORECASE)
_BEFORE_NAME: Final = 10
"""Characters before an abbreviation that may name it as a book."""


class ClosedBook(NamedTuple):
    """The name of a closed book in a text, where it begins and ends."""

    start: int
    end: int


def folded(entry: str) -> str:
    """A book's name without punctuation and case: "SRD 5.1" and "srd-5.1" are "srd51"."""
    return "".join(c for c in normalize_name(entry) if c.isalnum())


def is_closed(entry: str) -> bool:
    """Whether an entry of `documents` is a book that is not open, whatever its year.

    >>> is_closed("2024 Player's Handbook"), is_closed("PHB 2014"), is_closed("Xanathar's Guide"), is_closed("Guide")
    (True, True, True, False)
    """
    return _AROUND.sub("", folded(entry)) in _names()


def closed_books(text: str) -> Iterator[ClosedBook]:
    """The names of closed books in a text; of those that overlap, the first and longest."""
    found = list(_WORD.finditer(text))
    words = [normalize_name(word[0]).replace("'", "") for word in found]
    longest = max(map(len, _names_in_texts()))
    for first, end, name in longest_runs(words, longest, lambda run: run if run in _names_in_texts() else None):
        begins = found[first].start()
        if name[0] not in _AMBIGUOUS or _NAMED.search(text, max(0, begins - _BEFORE_NAME), begins):
            yield ClosedBook(begins, found[end - 1].end())


def without_closed_books(request: Request, is_name: Callable[[str], bool], note: Callable[[list[str]], str]) -> Request:
    """The request without the closed books that its texts name, and with a note on them.

    What only names a book stays, and what is the name of something, or has wildcards.

    Args:
        request: as the caller made it.
        is_name: whether a text is the name of something.
        note: the note on some books.
    """
    books: dict[str, None] = {}

    def read(text: str) -> str:
        named = list(closed_books(text))
        if not named or _WILDCARDS & set(text) or is_name(text):
            return text
        books.update((text[book.start : book.end], None) for book in named)
        return without_books(text, named) or text

    names = tuple(map(read, request.names))
    search = None if request.search is None else read(request.search)
    if not books:
        return request
    name = names if isinstance(request.name, tuple) else next(iter(names), None)
    return replace(request, name=name, search=search, notes=(*request.notes, note(list(books))))


@cache
def _names() -> frozenset[str]:
    """The names of the books, folded."""
    others = (name for names in declared()["also_called"].values() for name in names)
    return frozenset((*map(folded, _titles()), *others))


@cache
def _names_in_texts() -> frozenset[tuple[str, ...]]:
    """The names of the books that a text may have, as words."""
    called = declared()["also_called"].items()
    short = [name for title, names in called for name in names if not folded(title).startswith(name)]
    long_enough = (name for name in short if len(name) >= _MIN_LETTERS)
    return frozenset(tuple(words_of(normalize_name(name))) for name in (*_titles(), *long_enough))


def _titles() -> Iterator[str]:
    """The titles, what stands before and after their colons, and the beginnings by which they are known."""
    listed = declared()
    for title in (*listed["books"], *listed["also_called"]):
        yield title
        for part in title.split(": "):
            words = part.split()
            if len(words) >= _MIN_WORDS and part != title:
                yield part
            ends = (end for end in range(_MIN_WORDS, len(words)) if words[end - 1].casefold() in _KINDS)
            yield from (" ".join(words[:end]) for end in ends)
