"""Well-known things that only books under no open licence have: mind flayers are in the Monster Manual."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.dataset.index.terms import longest_runs
from server.dataset.names import normalize_name
from server.library.names.name_words import singulars
from server.library.names.other_names import words_of
from server.library.queries.questions import subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE: Final = Path(__file__).with_suffix(".toml")

ASKED_AS: Final = {
    "creature": ("creature", None),
    "spell": ("spell", None),
    "magic item": ("equipment", "all"),
    **dict.fromkeys(("class", "subclass"), ("character_option", "class")),
    **dict.fromkeys(("feat", "fighting style", "invocation", "maneuver"), ("character_option", "feat")),
    "background": ("character_option", "background"),
    "race": ("character_option", "race"),
}
"""Kind of a closed thing → family and kind of the request that would find it; all other kinds are rules."""

_ARTICLES: Final = frozenset({"a", "an", "the"})
_SUBCLASS_WORDS: Final = frozenset({"subclass", "subclasses"})


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
        things: words of a name, without apostrophes and articles, or all of them as one word → what has the name.
        everyday: those of names that are also ordinary words.
        longest: words of the longest name.
        subclasses: own words of a subclass's name → class → the subclasses with these words: vengeance → paladin.
    """

    things: Mapping[tuple[str, ...], Sequence[ClosedThing]]
    everyday: frozenset[tuple[str, ...]]
    longest: int
    subclasses: Mapping[tuple[str, ...], Mapping[str, Sequence[ClosedThing]]]


def closed_things(text: str, *, subclass: bool = False) -> list[ClosedThing]:
    """The things of the list that a text names, each once.

    A name that is also an ordinary word counts only if it is all that the text asks about, perhaps with the thing's
    kind: "how do bastions work" and "bastion rules", but not "a bastion in the woods".

    Args:
        text: a query, or a name.
        subclass: whether it may ask for a subclass by only the own words of its name, perhaps with its class.

    >>> [thing.book for thing in closed_things("How do I fight two mind flayers?")]
    ['Monster Manual']
    >>> [thing.name for thing in closed_things("vengeance", subclass=True)], closed_things("vengeance")
    (['Oath of Vengeance'], [])
    """
    asked = _words(subject(text))
    named = list(dict.fromkeys(_named(_words(text), frozenset(asked), _known())))
    return named or (list(_subclasses(asked)) if subclass else [])


@cache
def declared() -> Mapping[str, Any]:
    """The list as it is written: `everyday`, `also_called` (book → other names), `books` (book → kind → names)."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _named(words: Sequence[str], asked: frozenset[str], known: _Known) -> Iterator[ClosedThing]:
    """The things that a text names; `asked`: the words of its subject."""
    for start, end, name in longest_runs(words, known.longest, partial(_name_of, known)):
        others = asked - {*words[start:end]}
        for thing in known.things[name]:
            is_asked = asked != others and others <= _kind_words(thing)
            if is_asked or name not in known.everyday:
                yield thing


def _subclasses(asked: Sequence[str]) -> Iterator[ClosedThing]:
    """The subclasses whose own words are all that is asked for, but for words for a subclass and its class."""
    classes = declared()["subclasses"]
    own = tuple(word for word in asked if word not in classes and word not in _SUBCLASS_WORDS)
    for of, things in _known().subclasses.get(own, {}).items():
        if of in asked or not classes.keys() & {*asked}:
            yield from things


def _kind_words(thing: ClosedThing) -> set[str]:
    """The words of a thing's kind, in the singular and the plural."""
    return {each for word in thing.kind.split() for each in (word, f"{word}s")}


def _name_of(known: _Known, words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The name that these words are, or are the plural of."""
    *first, last = words
    return next((name for word in (last, *singulars(last)) if (name := (*first, word)) in known.things), None)


@cache
def _known() -> _Known:
    listed = declared()
    things: defaultdict[tuple[str, ...], list[ClosedThing]] = defaultdict(list)
    for book, kinds in listed["books"].items():
        for kind, names in kinds.items():
            for name in names:
                words = _words(name)
                for key in {words, ("".join(words),)}:
                    if (kind, book) not in {(thing.kind, thing.book) for thing in things[key]}:  # "The Hexblade"
                        things[key].append(ClosedThing(name, kind, book))
    return _Known(
        dict(things),
        frozenset(map(_words, listed["everyday"])),
        max(map(len, things)),
        _by_own_words(things, listed["subclasses"]),
    )


def _by_own_words(
    things: Mapping[tuple[str, ...], Sequence[ClosedThing]], frames_of: Mapping[str, Sequence[str]]
) -> Mapping[tuple[str, ...], Mapping[str, Sequence[ClosedThing]]]:
    """The `subclasses` of the list, from its `things` and the frames of the names of each class's subclasses."""
    found: defaultdict[tuple[str, ...], defaultdict[str, list[ClosedThing]]] = defaultdict(lambda: defaultdict(list))
    subclasses = [(words, thing) for words, named in things.items() for thing in named if thing.kind == "subclass"]
    frames = [(of, _words(frame)) for of, frames in frames_of.items() for frame in frames]
    for (words, thing), (of, frame) in product(subclasses, frames):
        if own := _within(frame, words):
            found[own][of].append(thing)
    return found


def _within(frame: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name inside a frame, the words that begin or end it; empty if it does not fit.

    >>> _within(("oath", "of"), ("oath", "of", "vengeance")), _within(("domain",), ("war", "domain"))
    (('vengeance',), ('war',))
    """
    if words[: len(frame)] == frame:
        return words[len(frame) :]
    return words[: -len(frame)] if words[-len(frame) :] == frame else ()


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in words_of(normalize_name(text)) if word not in _ARTICLES)
