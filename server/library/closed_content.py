"""Well-known things that only books under no open licence have: mind flayers are in the Monster Manual."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.dataset.names import normalize_name
from server.library.name_index import singulars
from server.library.other_names import words_of
from server.library.questions import subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE: Final = Path(__file__).with_suffix(".toml")

_ARTICLES: Final = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class ClosedThing:
    """Something that no open book has.

    Attributes:
        name: its name.
        kind: its kind in plain words: "creature", "magic item".
        book: title of the first book that has it.
    """

    name: str
    kind: str
    book: str


class _Known(NamedTuple):
    """The list, ready to be matched.

    Attributes:
        things: words of a name, without apostrophes and articles, or all of them as one word → the thing.
        everyday: those of names that are also ordinary words.
        longest: words of the longest name.
    """

    things: Mapping[tuple[str, ...], ClosedThing]
    everyday: frozenset[tuple[str, ...]]
    longest: int


def closed_things(text: str) -> list[ClosedThing]:
    """The things of the list that a text names, each once; an everyday name only as what the text asks about.

    That is all of it, but for the words of a question and the thing's kind: "how do bastions work", "bastion rules".

    >>> [thing.book for thing in closed_things("How do I fight two mind flayers?")]
    ['Monster Manual']
    """
    return list(dict.fromkeys(_named(_words(text), frozenset(_words(subject(text))), _known())))


@cache
def declared() -> Mapping[str, Any]:
    """The list as it is written: `everyday`, `also_called` (book → other names), `books` (book → kind → names)."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _named(words: Sequence[str], asked: frozenset[str], known: _Known) -> Iterator[ClosedThing]:
    """The things that a text names; `asked`: the words of its subject."""
    start = 0
    while start < len(words):
        lengths = range(min(known.longest, len(words) - start), 0, -1)
        ends = (start + length for length in lengths)
        key, end = next(((key, end) for end in ends if (key := _key(words[start:end], known))), (None, start + 1))
        if key:
            thing, others = known.things[key], asked - {*words[start:end]}
            kind = thing.kind.split()
            if key not in known.everyday or (asked != others and others <= {*kind, *(f"{word}s" for word in kind)}):
                yield thing
        start = end


def _key(words: Sequence[str], known: _Known) -> tuple[str, ...] | None:
    """The name that these words are, or are the plural of."""
    *first, last = words
    return next((key for word in (last, *singulars(last)) if (key := (*first, word)) in known.things), None)


@cache
def _known() -> _Known:
    listed = declared()
    things = {
        key: ClosedThing(name, kind, book)
        for book, kinds in listed["books"].items()
        for kind, names in kinds.items()
        for name in names
        for key in (_words(name), ("".join(_words(name)),))
    }
    return _Known(things, frozenset(map(_words, listed["everyday"])), max(map(len, things)))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in words_of(normalize_name(text)) if word not in _ARTICLES)
