"""The one thing that a name stands for: an ambiguous name is refused, not guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.library.message import Message, Named
from server.library.names.name_words import singulars
from server.library.names.other_names import words_of
from server.library.requests.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.facts import Row
    from server.library.library import Library
    from server.library.requests.request import Request

_MOST_NAMED: Final = 8
"""Maximum number of names in a message."""


def of_one_name(rows: Sequence[Row], parameter: str, name: str, noun: str) -> list[Row]:
    """The rows that a name stands for, out of those from `Facts.named`: one thing, perhaps in several books.

    Raises:
        RequestError: the name may mean any of several things.
    """
    # "skeletons" is the skeleton, though it is also a word of other names.
    found = [row for row in rows if stands_for(name, row["name"])] or list(rows)
    names = {_words(row["name"]): row["name"] for row in reversed(found)}
    if len(names) > 1:
        some = ", ".join([*reversed(names.values())][:_MOST_NAMED])
        several = f'"{name}" may be any of {len(names)} {noun}: give one name or id, such as {some}.'
        raise RequestError(parameter=parameter, value=name, message=Message(Named(parameter), ": ", several))
    return found


def nothing_named(library: Library, request: Request) -> Message:
    """The message of a look-up that does not find a name: which books have it, or similar names."""
    return Message(library.find(replace(request, limit=1, detail="names"))["message"])


def stands_for(name: str, of: str) -> bool:
    """Whether a name is the name `of`, perhaps in the plural: "swarms of rats" for Swarm of Rats."""
    words, others = _words(name), _words(of)
    return len(words) == len(others) and all(
        word == other or other in singulars(word) for word, other in zip(words, others, strict=True)
    )


def _words(name: str) -> tuple[str, ...]:
    """The words of a name in alphabetical order, so that "Rat, Giant" equals "Giant Rat"."""
    return tuple(sorted(words_of(normalize_name(name))))
