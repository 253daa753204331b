"""Reading damaged OrcBrew files entity by entity, so that a lost bracket or quote costs only one of them.

Every `:key {` outside the entities accepted so far is read by itself with the strict reader. Between two accepted
entities there must only be brackets, kinds and books in the right order (the gap). If there is anything else, the
entity before it may have been cut short, or may have swallowed something: it is left out rather than imported altered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from build_pipeline.snapshot.orcbrew import edn_tokens as tokens
from build_pipeline.snapshot.orcbrew.edn import EdnError, Entry, read
from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, Symbol
from build_pipeline.snapshot.orcbrew.fields import FIELD_NAMES
from build_pipeline.snapshot.orcbrew.landmarks import ENVELOPE, OWN_KEY, Mark, doubt_of, landmarks
from build_pipeline.snapshot.orcbrew.model import KEY, NAME, PACK, Book, BrewFile, Entity
from build_pipeline.snapshot.orcbrew.shapes import add_entity, add_entry, check_kind, key_text, kind_of, settle_names

_NEW_FILE: Final = re.compile(rf"(?:\A|\}})[{tokens.SPACE}]*\{{[{tokens.SPACE}]*\Z")
"""The text before the first kind of a file of one book that was put behind another file."""
_SIMPLE: Final = frozenset((tokens.KEYWORD, tokens.STRING, tokens.ATOM))


def salvage(file: BrewFile, error: EdnError) -> None:
    """Fill a file whose structure is broken with its intact entities, and a finding for each damaged one."""
    file.damage(error.offset, f"{error.message}; each entity is read on its own")
    marks, notes = landmarks(file)
    _Walk(file, marks, error.offset).run()
    settle_names(file)
    file.warn_notes(notes)


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
        entries: the entries at the depth of entities that have no landmark, such as `:key "a text"` or `"key" {…}`.
    """

    depth: int
    surplus: int | None = None
    stray: int | None = None
    stray_depth: int = 0
    stray_key: str = ""
    commented: bool = False
    entries: list[Entry] = field(default_factory=list)

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
    the depth of the second, and may contain only braces, comments, `nil`, `:disabled? true`, and entries of a kind that
    no landmark shows, since their value is no map or their key no keyword of their own.

    Files may stand one behind the other: `}` and `{` before a kind begin a file of one book, and a book's name makes it
    one of many.

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

    def __init__(self, file: BrewFile, marks: list[Mark], reported: int) -> None:
        self.file = file
        self.reported = reported  # offset of the damage that already has a finding
        self.marks = marks
        self.enveloped = f":{ENVELOPE}" in file.text
        self.many = any(mark.what == "book" for mark in marks)
        self.book: Book | None = None
        self.kind = ""

    @property
    def entity_depth(self) -> int:
        """The nesting depth of entities."""
        return 2 + self.many + self.enveloped

    def run(self) -> None:
        depth = at = 0
        last: Entity | None = None
        broken = True  # nothing to check before the first mark
        for mark, following in zip_longest(self.marks, self.marks[1:]):
            start = at
            self._begin_file(start, mark)
            expected = self.entity_depth - {"book": 2, "kind": 1, "entity": 0}[mark.what]
            sound = broken or self._check(self._read_gap(at, mark.at, depth), expected, mark, at, last)
            depth, at, last, broken = expected, mark.end, None, False
            if mark.what == "book":
                self._open_book(None if self._is_cut(start, mark.at) else mark.label, mark.at)
                depth += 1
            elif mark.what == "kind":
                self.kind = (kind_of(mark.name) or "") if sound or not mark.guessed else ""
                self.book = self.book or self._open_book(None, mark.at)
                if self.kind:
                    check_kind(self.file, self.book, self.kind, mark.at)
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

    def _begin_file(self, start: int, mark: Mark) -> None:
        """Notice that a mark begins another shape of file than the one before."""
        if mark.what == "book":
            self.many = True
        elif mark.what == "kind" and _NEW_FILE.search(self.file.text, start, mark.at):
            self.many, self.book = False, None

    def _open_book(self, label: str | Keyword | None, at: int) -> Book:
        # In a file of many books, a missing label was lost; the name will come from the entities.
        self.book = self.file.open_book(Symbol("?") if label is None and self.many else label, at)
        return self.book

    def _is_cut(self, start: int, at: int) -> bool:
        """Whether a book's name is preceded by a stray quote, and so only the end of a name."""
        return '"' in re.split(r"[{}\r\n]", self.file.text[start:at])[-1]

    def _reason(self, mark: Mark, following: Mark | None) -> tuple[str, int]:
        """Why an entity is unreadable, and where: an error beyond the next mark only follows from one before it."""
        if following is not None and mark.offset >= following.at:
            try:
                read(self.file.text[mark.start : following.at], one=True)
            except EdnError as error:
                return error.message, mark.start + error.offset
        return mark.error, mark.offset

    def _damage(self, mark: Mark, message: str) -> None:
        self.file.damage(mark.at, message, book=self.book, kind=self.kind, key=mark.name)

    def _read_gap(self, start: int, end: int, depth: int) -> _Gap:
        """Read the text between two marks, up to the first token that does not belong there."""
        gap = _Gap(depth)
        after_flag = False  # the last token was `:disabled?`
        at = start
        while token := tokens.TOKEN.match(self.file.text, at, end):
            group = token.lastindex or tokens.NOTHING
            word, here, at = token[group], token.start(group), token.end()
            is_flag = group == tokens.KEYWORD and word == "disabled?"
            if group == tokens.NOTHING:
                break
            if group in {tokens.OPENER, tokens.SHARP_OPENER} and _opens_map(word):
                entry = _headless(self.file.text, here, end) if gap.depth == self.entity_depth else None
                if entry is None:
                    gap.depth += 1
                else:
                    gap.entries.append(entry)
                    at = entry.value_span[1]
            elif group == tokens.CLOSER and word == "}":
                gap.close(here)
            elif group == tokens.COMMENT:
                gap.commented = True
            elif after_flag and group == tokens.ATOM:
                self._switch(word)
            elif gap.depth == self.entity_depth and (entry := _entry(self.file.text, token, end)):
                gap.entries.append(entry)
                at = entry.value_span[1]
            elif not is_flag and word != "nil":
                gap.go_astray(here, word if group == tokens.KEYWORD else "")
                break
            after_flag = is_flag
        return gap

    def _switch(self, word: str) -> None:
        """Apply the value of `:disabled?` to the current book."""
        if self.book and word == "true":
            self.book.disabled = True

    def _check(self, gap: _Gap, expected: int, mark: Mark | None, at: int, last: Entity | None) -> bool:
        """Check the gap before a mark (or the end), and leave out the entity that a wrong gap casts doubt on.

        Returns:
            Whether the gap is as it should be.
        """
        is_sound = gap.stray is None and gap.depth == expected
        if is_sound:
            for entry in gap.entries:
                self._add(entry)
        elif gap.entries:  # they are what was cut off from the entity before them
            first = gap.entries[0]
            gap.depth = self.entity_depth
            gap.go_astray(first.key_span[0], first.key.text if isinstance(first.key, Keyword) else "")
        if gap.stray is not None:
            self._check_stray(gap, gap.stray, mark, last)
        elif not is_sound:
            surplus = gap.depth < expected
            words = "one closing bracket too many" if surplus else "a closing bracket is missing"
            place = at if gap.surplus is None else gap.surplus
            if last is not None and (gap.commented or _may_be_altered(self.file.text, last, surplus=surplus)):
                self._drop(last, f"{words} in it or after it (at {self.file.place(place)})")
            elif place != self.reported:
                self.file.damage(place, words, book=self.book, kind=self.kind)
        return is_sound

    def _add(self, entry: Entry) -> None:
        """Add an entity that has no landmark, or record why it is none."""
        if self.book is None or not self.kind:
            return
        doubt = doubt_of(entry.value, []) if isinstance(entry.value, dict) else None
        if doubt is None:
            if entry.key_span == entry.value_span:
                message = "no key stands before its map; it is filed under its own :key"
                self.file.warn(entry.key_span[0], message, book=self.book, kind=self.kind, key=key_text(entry.key))
            add_entry(self.file, self.book, self.kind, entry)
        else:
            message = f"{doubt}; the entity is left out"
            self.file.damage(entry.key_span[0], message, book=self.book, kind=self.kind, key=key_text(entry.key))

    def _check_stray(self, gap: _Gap, stray: int, mark: Mark | None, last: Entity | None) -> None:
        if gap.stray_depth == self.entity_depth and (last is not None or gap.stray_key):
            end = mark.at if mark else len(self.file.text)
            if last is None or self._is_other(gap.stray_key, stray, end, last):
                message = "its brackets are broken; the entity is left out"
                self.file.damage(stray, message, book=self.book, kind=self.kind, key=gap.stray_key)
            else:
                self._drop(last, f"it ends before its text does (at {self.file.place(stray)})")
            return
        self.file.damage(stray, "text that belongs to no entity", book=self.book, kind=self.kind)
        is_short = mark is None and gap.stray_depth > self.file.text.count("}", stray)
        if is_short and last is not None and _may_be_altered(self.file.text, last, surplus=False):
            self._drop(last, f"a closing bracket is missing in it or after it (at {self.file.place(stray)})")
        if gap.stray_depth == self.entity_depth - 1 and last is not None:
            self.kind = ""  # it may be the name of a kind
        if mark and mark.what == "kind" and self.many and gap.stray_depth <= self.entity_depth - 2:
            self.book = None

    def _is_other(self, key: str, start: int, end: int, last: Entity) -> bool:
        """Whether a stray keyword after an entity begins another entity, rather than being a field of that one."""
        if not key or key in FIELD_NAMES:
            return False
        text = self.file.text[start:end]
        return any(match[1] == key for match in OWN_KEY.finditer(text)) or (
            PACK in last.item and ":option-pack" in text
        )

    def _drop(self, entity: Entity, message: str) -> None:
        self.file.remove(entity)
        message = f"{message}; the entity is left out"
        self.file.damage(entity.at, message, book=entity.book, kind=entity.kind, key=entity.key)


def _entry(text: str, token: re.Match[str], end: int) -> Entry | None:
    """The entry that begins with a token, unless that is the name of a field, or the entry is incomplete."""
    if token.lastindex not in _SIMPLE or (token.lastindex == tokens.KEYWORD and token[tokens.KEYWORD] in FIELD_NAMES):
        return None
    value = tokens.TOKEN.match(text, token.end(), end)
    group = value.lastindex if value else None
    if value is None or group not in {*_SIMPLE, tokens.OPENER, tokens.SHARP_OPENER}:
        return None
    try:
        if group in _SIMPLE:
            reading = read(text, token.start(), end=value.end())
        else:
            reading = read(text, token.start(), end=end, one=True)
    except EdnError:
        return None
    (key, form), spans = reading.forms, reading.spans
    return Entry(key, form, (token.start(token.lastindex), token.end()), (value.start(group), spans[-1][1]))


def _headless(text: str, at: int, end: int) -> Entry | None:
    """The entity whose map begins at an offset without a key before it, filed under its own `:key`."""
    try:
        reading = read(text, at, end=end, one=True)
    except EdnError:
        return None
    item, span = reading.forms[0], reading.spans[0]
    own = item.get(KEY)
    is_entity = isinstance(own, Keyword) and isinstance(item.get(NAME), str)
    return Entry(own, item, span, span) if is_entity else None


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
