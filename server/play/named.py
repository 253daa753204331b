"""Which one thing a name stands for: what may be any of several is refused, not chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.library.name_index import singulars
from server.library.other_names import words_of
from server.library.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.facts import Row
    from server.library.library import Library
    from server.library.request import Request

_MOST_NAMED: Final = 8
"""Names that a message lists."""


def of_one_name(rows: Sequence[Row], parameter: str, name: str, noun: str) -> list[Row]:
    """Of what a name may stand for, as of `Facts.named`, all that has one name: a thing in several books.

    Raises:
        RequestError: it may be any of several things.
    """
    # "skeletons" is the skeleton, though it is also a word of other names.
    found = [row for row in rows if _is_plural(name, row["name"])] or list(rows)
    names = {_words(row["name"]): row["name"] for row in reversed(found)}
    if len(names) > 1:
        some = ", ".join([*reversed(names.values())][:_MOST_NAMED])
        message = f'{parameter}: "{name}" may be any of {len(names)} {noun}: give one name or id, such as {some}.'
        raise RequestError(parameter=parameter, value=name, message=message)
    return found


def nothing_named(library: Library, request: Request) -> str:
    """What a look-up says of a name that it does not find: which books have it, or what is similar."""
    return str(library.find(replace(request, limit=1, detail="names"))["message"])


def _is_plural(name: str, of: str) -> bool:
    """Whether a name is another one, perhaps in the plural: "swarms of rats" of Swarm of Rats."""
    words, others = _words(name), _words(of)
    return len(words) == len(others) and all(
        word == other or other in singulars(word) for word, other in zip(words, others, strict=True)
    )


def _words(name: str) -> tuple[str, ...]:
    """The words of a name in alphabetical order, as some books write "Rat, Giant"."""
    return tuple(sorted(words_of(normalize_name(name))))
