"""British spellings of words that the books spell the American way: armour, grey, defence, sabre-toothed, paralysed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEPT: Final = 200
"""Texts whose spelling is kept."""

_OUR: Final = (
    "arb|ard|arm|behavi|cand|clam|col|demean|endeav|fav|ferv|flav|glam|hon|hum|lab|neighb|od|parl|ranc|rig|rum|sav|savi"
    "|splend|succ|tum|val|vap|vig"
)
_RE: Final = "calib|cent|fib|lust|meag|mit|sab|scept|somb|spect|theat"
_ISE: Final = (
    "agon|apolog|author|capital|categor|character|civil|crystall|custom|demon|energ|equal|fertil|final|formal|galvan"
    "|general|harmon|hypnot|immortal|jeopard|magnet|material|maxim|memor|mesmer|minim|mobil|moral|neutral|organ|ostrac"
    "|penal|pressur|priorit|random|real|recogn|revital|scrutin|special|stabil|steril|summar|symbol|synchron|terror|util"
    "|vapor|victim|visual"
)
_LL: Final = (
    "cancel|channel|chisel|counsel|dial|duel|enamel|fuel|gravel|grovel|jewel|label|level|libel|marvel|model|panel|pummel"
    "|quarrel|ravel|revel|rival|shovel|shrivel|signal|spiral|swivel|travel|tunnel"
)
_AMERICAN: Final = tuple(
    (re.compile(british), american)
    for british, american in (
        (rf"({_OUR})our", r"\1or"),
        (rf"\b({_RE})re(?=s?\b|tooth)", r"\1er"),
        (rf"\b({_RE})red\b", r"\1ered"),
        (rf"({_ISE})is(?=(?:e|ed|er|ers|es|ing|able|ations?)\b)", r"\1iz"),
        (r"\b(anal|catal|paral)ys(?=(?:e|ed|er|ers|es|ing)\b)", r"\1yz"),
        (r"\b(def|off|pret)ence(?=s?\b|less)", r"\1ense"),
        (rf"({_LL})l(?=(?:ed|er|ers|ing|ists?|ors?|ous|ously)\b)", r"\1"),
        (r"\b(ski|wi)lful", r"\1llful"),
        (r"\b(s?m)ould", r"\1old"),
        (r"grey(?!hawk|hound)", "gray"),
        (r"manoeuvr(?:e(?!d))?", "maneuver"),
        (r"\bdraught(?= (?:animal|horse))", "draft"),
        (r"\bartefact", "artifact"),
        (r"\bchequered", "checkered"),
        (r"\bfulfil\b", "fulfill"),
        (r"\bjewellery", "jewelry"),
        (r"\bjudgement", "judgment"),
        (r"\blicence", "license"),
        (r"\bplough", "plow"),
        (r"\bsceptic", "skeptic"),
        (r"sulphur", "sulfur"),
        (r"\bwoollen", "woolen"),
        (r"\bworshipp(?=ed|er|ing)", "worship"),
    )
)
"""Patterns of British spellings in folded text, and the American ones; "four" and "hour" match none."""


_MARKS: Final = re.compile(
    r"our|[bcgt]re(?:[sd]?\b|tooth)|is[aei]|ys[ei]|ence|ll[eio]|lful|fulfil|ould|grey|oeuv|ught|artef|chequ|dgem|plou|scept|sulph|pp[ei]"
)
"""What these spellings have among others: most texts have none of it."""


def american_text(text: str) -> str:
    """A text with its words spelled the American way; in lower case if that changes any.

    >>> american_text("Grey Armour of Bahamut"), american_text("Plate Armor")
    ('gray armor of bahamut', 'Plate Armor')
    """
    lower = text.lower()
    spelled = _spelled(lower) if _MARKS.search(lower) else lower
    return text if spelled == lower else spelled


@lru_cache(_KEPT)
def american(folded: str) -> str:
    """A folded text with its words spelled the American way.

    >>> american("the grey knight's armour"), american("four hours of defence")
    ("the gray knight's armor", 'four hours of defense')
    """
    return _spelled(folded) if _MARKS.search(folded) else folded


def british_among(words: Iterable[str]) -> dict[str, str]:
    """The folded words that are spelled the British way → their American spellings; faster than one by one."""
    some = list(filter(_MARKS.search, words))
    spelled = _spelled("\n".join(some)).splitlines()
    return {word: other for word, other in zip(some, spelled, strict=True) if other != word}


def _spelled(folded: str) -> str:
    for british, spelling in _AMERICAN:
        folded = british.sub(spelling, folded)
    return folded
