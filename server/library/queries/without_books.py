"""What is left of a text without the books that it names: "dragons" of "dragons in the Tome of Beasts 2 book"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_BEFORE: Final = re.compile(
    r"(?:[(,]\s*|\b(?:in|from|for|of|per|under|using|by|out\s+of|the|published|made|written)\s+){1,4}$", re.IGNORECASE
)
"""The words that lead to a book's name: "published in the"."""
_AFTER: Final = re.compile(
    r"(?:['’]s?\b)?(?:\s+(?:srd|books?|setting|supplement|rules?|edition|version)\b(?:\s+(?:for|of|on)\b)?)?\s*\)?",
    re.IGNORECASE,
)
"""What belongs to the name before it: "'s", "book", "rules for"."""


def without_books(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text without the names of books, and without the words that join them to the rest.

    Args:
        text: the text.
        spans: start and end of each name, in order.

    >>> without_books("dragons (from the Tome of Beasts book)", [(18, 32)])
    'dragons'
    """
    left: list[str] = []
    place = 0
    for start, end in spans:
        left.append(_BEFORE.sub("", text[place:start]))
        following = _AFTER.match(text, end)
        place = following.end() if following else end
    return " ".join(" ".join([*left, text[place:]]).split()).strip(" ,;:-")
