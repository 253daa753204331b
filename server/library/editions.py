"""The edition of the rules that a text names: "owlbear 2024", "grappling in 5.5e", "SRD 5.1 counterspell"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from server.library import messages

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.library.request import Request

_GAME: Final = (
    r"(?:d\s?&\s?d|dnd|dungeons\s+(?:&|and)\s+dragons|(?<!advanced\s)5e|(?<!advanced\s)5th[\s-]edition|srd|phb)"
)
_BEFORE: Final = rf"\(?(?:\b(?:in|from|for|of|under|using|the)\s+){{0,3}}(?:\b{_GAME}\s*){{0,3}}(?<![\w.,+/-])"
_OF_IT: Final = r"(?:rules?|edition|version)(?:\s+(?:for|of|on)\b)?"
_AFTER: Final = rf"(?![\w/+-]|[.,]\d)(?:\s*\b(?:{_GAME}|{_OF_IT})(?!\w))*\)?"
_YEARS: Final = {
    year: re.compile(rf"{_BEFORE}(?:{told}){_AFTER}", re.IGNORECASE)
    for year, told in {
        "2024": r"2024|5\.5e|5\.5(?=\s+(?:rules|edition))|5\.2\.1|srd\s*5\.2|one\s?d\s?&?\s?n?d",
        "2014": r"2014|srd\s*5\.1",
    }.items()
}
_GAME_ALONE: Final = re.compile(rf"{_BEFORE}\b{_GAME}{_AFTER}", re.IGNORECASE)
"""The game itself, which every record is of: "healing spells in D&D 5e"."""


@dataclass(frozen=True, slots=True)
class Edition:
    """What a text says besides the edition of the rules, and the year of that edition, if it names one."""

    text: str
    year: str | None


def edition_of(text: str) -> Edition:
    """Take a text apart; one that names nothing else, or several editions, is left as it is.

    >>> edition_of("how does grappling work in 5.5e")
    Edition(text='how does grappling work', year='2024')
    >>> edition_of("exhaustion, 2014 and 2024")
    Edition(text='exhaustion, 2014 and 2024', year=None)
    """
    years = [year for year, pattern in _YEARS.items() if pattern.search(text)]
    if len(years) > 1:
        return Edition(text, None)
    rest = _GAME_ALONE.sub(" ", _YEARS[years[0]].sub(" ", text) if years else text)
    rest = " ".join(rest.split()).strip(" ,;:-")
    return Edition(rest, *years) if years and rest else Edition(rest or text, None)


def within_edition(request: Request, holds: Callable[[str], bool]) -> Request:
    """The request with the edition that its texts name as its documents, unless it has some.

    Args:
        request: as the caller made it.
        holds: whether the library has documents of an edition, by its year.
    """
    named = [edition_of(name) for name in request.names]
    searched = None if request.search is None else edition_of(request.search)
    told = [*named, *([] if searched is None else [searched])]
    years = {edition.year for edition in told}
    year = next(iter(years)) if len(years) == 1 else None
    if year is not None and not holds(year):
        return request
    texts = tuple(edition.text for edition in named)
    understood = replace(
        request,
        name=texts if isinstance(request.name, tuple) else next(iter(texts), None),
        search=None if searched is None else searched.text,
    )
    if year is None or request.documents is not None:
        return understood
    return replace(understood, documents=(year,), notes=(*request.notes, messages.of_edition(year)))
