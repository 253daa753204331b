"""Texts without the books that they name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_BEFORE: Final = re.compile(
    r"(?:[(,]\s*|\b(?:in|from|for|of|per|under|using|by|out\s+of|the|published|made|written)\s+){1,4}$", re.IGNORECASE
)
_AFTER: Final = re.compile(
    r"(?:['’]s?\b)?(?:\s+(?:srd|books?|setting|supplement|rules?|edition|version)\b(?:\s+(?:for|of|on)\b)?)?\s*\)?",
    re.IGNORECASE,
)


def without(text: str, named: Iterable[tuple[int, int]]) -> str:
    """A text without the books that it names (start and end of each), and the words that join them: "in the … book"."""
    left: list[str] = []
    place = 0
    for start, end in named:
        left.append(_BEFORE.sub("", text[place:start]))
        following = _AFTER.match(text, end)
        place = following.end() if following else end
    return " ".join(" ".join([*left, text[place:]]).split()).strip(" ,;:-")
