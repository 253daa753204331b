"""What a query says that it does not want: "antidote, not poison", "no attunement", "a weapon that isn't heavy"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_REST: Final = r"(?P<{name}>[^,;:.!?()]*?)(?=[,;:.!?()]|\s(?:but|yet)\b|$)"
"""What is denied: up to the end of the clause."""
_CONTRAST: Final = re.compile(
    r"(?:(?:^|[,;:]|(?P<bracket>\()|\s-|\b(?:and|but))\s*not\b(?!\s+(?:only|just|even)\b)"
    r"|\b(?:instead\s+of|rather\s+than|as\s+opposed\s+to|except(?:\s+for)?|other\s+than)\b"
    r"|(?:^|[,;(]|\b(?:with|and|but))\s*no\b)\s*" + _REST.format(name="denied") + r"(?(bracket)\))",
    re.IGNORECASE,
)
"""What is set apart from what is wanted, and tells nothing about that."""
_DENIAL: Final = re.compile(
    r"\b(?:without|isn.?t|aren.?t|is\s+not|are\s+not|doesn.?t|don.?t|does\s+not|do\s+not|non)\b[\s-]*"
    + _REST.format(name="denied"),
    re.IGNORECASE,
)
"""What is denied where the words belong to what is wanted: "going without food"."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A query, taken apart.

    Attributes:
        text: without what is only named to tell it from what is wanted: what to search for; if nothing is left, all.
        asserted: also without what is denied within that.
        denied: the words after the negations.
    """

    text: str
    asserted: str
    denied: str


def wanted(query: str) -> Wanted:
    """What a query wants, and what it does not.

    >>> wanted("antidote, not poison")
    Wanted(text='antidote', asserted='antidote', denied='poison')
    >>> wanted("undead without flight")
    Wanted(text='undead without flight', asserted='undead', denied='flight')
    """
    text = _tidy(_CONTRAST.sub(" ", query))
    asserted = _tidy(_DENIAL.sub(" ", text))
    denied = [match["denied"] for match in (*_CONTRAST.finditer(query), *_DENIAL.finditer(text))]
    return Wanted(text or query, asserted, "; ".join(words.strip() for words in denied))


def _tidy(text: str) -> str:
    return re.sub(r"\s+([,;:.!?)])", r"\1", " ".join(text.split())).strip(" ,;:(-")
