"""The denials in a query: "antidote, not poison", "no attunement", "a weapon that isn't heavy"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEXT: Final = ("but|yet|no|as an?|at|for|(?:and|or) (?:not|no|non|without|as an?|that|which|can|also)").replace(
    " ", r"\s"
)
"""Words that end a denial: what follows is about something else."""
_ASSERTS: Final = (
    "that|which|who|with|under|below|over|above|costing|weighing|up to|"
    "and (?:is|are|has|have|does|deals?|lasts?|works?|gives?|lets?|costs?|needs?|uses?|takes?|makes?|still)"
).replace(" ", r"\s")
"""Words that end a denial: what follows is wanted after all: "needs no concentration and lasts all day"."""
_REST: Final = rf"(?P<denied>[^,;:.!?()]*?)(?=[,;:.!?()]|\s(?:{_NEXT})\b|$)"
"""The denied words: up to the end of the clause."""
_OF_VERBS: Final = "".join(
    rf"(?<!\b{verb}\s)"
    for verb in (
        *("is", "are", "was", "were", "be", "do", "does", "did", "has", "have", "had", "can", "could"),
        *("will", "would", "shall", "should", "may", "might", "must", ".m", ".s", ".re"),
    )
)
"""After these, "not" negates a verb: "she has not eaten"."""
_SET_APART: Final = (
    r"(?:(?:^|[,;:]|(?P<bracket>\()|\s-|\b(?:and|but)){optional}\s*{after}\bnot\b(?!\s+(?:only|just|even)\b)"
    r"|\b(?:instead\s+of|rather\s+than|as\s+opposed\s+to|except(?:\s+for)?|other\s+than)\b"
    r"|(?:^|[,;(]|\b(?:with|and|but))\s*no\b)\s*" + _REST.replace("{", "{{").replace("}", "}}") + r"(?(bracket)\))"
)
_CONTRAST: Final = re.compile(_SET_APART.format(optional="?", after=_OF_VERBS), re.IGNORECASE)
"""A contrast with what is wanted, which says nothing about what is wanted."""
_CONTRAST_IN_QUESTION: Final = re.compile(_SET_APART.format(optional="", after=""), re.IGNORECASE)
"""The same in a question, where "not" may belong to the verb: "why do undead not breathe"."""
_QUESTION: Final = re.compile(
    r"\W*(?:why|how|when|where|what|which|who|if|do|does|did|is|are|was|were|can|could|should|would|will|may)\b",
    re.IGNORECASE,
)
_DENIED: Final = _REST.replace("but|yet", f"but|yet|{_ASSERTS}")
_OTHER: Final = re.compile(
    r"\b(?:(?:that|which|who|and|but)\s+)?(?:isn.?t|aren.?t|(?:is|are)\s+not)\b\s*" + _DENIED, re.IGNORECASE
)
"""Something that the thing wanted is not: "a fiend that isn't a devil"."""
_DENIAL: Final = re.compile(
    r"\b(?:without|doesn.?t|don.?t|(?:does|do)\s+not|can(?:not|.?t|\s+not)(?!\s+be\b))\b\s*" + _DENIED,
    re.IGNORECASE,
)
"""A denial that is part of what is wanted: "going without food"."""
_NON: Final = re.compile(r"\bnon\b[\s-]*(?P<denied>[^\W_]+)", re.IGNORECASE)
"""A denial of the one word that follows: "a non-magical weapon"."""

_ONE_WORD_OF_TWO: Final = re.compile(
    r"(?!(?:an?|the|any|this|that)\b)(?P<denied>[^\W_]+)\s+(?P<topic>[^\W_]+)", re.IGNORECASE
)
"""If "not" and two words are the whole query, only the first is denied: "not magic armor" is armor."""
_KEPT: Final = 64
"""Parsed queries that are cached: a search parses its query three times."""
_TOPIC: Final = re.compile(
    r"\b(?P<word>[^\W_]+)\W{0,3}(?:\b(?:but|and|that|which|who|one)\W{1,3}){0,2}$", re.IGNORECASE
)
_TOPIC_CHARS: Final = 100
"""Characters before a denial in which its topic is looked for."""
_PRONOUN: Final = re.compile(r"\b(?:it|them)$", re.IGNORECASE)
_ALTERNATIVE: Final = re.compile(r"\s+(?:or|nor|and)\s+(?!any\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A parsed query.

    Attributes:
        text: what to search for: the query without its contrasts ("not poison"); all of it if nothing is left.
        asserted: the same without the denials in it.
        denied: the words after each negation; "it" or "them" at their end is replaced by what it stands for, and "any"
            is repeated before each thing that it applies to.
        other: those of them that say what is not meant: the devil of "a fiend that isn't a devil".
    """

    text: str
    asserted: str
    denied: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


@lru_cache(_KEPT)
def wanted(query: str) -> Wanted:
    """Parse a query into what it wants and what it does not.

    >>> wanted("antidote, not poison")
    Wanted(text='antidote', asserted='antidote', denied=('poison',), other=('poison',))
    >>> wanted("undead without any flight or magic")
    Wanted(text='undead without any flight or magic', asserted='undead', denied=('any flight, any magic',), other=())
    """
    asks = _QUESTION.match(query) is not None
    apart = (_CONTRAST_IN_QUESTION,) if asks else (_OTHER, _CONTRAST)
    within = (_OTHER, _DENIAL, _NON) if asks else (_DENIAL, _NON)
    text, other = _parted(query, apart)
    asserted, lacking = _parted(text, within)
    denied = (*other, *lacking)
    if not text and len(denied) == 1 and (parted := _ONE_WORD_OF_TWO.fullmatch(denied[0])):
        return Wanted(parted["topic"], parted["topic"], (parted["denied"],))
    return Wanted(text or query, asserted, denied, other)


def _parted(query: str, denials: Iterable[re.Pattern[str]]) -> tuple[str, tuple[str, ...]]:
    """A query without the matches of these patterns, and what the matches deny."""
    denied: list[str] = []
    for pattern in denials:
        denied += filter(None, map(_denied, pattern.finditer(query)))
        query = _tidy(pattern.sub(" ", query))
    return query, tuple(denied)


def _denied(match: re.Match[str]) -> str:
    """The denied words, with a final "it" or "them" replaced by the word before the denial, and "any" repeated."""
    words = match["denied"].strip()
    if words.casefold().startswith("any "):
        words = _ALTERNATIVE.sub(", any ", words)
    start = match.start()
    topic = _TOPIC.search(match.string, max(start - _TOPIC_CHARS, 0), start)
    return _PRONOUN.sub(topic["word"], words) if topic else words


def _tidy(text: str) -> str:
    return re.sub(r"\s+([,;:.!?)])", r"\1", " ".join(text.split())).strip(" ,;:(-")
