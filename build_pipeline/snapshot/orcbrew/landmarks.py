"""The landmarks of a damaged OrcBrew file: where its books, kinds and entities begin, and which entities can be read.

Every `:key {` outside the entities accepted so far is read by itself with the strict reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.snapshot.orcbrew import edn_tokens as tokens
from build_pipeline.snapshot.orcbrew.edn import EdnError, Note, read
from build_pipeline.snapshot.orcbrew.edn_values import Keyword, Symbol
from build_pipeline.snapshot.orcbrew.fields import FIELD_NAMES
from build_pipeline.snapshot.orcbrew.model import FORK_KINDS, KEY, KINDS, NAME, NAMESPACE, PACK, BrewFile
from build_pipeline.snapshot.orcbrew.shapes import damage_of

_REACH: Final = 200_000
"""Maximum length of an entity; a damaged one is not read beyond that."""
_BUDGET: Final = 4
"""Limit on fruitless reading, in multiples of the file's length; five times `_REACH` are added."""
_BRACE: Final = 10
"""Cost of reading an opening brace, in characters of plain text."""

_S, _E = tokens.SPACE, tokens.END
ENVELOPE: Final = "orcbrew/content"
_BARE: Final = "|".join((*KINDS, *FORK_KINDS))
_NS: Final = re.escape(NAMESPACE)
_KIND_KEY: Final = rf"[:\"]?{_NS}/[^{_E}]+\"?"
_LANDMARK: Final = re.compile(
    rf"""
      (?<!\\)"(?P<book>(?!{_NS}/)[^"\\]*+(?:\\.[^"\\]*+)*+)"[{_S}]*+(?:\#:{_NS}[{_S}]*+)?
        \{{(?=[{_S}]*(?:{_KIND_KEY}|:disabled\?|\}}|:(?:{_BARE})[{_S}]*\{{))
    | (?<![^{_E}]):(?!{_NS}/|{ENVELOPE}[{_S}])(?P<keyed>[^{_E}]++)[{_S}]*+\{{(?=[{_S}]*{_KIND_KEY}[{_S}]*\{{)
    | (?:[:"]|(?<![^{_E}])){_NS}/(?P<kind>[^{_E}]++)"?
    | :(?P<bare>{_BARE})(?=[{_S}]*\{{[{_S}]*:[^{_E}]+[{_S}]*\{{)
    | (?<![^{_E}]):(?P<entity>[^{_E}]++)[{_S}]*+\{{""",
    re.VERBOSE | re.DOTALL,
)
_KIND: Final = re.compile(rf"{_KIND_KEY}[{_S}]*\{{")
_OF_ENTITIES: Final = re.compile(rf"[{_S}]*:(?P<key>[^{_E}]++)[{_S}]*\{{[^{{}}]*?:key[{_S}]+:(?P=key)(?![^{_E}])")
"""What follows the brace of a kind, known or not: an entity."""
OWN_KEY: Final = re.compile(rf":key[{_S}]+:([^{_E}]++)")


@dataclass(slots=True)
class Mark:
    """A landmark of the text: the start of a book, kind or entity.

    Attributes:
        what: book, kind or entity.
        name: its name or key.
        at, end: its span; for an unreadable entity, up to its opening brace.
        start: where an entity's map begins; `at` for a book or kind.
        item: the entity's fields; None if it is unreadable.
        error: why it is unreadable.
        offset: where that was noticed.
        is_cut: whether reading it ran into the end of the text.
        keyed: whether a book's name is a keyword.
        guessed: whether a kind is one that no app knows.
    """

    what: str
    name: str
    at: int
    start: int
    end: int
    item: dict[Any, Any] | None = None
    error: str = ""
    offset: int = -1
    is_cut: bool = False
    keyed: bool = False
    guessed: bool = False

    @property
    def label(self) -> str | Keyword:
        """The name as the file writes it."""
        return Keyword(self.name) if self.keyed else self.name


def landmarks(file: BrewFile) -> tuple[list[Mark], list[Note]]:
    """The landmarks of a file in order, with intact entities read, and the reader's notes."""
    text = file.text
    kinds = [m.start() for m in _KIND.finditer(text)]
    marks: list[Mark] = []
    notes: list[Note] = []
    budget = _BUDGET * len(text) + 5 * _REACH
    at = 0
    while match := _LANDMARK.search(text, at):
        at = match.end()
        what, name = match.lastgroup or "", match[match.lastgroup or ""]
        if what == "entity" and name not in FIELD_NAMES and _OF_ENTITIES.match(text, at):
            at = match.end("entity")
            marks.append(Mark("kind", name, match.start(), match.start(), at, guessed=True))
            continue
        if what != "entity":
            marks.append(_container(what, name, match.start(), at))
            continue
        if _is_comment(text, match.start()):
            continue
        mark = Mark("entity", name, match.start(), at - 1, at)
        following = bisect_right(kinds, at)
        limit = min(at + _REACH, kinds[following] if following < len(kinds) else len(text))
        scanned = _read_entity(text, mark, limit, notes)
        budget -= scanned + _BRACE * text.count("{", mark.start, mark.start + scanned)
        marks.append(mark)
        at = mark.end
        if budget < 0:
            file.damage(at, "too much damage: the rest of the file is not read")
            break
    return _relevant(text, marks), notes


def _container(what: str, name: str, start: int, end: int) -> Mark:
    """The mark of a book or kind."""
    if what == "keyed":
        return Mark("book", name, start, start, end, keyed=True)
    if what == "book":
        return Mark("book", tokens.unescape(name, lambda _: None), start, start, end)
    return Mark("kind", name, start, start, end)


def _is_comment(text: str, at: int) -> bool:
    """Whether the text at an offset is commented out, by `;` or `#_`."""
    since = max(0, at - 2000)
    line = text[max(since, text.rfind("\n", since, at) + 1, text.rfind("\r", since, at) + 1) : at]
    return line.lstrip().startswith(";") or text[since:at].rstrip().endswith("#_")


def _read_entity(text: str, mark: Mark, limit: int, notes: list[Note]) -> int:
    """Read an entity into its mark, or note there why it is unreadable; returns the characters read in vain."""
    try:
        reading = read(text, mark.start, end=limit, one=True)
    except EdnError as error:
        mark.error = error.message
        mark.offset = error.offset
        mark.is_cut = error.reached == len(text)
        return error.reached - mark.start
    item, end = reading.forms[0], reading.spans[0][1]
    mark.error = damage_of(item) or doubt_of(item, reading.notes) or ""
    if mark.error:
        return end - mark.start
    own, named, packed = item.get(KEY), item.get(NAME), item.get(PACK)
    is_entity = own is Keyword(mark.name) and (named is not None or packed is not None)
    # An entity filed under another key must have both; `:orcpub.dnd.e5.spells/edit-spell` holds an old copy.
    is_rekeyed = (
        isinstance(named, str) and isinstance(packed, str) and "/" not in mark.name and mark.name not in FIELD_NAMES
    )
    if not (is_entity or is_rekeyed):
        return end - mark.start
    mark.item, mark.end = item, end
    notes.extend(reading.notes)
    return 0


def doubt_of(item: dict[Any, Any], notes: list[Note]) -> str | None:
    """Why an entity of a damaged file may be wrong although it can be read, or None."""
    twice = next((note.message for note in notes if note.duplicate), None)
    if twice:
        return twice
    todo: list[Any] = [item]
    while todo:
        value = todo.pop()
        if isinstance(value, Symbol) and value.text not in tokens.FOREIGN:
            return f"the bare word `{value.text}`"
        if isinstance(value, dict):
            swallowed = next((k for k, v in value.items() if isinstance(v, dict) and v.get(KEY) is k), None)
            if swallowed is not None:
                return f"a `}}` is missing: :{swallowed.text} stands inside"
            todo.extend(value.values())
        elif isinstance(value, list | tuple):
            todo.extend(v for v in value if not isinstance(v, dict) or KEY not in v)
    return None


def _relevant(text: str, marks: list[Mark]) -> list[Mark]:
    """The marks without those that are really fields of an unreadable entity."""
    own_keys: dict[str, list[int]] = {}
    for match in OWN_KEY.finditer(text):
        own_keys.setdefault(match[1], []).append(match.start())
    kept: list[Mark] = []
    cut = _cut_off(marks)
    boundary = len(text)
    for mark in reversed(marks):
        if mark.what == "entity" and mark.item is None and mark is not cut:
            places = own_keys.get(mark.name, [])
            following = bisect_right(places, mark.at)
            if mark.name in FIELD_NAMES or following == len(places) or places[following] > boundary:
                continue
        else:
            boundary = mark.at
        kept.append(mark)
    return kept[::-1]


def _cut_off(marks: list[Mark]) -> Mark | None:
    """The entity cut off by the end of the text, whose `:key` may be in the lost part."""
    whole = max((n for n, mark in enumerate(marks) if mark.what != "entity" or mark.item is not None), default=-1)
    first = next((mark for mark in marks[whole + 1 :] if mark.name not in FIELD_NAMES), None)
    return first if first is not None and first.is_cut else None
