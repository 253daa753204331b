"""The denials in a query: "antidote, not poison", "no attunement", "a weapon that isn't heavy"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_RESUMES: Final = "not|no|non|without|as an?|that|which|can|also".replace(" ", r"\s")
"""Words that after "and" or "or" end a denial."""
_NEXT: Final = f"but|yet|no|as an?|at|for|(?:and|or) (?:{_RESUMES})".replace(" ", r"\s")
"""Words that end a denial: what follows is about something else."""
_ASSERTS: Final = (
    "that|which|who|with|under|below|over|above|costing|weighing|up to|"
    "and (?:is|are|has|have|does|deals?|lasts?|works?|gives?|lets?|costs?|needs?|uses?|takes?|makes?|still)"
).replace(" ", r"\s")
"""Words that end a denial: what follows is wanted after all: "needs no concentration and lasts all day"."""
_ITEM: Final = r"\s*[^\s,;:.!?()]+(?:\s[^\s,;:.!?()]+)?"
_LIST: Final = rf"(?:[^\s,;:.!?()]+\s){{0,3}}[^\s,;:.!?()]+(?:,{_ITEM}){{0,4}},?\s(?:or|nor)\s"
"""The beginning of a list with commas: "darkvision, blindsight or "."""


def _denied_until(ends: str) -> str:
    """The pattern of the denied words: up to the end of the clause, or to one of these words."""
    return rf"(?P<denied>(?:{_LIST}(?!(?:{ends}|{_RESUMES})\b))?[^,;:.!?()]*?)(?=[,;:.!?()]|\s(?:{ends})\b|$)"


_REST: Final = _denied_until(_NEXT)
_DENIED: Final = _denied_until(f"{_NEXT}|{_ASSERTS}")
"""The same of a denial within what is wanted, after which that may go on."""
_NOT_LESS: Final = (
    r"(?!\s*(?:(?:more|higher|greater|larger|better|less|lower|fewer|smaller|longer)\s+than|above|below|over|under)\b)"
)
"""What compares denies nothing: "no higher than level 2"."""
_NOT_ONLY: Final = r"(?!\s*(?:only|just)\b)"
"""What is "not only" so is so: "a spell that is not only fire but cold"."""
_OF_VERBS: Final = "".join(
    rf"(?<!\b{verb}\s)"
    for verb in (
        *("was", "were", "be", "do", "does", "did", "has", "have", "had", "can", "could"),
        *("will", "would", "shall", "should", "may", "might", "must", ".s"),
    )
)
"""After these, "not" negates a verb: "she has not eaten"."""


def _contrast(*, in_question: bool) -> re.Pattern[str]:
    """The pattern of a contrast with what is wanted, which says nothing about what is wanted: ", not poison".

    In a question, "not" may belong to the verb ("why do undead not breathe"), so it must be set apart by a comma, a
    bracket or the like.
    """
    optional, after = ("", "") if in_question else ("?", _OF_VERBS)
    return re.compile(
        rf"(?:(?:^|[,;:]|(?P<bracket>\()|\s-|\b(?:and|but)){optional}\s*{after}\bnot\b(?!\s+even\b){_NOT_ONLY}{_NOT_LESS}"
        r"|\b(?:instead\s+of|rather\s+than|as\s+opposed\s+to|except(?:\s+for)?|other\s+than)\b)\s*"
        rf"{_REST}(?(bracket)\))",
        re.IGNORECASE,
    )


_CONTRAST: Final = _contrast(in_question=False)
_CONTRAST_IN_QUESTION: Final = _contrast(in_question=True)
_UNDERGONE: Final = "".join(
    rf"(?<!\b{verb}\s)" for verb in ("take", "takes", "taking", "suffer", "suffers", "feel", "feels", "fear", "fears")
)
"""What takes no damage may deal it."""
_NO: Final = rf"{_UNDERGONE}\bno\b(?!\s+(?:one|longer|matter|doubt)\b){_NOT_LESS}\s*"
_LACKED: Final = re.compile(
    rf"(?:^|[,;]|(?P<bracket>\()|\b(?:with|and|but))\s*{_NO}{_REST}(?(bracket)\))", re.IGNORECASE
)
"""Something that the thing wanted lacks, set apart from the rest: "a ring, no attunement"."""
_QUESTION: Final = re.compile(
    r"\W*(?:why|how|when|where|what|which|who|if|do|does|did|is|are|was|were|can|could|should|would|will|may)\b",
    re.IGNORECASE,
)
_HAVING: Final = ("with", "has", "have", "having", "need", "needs", "needing")
"""Before "neither", these tell what is lacking."""
_OTHER: Final = re.compile(
    r"\b(?:(?:(?:that|which|who|and|but)\s+)?(?:isn.?t|aren.?t|(?:is|are)\s+(?:not|neither))|"
    r"(?:that|which|who).s\s+(?:not|neither)|"
    + _OF_VERBS
    + "".join(rf"(?<!\b{verb}\s)" for verb in _HAVING)
    + r"neither)\b\s*"
    + _NOT_ONLY
    + _NOT_LESS
    + _DENIED,
    re.IGNORECASE,
)
"""Something that the thing wanted is not: "a fiend that isn't a devil"."""
_WITHOUT: Final = re.compile(rf"(?:\bwithout\b|\b(?:{'|'.join(_HAVING)})\s+neither\b|{_NO})\s*{_DENIED}", re.IGNORECASE)
"""Something that the thing wanted lacks, said within what is wanted: "going without food"."""
_DENIAL: Final = re.compile(
    r"\b(?:doesn.?t|don.?t|(?:does|do)\s+not|can(?:not|.?t|\s+not|\s+neither)(?!\s+be\b))\b\s*" + _NOT_ONLY + _DENIED,
    re.IGNORECASE,
)
"""Something that the thing wanted does not do."""
_SITUATION: Final = re.compile(
    r"\b(?:when|while|whenever|if|because|unless|although)\b[^,;:.!?]*"
    r"|\b(?:i|you|we|he|she|they|there|(?:my|your|our|his|her|their)\s+\w+|the\s+(?:party|group|players?|characters?))"
    r"(?:.?(?:m|re|ve)|.s)?\s+(?:(?:am|are|is|was|were|do|does|did|have|has|had|can|could|will|would|got)\s+)?"
    r"(?:not|no|\w+n.?t)\b(?!\s+(?:want|need|like|care)\b)[^,;:.!?]*",
    re.IGNORECASE,
)
"""What is so, or what somebody cannot do: a denial in it describes the situation, not what is wanted."""
_SOMEBODYS: Final = re.compile(r"\b(?:i|me|my|you|your|we|us|our)\b", re.IGNORECASE)
"""Words that show that a denial is about somebody who asks: "not on my list"."""
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
_ARTICLE: Final = re.compile(r"^an?\s+", re.IGNORECASE)
_ALTERNATIVES: Final = re.compile(r"\s*(?:,|\b(?:or|nor|and)\b)\s*(?:an?\s+)?", re.IGNORECASE)
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
        lacked: those of them that say what the thing wanted lacks: the water of "a march without water".
    """

    text: str
    asserted: str
    denied: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    lacked: tuple[str, ...] = ()


@lru_cache(_KEPT)
def wanted(query: str) -> Wanted:
    """Parse a query into what it wants and what it does not.

    >>> wanted("antidote, not poison")
    Wanted(text='antidote', asserted='antidote', denied=('poison',), other=('poison',), lacked=())
    >>> wanted("undead without any flight or magic").denied
    ('any flight, any magic',)
    """
    asks = _QUESTION.match(query) is not None
    contrasts = (_CONTRAST_IN_QUESTION,) if asks else (_OTHER, _CONTRAST)
    verbs = (_OTHER, _DENIAL, _NON)
    text, other = _parted(query, contrasts)
    text, apart = _parted(text, (_LACKED,))
    asserted, within = _parted(text, (_WITHOUT,))
    asserted, not_done = _parted(asserted, verbs)
    denied, lacked = (*other, *apart, *within, *not_done), (*apart, *within)
    if not text and not lacked and len(denied) == 1 and (parted := _ONE_WORD_OF_TWO.fullmatch(denied[0])):
        return Wanted(parted["topic"], parted["topic"], (parted["denied"],))
    asserted = _without_situations(asserted, (*contrasts, _LACKED, _WITHOUT, *verbs))
    return Wanted(text or query, asserted, denied, other, lacked)


def alternatives(denied: str) -> list[str]:
    """The alternatives of a denied phrase: "heavy", "two-handed" of "heavy or two-handed"."""
    return [each for each in _ALTERNATIVES.split(_ARTICLE.sub("", denied)) if each]


def _parted(query: str, denials: Iterable[re.Pattern[str]]) -> tuple[str, tuple[str, ...]]:
    """A query without the matches of these patterns, and what the matches deny; situations are left as they are."""
    denied: list[str] = []
    for pattern in denials:
        parts: list[str] = []
        end = 0
        situations = _situations(query)
        for match in pattern.finditer(query):
            words = _denied(match)
            if match.start("denied") in situations or _SOMEBODYS.search(words):
                continue
            denied += [words] if words else []
            parts += [query[end : match.start()], " "]
            end = match.end()
        query = _tidy("".join(parts) + query[end:])
    return query, tuple(denied)


def _without_situations(query: str, denials: Iterable[re.Pattern[str]]) -> str:
    """A query without the denials that only describe situations."""
    for pattern in denials:
        query = _tidy(pattern.sub(" ", query))
    return query


def _situations(query: str) -> set[int]:
    """The offsets at which a query describes a situation."""
    return {place for match in _SITUATION.finditer(query) for place in range(*match.span())}


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
