"""Books of the game that are not open, by the names that players use: no dataset may contain them."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

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
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]*)*")
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
    if _told().keys().isdisjoint(words_of(normalize_name(text))):
        return
    words = [(normalize_name(word[0]).replace("'", ""), word.start(), word.end()) for word in _WORD.finditer(text)]
    start = 0
    while start < len(words):
        first, begins, _ = words[start]
        told = (name for name in _told().get(first, ()) if name == [word for word, *_ in words[start:][: len(name)]])
        length = len(next(told, ()))
        if length and (first not in _AMBIGUOUS or _NAMED.search(text, max(0, begins - _BEFORE_NAME), begins)):
            yield ClosedBook(begins, words[start + length - 1][2])
        start += length or 1


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
def _told() -> dict[str, list[list[str]]]:
    """First word → the names of the books that a text may have, as words, the longest first."""
    called = declared()["also_called"].items()
    short = [name for title, names in called for name in names if not folded(title).startswith(name)]
    told: defaultdict[str, list[list[str]]] = defaultdict(list)
    for name in (*_titles(), *(each for each in short if len(each) >= _MIN_LETTERS)):
        first, *others = words_of(normalize_name(name))
        told[first].append([first, *others])
    return {first: sorted(names, key=len, reverse=True) for first, names in told.items()}


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
