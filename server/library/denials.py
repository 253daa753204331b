"""What a query says that it does not want: "antidote, not poison", "no attunement", "a weapon that isn't heavy"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_REST: Final = r"(?P<denied>[^,;:.!?()]*?)(?=[,;:.!?()]|\s(?:but|yet)\b|$)"
"""What is denied: up to the end of the clause."""
_ASSERTS: Final = (
    "with|under|below|over|above|at least|at most|up to|costing|weighing|"
    "and (?:is|are|has|have|can|does|deals?|lasts?|works?|gives?|lets?|costs?|needs?|uses?|takes?|makes?|still)"
).replace(" ", r"\s")
"""Words after which a fact is wanted all the same: "needs no concentration and lasts all day"."""
_CONTRAST: Final = re.compile(
    r"(?:(?:^|[,;:]|(?P<bracket>\()|\s-|\b(?:and|but))\s*not\b(?!\s+(?:only|just|even)\b)"
    r"|\b(?:instead\s+of|rather\s+than|as\s+opposed\s+to|except(?:\s+for)?|other\s+than)\b"
    r"|(?:^|[,;(]|\b(?:with|and|but))\s*no\b)\s*" + _REST + r"(?(bracket)\))",
    re.IGNORECASE,
)
"""What is set apart from what is wanted, and tells nothing about that."""
_DENIAL: Final = re.compile(
    r"\b(?:without|isn.?t|aren.?t|is\s+not|are\s+not|doesn.?t|don.?t|does\s+not|do\s+not|non)\b[\s-]*"
    + _REST.replace("but|yet", f"but|yet|{_ASSERTS}"),
    re.IGNORECASE,
)
"""What is denied where the words belong to what is wanted: "going without food"."""

_TOPIC: Final = re.compile(
    r"\b(?P<word>[^\W_]+)\W{0,3}(?:\b(?:but|and|that|which|who|one)\W{1,3}){0,2}$", re.IGNORECASE
)
_PRONOUN: Final = re.compile(r"\b(?:it|them)$", re.IGNORECASE)
_ALTERNATIVE: Final = re.compile(r"\s+(?:or|nor|and)\s+(?!any\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A query, taken apart.

    Attributes:
        text: without what is only named to tell it from what is wanted: what to search for; if nothing is left, all.
        asserted: also without what is denied within that.
        denied: the words after the negations, "it" and "them" at their end replaced by what they stand for, and "any"
            before each thing that it is said of.
    """

    text: str
    asserted: str
    denied: str


def wanted(query: str) -> Wanted:
    """What a query wants, and what it does not.

    >>> wanted("antidote, not poison")
    Wanted(text='antidote', asserted='antidote', denied='poison')
    >>> wanted("undead without any flight or magic")
    Wanted(text='undead without any flight or magic', asserted='undead', denied='any flight, any magic')
    """
    text = _tidy(_CONTRAST.sub(" ", query))
    asserted = _tidy(_DENIAL.sub(" ", text))
    denied = map(_denied, (*_CONTRAST.finditer(query), *_DENIAL.finditer(text)))
    return Wanted(text or query, asserted, "; ".join(denied))


def _denied(match: re.Match[str]) -> str:
    """What is denied; "it" and "them" at its end stand for the word before the denial, "any" for all that follows."""
    words = match["denied"].strip()
    if words.casefold().startswith("any "):
        words = _ALTERNATIVE.sub(", any ", words)
    topic = _TOPIC.search(match.string[: match.start()])
    return _PRONOUN.sub(topic["word"], words) if topic else words


def _tidy(text: str) -> str:
    return re.sub(r"\s+([,;:.!?)])", r"\1", " ".join(text.split())).strip(" ,;:(-")
