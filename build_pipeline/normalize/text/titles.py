"""Names in capitals, as headings have them."""

from __future__ import annotations

from typing import Final

_SMALL: Final = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))


def titled(name: str) -> str:
    """A name in capitals, but for small words inside it; capitals that it has are kept.

    >>> titled("ray of sickness"), titled("the newt's Ire")
    ('Ray of Sickness', "The Newt's Ire")
    """
    words = name.split()
    return " ".join(word if n and word in _SMALL else word[:1].upper() + word[1:] for n, word in enumerate(words))
