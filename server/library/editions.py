"""The edition of the rules that a text names: "owlbear 2024", "grappling in 5.5e", "SRD 5.1 counterspell"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from server.library import messages

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from server.library.request import Request

_GAME: Final = (
    r"(?:d\s?&\s?d|dnd|dungeons\s+(?:&|and)\s+dragons|(?<!advanced\s)5e|(?<!advanced\s)5th[\s-]edition|srd|phb)"
)
_BEFORE: Final = rf"\(?(?:\b(?:in|from|for|of|under|using|the)\s+){{0,3}}(?:\b{_GAME}\s*){{0,3}}(?<![\w.,+/-])"
_OF_IT: Final = r"(?:rules?|edition|version)(?:\s+(?:for|of|on)\b)?"
_AFTER: Final = rf"(?![\w/+-]|[.,]\d)(?:\s*\b(?:{_GAME}|{_OF_IT})(?!\w))*\)?"
_LEVEL_UP: Final = r"(?:(?<=in\s)|(?<=of\s)|(?<=from\s)|(?<=\())level\s?up(?=\W*$)|level\s?up(?=\s+(?:rules|version)\b)"
"""The game Level Up, as opposed to what characters do."""
_EDITIONS: Final = {
    entry: re.compile(rf"{_BEFORE}(?:{told}){_AFTER}", re.IGNORECASE)
    for entry, told in {
        "2024": r"2024|5\.5e|5\.5(?=\s+(?:rules|edition))|5\.2\.1|srd\s*5\.2|one\s?d\s?&?\s?n?d",
        "2014": r"2014|srd\s*5\.1",
        "a5e": rf"a5e|(?:level\s?up:?\s+)?advanced\s+5(?:e|th[\s-]edition)|{_LEVEL_UP}",
    }.items()
}
"""Entry of `documents` → what people call it."""
_GAME_ALONE: Final = re.compile(rf"{_BEFORE}\b{_GAME}{_AFTER}", re.IGNORECASE)
"""The game itself, which every record belongs to: "healing spells in D&D 5e"."""
_COMPARING: Final = re.compile(
    r"^(?:what(?:.?s|\s+has|\s+was|\s+is|\s+are)?\s+(?:the\s+)?)?(?:(?:changed|different|differences?|changes?)\s+"
    r"(?:between|in|about|with|for|of|to)|compar(?:e|ing))\s+(?:(?:and|the|versions?|of)\s+)*|^how\s+(?:did|does|do|has|have)\s+"
    r"|(?:(?:^|[\s,]{1,3})(?:changed?|differs?|different|compared|between|versus|vs\.?|and|or|to|from|with)){1,9}[\s?.!]*$",
    re.IGNORECASE,
)
"""Words around a thing whose editions are compared; at its end their number is bounded, since a run of them is tried
from each of its words."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A text without the editions of the rules that it names, and the entries of `documents` for these editions."""

    text: str
    entries: tuple[str, ...] = ()


def edition_of(text: str) -> Edition:
    """Separate a text from the editions that it names; a text that names nothing else is left as it is.

    >>> edition_of("how does grappling work in 5.5e")
    Edition(text='how does grappling work', entries=('2024',))
    >>> edition_of("what changed in exhaustion between 2014 and 2024")
    Edition(text='exhaustion', entries=('2024', '2014'))
    """
    entries = tuple(entry for entry, pattern in _EDITIONS.items() if pattern.search(text))
    rest = text
    for entry in entries:
        rest = _EDITIONS[entry].sub(" ", rest)
    rest = " ".join(_GAME_ALONE.sub(" ", rest).split()).strip(" ,;:-")
    if len(entries) > 1:
        rest = _COMPARING.sub("", rest).strip(" ,;:-")
    return Edition(rest, entries) if entries and rest else Edition(rest or text)


def edition_named(text: str) -> str | None:
    """The entry of `documents` for an edition, by any of its names: 2024 for "5.5e"; None if it names no edition."""
    return next((entry for entry, pattern in _EDITIONS.items() if pattern.fullmatch(text.strip())), None)


def within_edition(request: Request, keys_of: Callable[[Sequence[str]], Collection[str]]) -> Request:
    """The request with the edition that its texts name as its documents; if that is impossible, a note says why.

    It is impossible if the request already has documents outside the edition, or if its names do not all name the same
    edition. A text that names an edition the library lacks is left as it is.

    Args:
        request: as the caller made it.
        keys_of: the keys of the library's documents that entries of `documents` stand for.
    """

    def read(text: str) -> Edition:
        edition = edition_of(text)
        return edition if all(keys_of([entry]) for entry in edition.entries) else Edition(text)

    named = [read(name) for name in request.names]
    searched = None if request.search is None else read(request.search)
    told = {edition.entries for edition in (*named, *([] if searched is None else [searched]))}
    texts = tuple(edition.text for edition in named)
    understood = replace(
        request,
        name=texts if isinstance(request.name, tuple) else next(iter(texts), None),
        search=None if searched is None else searched.text,
    )
    entries = [entry for entry in _EDITIONS if any(entry in each for each in told)]
    if not entries:
        return understood
    if request.documents is not None:
        wanted = {key for entry in entries for key in keys_of([entry])}
        is_within = wanted.issuperset(keys_of(request.documents))
        note = None if is_within else messages.not_of_edition(entries, request.documents)
    elif len(told) > 1:
        note = messages.SEVERAL_EDITIONS
    else:
        understood, note = (
            replace(understood, documents=tuple(entries)),
            messages.of_editions(entries, searched=searched is not None),
        )
    return replace(understood, notes=(*request.notes, *filter(None, [note])))
