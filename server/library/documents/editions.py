"""The edition of the rules that a text names: "owlbear 2024", "grappling in 5.5e", "SRD 5.1 counterspell"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from server.library.documents.named_documents import NamedDocuments, within_named

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from server.library.requests.request import Request

_GAME: Final = r"(?:d\s?&\s?d|dnd|dungeons\s+(?:&|and)\s+dragons|(?<!advanced\s)5e|(?<!advanced\s)5th[\s-]edition|srd)"
_BEFORE: Final = rf"\(?(?:\b(?:in|from|for|of|under|using|the)\s+){{0,3}}(?:\b{_GAME}\s*){{0,3}}(?<![\w.,+/-])"
_OF_IT: Final = r"(?:rules?|edition|version)(?:\s+(?:for|of|on)\b)?"
_AFTER: Final = rf"(?![\w/+-]|[.,]\d)(?:\s*\b(?:{_GAME}|{_OF_IT})(?!\w))*\)?"
_LEVEL_UP: Final = (
    r"(?:(?<=in\s)|(?<=of\s)|(?<=from\s)|(?<=\())level\s?up(?=\W*$)|level\s?up(?=\s+(?:rules|version)\b)"
    r"|(?-i:\ALevel Up(?=\s(?!(?:an?|at|each|from|in|my|our|the|to|your)\b)[a-z]))"
)
"""The game Level Up, as opposed to what characters do."""
_EDITIONS: Final = {
    entry: re.compile(rf"{_BEFORE}(?:{told}){_AFTER}", re.IGNORECASE)
    for entry, told in {
        "2024": r"2024|5\.5e|5\.5(?=\s+(?:rules|edition))|5\.2\.1|srd\s*5\.2|one\s?d\s?&?\s?n?d",
        "2014": r"2014|srd\s*5\.1",
        "a5e": rf"a5e|(?:level\s?up:?\s+)?advanced\s+5(?:e|th[\s-]edition)|{_LEVEL_UP}",
        "bfrd": r"tales\s+of\s+the\s+valiant|tov|bfrd",
    }.items()
}
"""Entry of `documents` → what people call it."""
_ALONE: Final = {"a5e": re.compile(r"level\s?up", re.IGNORECASE)}
"""The same for what only an entry by itself means: "how do I level up" names no game."""
_GAME_ALONE: Final = re.compile(rf"{_BEFORE}\b{_GAME}{_AFTER}", re.IGNORECASE)
"""The game itself, which every record belongs to: "healing spells in D&D 5e"."""
_ONLY_GAME: Final = re.compile(rf"(?:{_GAME}\s*)+", re.IGNORECASE)
_COMPARING: Final = re.compile(
    r"^(?:what(?:.?s|\s+has|\s+was|\s+is|\s+are)?\s+(?:the\s+)?)?(?:(?:changed|different|differences?|changes?)\s+"
    r"(?:between|in|about|with|for|of|to)|compar(?:e|ing))\s+(?:(?:and|the|versions?|of)\s+)*|^how\s+(?:did|does|do|has|have)\s+"
    r"|(?:(?:^|[\s,]{1,3})(?:changed?|differs?|different|compared|between|versus|vs\.?|and|or|to|from|with)){1,9}[\s?.!]*$",
    re.IGNORECASE,
)
"""Words around a thing whose editions are compared; at its end their number is bounded, since a run of them is tried
from each of its words."""


def edition_of(text: str) -> NamedDocuments:
    """Separate a text from the editions that it names; a text that names nothing else is left as it is.

    >>> edition_of("how does grappling work in 5.5e")
    NamedDocuments(text='how does grappling work', entries=('2024',))
    >>> edition_of("what changed in exhaustion between 2014 and 2024")
    NamedDocuments(text='exhaustion', entries=('2024', '2014'))
    """
    entries = tuple(entry for entry, pattern in _EDITIONS.items() if pattern.search(text))
    rest = text
    for entry in entries:
        rest = _EDITIONS[entry].sub(" ", rest)
    rest = " ".join(_GAME_ALONE.sub(" ", rest).split()).strip(" ,;:-")
    if len(entries) > 1:
        rest = compared(rest)
    return NamedDocuments(rest, entries) if entries and rest else NamedDocuments(rest or text)


def compared(text: str) -> str:
    """What a text compares, once the editions or books that it compares it in are left out.

    >>> compared("compare goblins and")
    'goblins'
    """
    return _COMPARING.sub("", text).strip(" ,;:-")


def edition_named(text: str) -> str | None:
    """The entry of `documents` for an edition, by any of its names: 2024 for "5.5e"; None if it names no edition."""
    told = (*_EDITIONS.items(), *_ALONE.items())
    return next((entry for entry, pattern in told if pattern.fullmatch(text.strip())), None)


def is_game(entry: str) -> bool:
    """Whether an entry of `documents` is the game itself, in whichever edition: "5e", "D&D 5e"."""
    return _ONLY_GAME.fullmatch(entry.strip()) is not None


def within_edition(request: Request, keys_of: Callable[[Sequence[str]], Collection[str]]) -> Request:
    """The request with the edition that its texts name as its documents; a text that names one the library lacks stays.

    Args:
        request: as the caller made it.
        keys_of: the keys of the library's documents that entries of `documents` stand for.
    """

    def read(text: str) -> NamedDocuments:
        edition = edition_of(text)
        return edition if all(keys_of([entry]) for entry in edition.entries) else NamedDocuments(text)

    return within_named(request, read, keys_of, "edition")
