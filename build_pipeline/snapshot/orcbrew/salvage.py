"""Reading damaged OrcBrew files entity by entity, so that a lost bracket or quote costs only one of them.

Every `:key {` outside the entities accepted so far is read by itself with the strict reader. Between two accepted
entities there must only be brackets, kinds and books in the right order (the gap). If there is anything else, the
entity before it may have been cut short, or may have swallowed something: it is left out rather than imported altered.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from build_pipeline.snapshot.orcbrew import edn_tokens as tokens
from build_pipeline.snapshot.orcbrew.edn import EdnError, Note, read
from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, Symbol
from build_pipeline.snapshot.orcbrew.fields import FIELD_NAMES
from build_pipeline.snapshot.orcbrew.model import FORK_KINDS, KEY, KINDS, NAME, NAMESPACE, PACK, Book, BrewFile, Entity
from build_pipeline.snapshot.orcbrew.shapes import add_entity, damage_of, settle_names

_REACH: Final = 200_000
"""Maximum length of an entity; a damaged one is not read beyond that."""
_BUDGET: Final = 4
"""Limit on fruitless reading, in multiples of the file's length; five times `_REACH` are added."""
_BRACE: Final = 10
"""Cost of reading an opening brace, in characters of plain text."""

_S, _E = tokens.SPACE, tokens.END
_BARE: Final = "|".join((*KINDS, *FORK_KINDS))
_KIND_KEY: Final = rf":{re.escape(NAMESPACE)}/[^{_E}]+"
_LANDMARK: Final = re.compile(
    rf"""
      (?<!\\)"(?P<book>[^"\\]*+(?:\\.[^"\\]*+)*+)"[{_S}]*+(?:\#:{re.escape(NAMESPACE)}[{_S}]*+)?
        \{{(?=[{_S}]*(?:{_KIND_KEY}|:disabled\?|\}}|:(?:{_BARE})[{_S}]*\{{))
    | :{re.escape(NAMESPACE)}/(?P<kind>[^{_E}]++)
    | :(?P<bare>{_BARE})(?=[{_S}]*\{{[{_S}]*:[^{_E}]+[{_S}]*\{{)
    | (?<![^{_E}]):(?P<entity>[^{_E}]++)[{_S}]*+\{{""",
    re.VERBOSE | re.DOTALL,
)
_KIND: Final = re.compile(rf"{_KIND_KEY}[{_S}]*\{{")
_OWN_KEY: Final = re.compile(rf":key[{_S}]+:([^{_E}]++)")
_ENVELOPE: Final = ":orcbrew/content"


@dataclass(slots=True)
class _Mark:
    """A landmark of the text: the start of a book, kind or entity.

    Attributes:
        what: book, kind or entity.
        name: its name or key.
        at, end: its span; for an unreadable entity, up to its opening brace.
        item: the entity's fields; None if it is unreadable.
        error: why it is unreadable.
        offset: where that was noticed.
        is_cut: whether reading it ran into the end of the text.
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


def salvage(file: BrewFile, error: EdnError) -> None:
    """Fill a file whose structure is broken with its intact entities, and a finding for each damaged one."""
    file.damage(error.offset, f"{error.message}; each entity is read on its own")
    marks, notes = _marks(file)
    _Walk(file, _relevant(file.text, marks), error.offset).run()
    settle_names(file)
    file.warn_notes(notes)


def _marks(file: BrewFile) -> tuple[list[_Mark], list[Note]]:
    """Every landmark, with intact entities read, and the reader's notes."""
    text = file.text
    kinds = [m.start() for m in _KIND.finditer(text)]
    marks: list[_Mark] = []
    notes: list[Note] = []
    budget = _BUDGET * len(text) + 5 * _REACH
    at = 0
    while match := _LANDMARK.search(text, at):
        at = match.end()
        what = match.lastgroup or ""
        if what != "entity":
            marks.append(_Mark("kind" if what == "bare" else what, match[what], match.start(), match.start(), at))
            continue
        if _is_comment(text, match.start()):
            continue
        mark = _Mark("entity", match["entity"], match.start(), at - 1, at)
        following = bisect_right(kinds, at)
        limit = min(at + _REACH, kinds[following] if following < len(kinds) else len(text))
        scanned = _read_entity(text, mark, limit, notes)
        budget -= scanned + _BRACE * text.count("{", mark.start, mark.start + scanned)
        marks.append(mark)
        at = mark.end
        if budget < 0:
            file.damage(at, "too much damage: the rest of the file is not read")
            break
    return marks, notes


def _is_comment(text: str, at: int) -> bool:
    """Whether the text at an offset is commented out, by `;` or `#_`."""
    since = max(0, at - 2000)
    line = text[max(since, text.rfind("\n", since, at) + 1, text.rfind("\r", since, at) + 1) : at]
    return line.lstrip().startswith(";") or text[since:at].rstrip().endswith("#_")


def _read_entity(text: str, mark: _Mark, limit: int, notes: list[Note]) -> int:
    """Read an entity into its mark, or note there why it is unreadable; returns the characters read in vain."""
    try:
        reading = read(text, mark.start, end=limit, one=True)
    except EdnError as error:
        mark.error = error.message
        mark.offset = error.offset
        mark.is_cut = error.reached == len(text)
        return error.reached - mark.start
    item, end = reading.forms[0], reading.spans[0][1]
    mark.error = damage_of(item) or _doubt(item, reading.notes) or ""
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


def _doubt(item: dict[Any, Any], notes: list[Note]) -> str | None:
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


def _relevant(text: str, marks: list[_Mark]) -> list[_Mark]:
    """The marks without those that are really fields of an unreadable entity."""
    own_keys: dict[str, list[int]] = {}
    for match in _OWN_KEY.finditer(text):
        own_keys.setdefault(match[1], []).append(match.start())
    kept: list[_Mark] = []
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


def _cut_off(marks: list[_Mark]) -> _Mark | None:
    """The entity cut off by the end of the text, whose `:key` may be in the lost part."""
    whole = max((n for n, mark in enumerate(marks) if mark.what != "entity" or mark.item is not None), default=-1)
    first = next((mark for mark in marks[whole + 1 :] if mark.name not in FIELD_NAMES), None)
    return first if first is not None and first.is_cut else None


@dataclass(slots=True)
class _Gap:
    """The text between two marks.

    Attributes:
        depth: nesting depth at its end, or at the first token that does not belong there.
        surplus: offset of the first brace that closes nothing.
        stray: offset of the first token that does not belong there.
        stray_depth: nesting depth of that token.
        stray_key: that token, if it is a keyword.
        commented: whether it contains a comment, which may have been part of a text.
    """

    depth: int
    surplus: int | None = None
    stray: int | None = None
    stray_depth: int = 0
    stray_key: str = ""
    commented: bool = False

    def close(self, at: int) -> None:
        """Count a closing brace."""
        self.depth -= 1
        if self.depth < 0 and self.surplus is None:
            self.surplus = at

    def go_astray(self, at: int, key: str) -> None:
        """Record the token that does not belong there."""
        self.stray, self.stray_depth, self.stray_key = at, self.depth, key


class _Walk:
    """Goes through the marks in order and adds the entities that are intact and in their place.

    Each kind of mark has its nesting depth. In a file of many books:

        {"Book" {:orcpub.dnd.e5/spells {:a {…} :b {…}} :orcpub.dnd.e5/feats {…}} "Another" {…}}
         ↑ book at 1
                 ↑ kind at 2            ↑ entity at 3

    In a file of one book, kinds are at 1 and entities at 2; an envelope adds 1 to each. A book or kind opens a brace;
    an entity's own braces are part of its mark. The gap between two marks must lead from the depth after the first to
    the depth of the second, and may contain only braces, comments and `:disabled? true`.

    Before each mark the walk is in one of three states:

    - broken: at the start, or after an unreadable entity. The gap is not checked.
    - after an entity (`last`) that was added.
    - between: after a book, a kind, or an entity outside of any kind.

    In the last two states, a wrong gap becomes a finding (`_check`), and may cost an entity:

    - a brace too many or too few: `last`, if the brace may have altered it.
    - text at the depth of entities: the entity that begins there, if the text is an entity's key; otherwise `last`,
      which the text is part of.
    - other text: none. If a book's name should be there, the kinds that follow belong to an unknown book.

    The walk then continues at the depth that the mark should have.
    """

    def __init__(self, file: BrewFile, marks: list[_Mark], reported: int) -> None:
        self.file = file
        self.reported = reported  # offset of the damage that already has a finding
        self.marks = marks
        self.many = any(mark.what == "book" for mark in marks)
        self.entity_depth = 2 + self.many + (_ENVELOPE in file.text)
        self.book: Book | None = None
        self.kind = ""

    def run(self) -> None:
        depth = at = 0
        last: Entity | None = None
        broken = True  # nothing to check before the first mark
        for mark, following in zip_longest(self.marks, self.marks[1:]):
            start = at
            expected = self.entity_depth - {"book": 2, "kind": 1, "entity": 0}[mark.what]
            if not broken:
                self._check(self._read_gap(at, mark.at, depth), expected, mark, at, last)
            depth, at, last, broken = expected, mark.end, None, False
            if mark.what == "book":
                self._open_book(None if self._is_cut(start, mark.at) else mark.name, mark.at)
                depth += 1
            elif mark.what == "kind":
                self.kind = mark.name
                self.book = self.book or self._open_book(None, mark.at)
            elif mark.item is None:
                broken = True
                error, offset = self._reason(mark, following)
                where = f" (at {self.file.place(offset)})" if offset >= 0 else ""
                self._damage(mark, f"{error or 'not an entity'}{where}; the entity is left out")
            elif self.book is None or not self.kind:
                self._damage(mark, "is not under any kind of content; the entity is left out")
            else:
                last = Entity(self.book, self.kind, mark.name, mark.item, mark.at, mark.start, mark.end)
                add_entity(self.file, last)
        if not broken:
            end = len(self.file.text)
            self._check(self._read_gap(at, end, depth), 0, None, at, last)

    def _open_book(self, label: str | None, at: int) -> Book:
        # In a file of many books, a missing label was lost; the name will come from the entities.
        self.book = self.file.open_book(Symbol("?") if label is None and self.many else label, at)
        return self.book

    def _is_cut(self, start: int, at: int) -> bool:
        """Whether a book's name is preceded by a stray quote, and so only the end of a name."""
        return '"' in re.split(r"[{}\r\n]", self.file.text[start:at])[-1]

    def _reason(self, mark: _Mark, following: _Mark | None) -> tuple[str, int]:
        """Why an entity is unreadable, and where: an error beyond the next mark only follows from one before it."""
        if following is not None and mark.offset >= following.at:
            try:
                read(self.file.text[mark.start : following.at], one=True)
            except EdnError as error:
                return error.message, mark.start + error.offset
        return mark.error, mark.offset

    def _damage(self, mark: _Mark, message: str) -> None:
        self.file.damage(mark.at, message, book=self.book, kind=self.kind, key=mark.name)

    def _read_gap(self, start: int, end: int, depth: int) -> _Gap:
        """Read the text between two marks, up to the first token that does not belong there."""
        gap = _Gap(depth)
        after_flag = False  # the last token was `:disabled?`
        for token in tokens.TOKEN.finditer(self.file.text, start, end):
            group = token.lastindex or tokens.NOTHING
            word, at = token[group], token.start(group)
            is_flag = group == tokens.KEYWORD and word == "disabled?"
            if group in {tokens.OPENER, tokens.SHARP_OPENER} and _opens_map(word):
                gap.depth += 1
            elif group == tokens.CLOSER and word == "}":
                gap.close(at)
            elif group == tokens.COMMENT:
                gap.commented = True
            elif after_flag and group == tokens.ATOM:
                self._switch(word)
            elif not is_flag and group != tokens.NOTHING:
                gap.go_astray(at, word if group == tokens.KEYWORD else "")
                break
            after_flag = is_flag
        return gap

    def _switch(self, word: str) -> None:
        """Apply the value of `:disabled?` to the current book."""
        if self.book and word == "true":
            self.book.disabled = True

    def _check(self, gap: _Gap, expected: int, mark: _Mark | None, at: int, last: Entity | None) -> None:
        """Check the gap before a mark (or the end), and leave out the entity that a wrong gap casts doubt on."""
        if gap.stray is not None:
            self._check_stray(gap, gap.stray, mark, last)
        elif gap.depth != expected:
            surplus = gap.depth < expected
            words = "one closing bracket too many" if surplus else "a closing bracket is missing"
            place = at if gap.surplus is None else gap.surplus
            if last is not None and (gap.commented or _may_be_altered(self.file.text, last, surplus=surplus)):
                self._drop(last, f"{words} in it or after it (at {self.file.place(place)})")
            elif place != self.reported:
                self.file.damage(place, words, book=self.book, kind=self.kind)

    def _check_stray(self, gap: _Gap, stray: int, mark: _Mark | None, last: Entity | None) -> None:
        if gap.stray_depth == self.entity_depth and (last is not None or gap.stray_key):
            end = mark.at if mark else len(self.file.text)
            if last is None or self._is_other(gap.stray_key, stray, end, last):
                message = "its brackets are broken; the entity is left out"
                self.file.damage(stray, message, book=self.book, kind=self.kind, key=gap.stray_key)
            else:
                self._drop(last, f"it ends before its text does (at {self.file.place(stray)})")
            return
        self.file.damage(stray, "text that belongs to no entity", book=self.book, kind=self.kind)
        if mark and mark.what == "kind" and self.many and gap.stray_depth <= self.entity_depth - 2:
            self.book = None

    def _is_other(self, key: str, start: int, end: int, last: Entity) -> bool:
        """Whether a stray keyword after an entity begins another entity, rather than being a field of that one."""
        if not key or key in FIELD_NAMES:
            return False
        text = self.file.text[start:end]
        return any(match[1] == key for match in _OWN_KEY.finditer(text)) or (
            PACK in last.item and ":option-pack" in text
        )

    def _drop(self, entity: Entity, message: str) -> None:
        self.file.remove(entity)
        message = f"{message}; the entity is left out"
        self.file.damage(entity.at, message, book=entity.book, kind=entity.kind, key=entity.key)


def _opens_map(word: str) -> bool:
    return word == "{" or word.startswith("#:")


def _may_be_altered(text: str, entity: Entity, *, surplus: bool) -> bool:
    """Whether a surplus or missing closing brace could have altered an entity that is readable by itself.

    A surplus one may end a map inside it too early, so that the rest of that map becomes fields of the entity. A
    missing one may extend a map at its end over the fields that follow, so that the kind's brace closes the entity.
    """
    if not surplus:
        return text[entity.start : entity.end - 1].rstrip(" \t\r\n,").endswith("}")
    collections = [isinstance(value, dict | EdnSet) for value in entity.item.values()]
    return any(collections[:-1])
