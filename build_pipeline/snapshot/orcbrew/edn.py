"""A reader for EDN as found in the wild: one pass, linear time, an explicit stack instead of recursion.

It accepts more than OrcPub's own reader (`:tasha's`, `# {`, unknown tags, leading zeros) and adds a note each time.
Anything that puts the structure in doubt (an unbalanced bracket, a map with an odd number of forms, an unescaped quote)
raises an `EdnError`: whatever is read after it would be guesswork.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, Final

from build_pipeline.snapshot.orcbrew import edn_tokens as tokens
from build_pipeline.snapshot.orcbrew.edn_values import (
    TYPOGRAPHIC_QUOTES,
    CompoundKey,
    EdnSet,
    Keyword,
    Symbol,
    Tagged,
    write_edn,
)

MAX_DEPTH: Final = 100
"""Maximum nesting depth, chains of tags and discards included; real files stay below 12."""
MAX_NOTES: Final = 2000
"""Maximum number of notes per file; any more are only counted."""

_REREAD: Final = 1000
"""Longest map, in characters, that is read a second time to locate a key in it."""
_CLOSED_BY: Final = {"{": "}", "[": "]", "(": ")", "#": "}"}
_KNOWN_TAGS: Final = {"#inst", "#uuid", "#queue", "#js"}
_NO_KEYS: Final = (list, tuple, dict, Tagged, bool)
"""Types that cannot be hashed as a key of a `dict`, or are equal to a number there."""
Span = tuple[int, int]
"""Start and end offset of a form in the text."""


class EdnError(Exception):
    """The text's structure is broken.

    Attributes:
        offset: where the defect was noticed.
        message: what is wrong.
        reached: how far the text had been read by then.
    """

    def __init__(self, offset: int, message: str, reached: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.reached = offset if reached is None else reached


@dataclass(frozen=True, slots=True)
class Note:
    """Something odd that was accepted: its offset and what it is.

    `duplicate`: a key occurs twice in a map and only the later value was kept (a `LocatedMap` keeps both entries).
    """

    offset: int
    message: str
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a `LocatedMap`: key, value and their spans."""

    key: Any
    value: Any
    key_span: Span
    value_span: Span


class LocatedMap(dict[Any, Any]):
    """A map that also keeps its entries as written, duplicate keys included, with their spans."""

    __slots__ = ("entries",)
    entries: list[Entry]


@dataclass(slots=True)
class Reading:
    """The result of reading a text: its top-level forms with their spans, and notes."""

    forms: list[Any] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dropped: int = 0
    """Number of notes beyond `MAX_NOTES`."""

    def note(self, offset: int, message: str, *, duplicate: bool = False) -> None:
        if len(self.notes) < MAX_NOTES:
            self.notes.append(Note(offset, message, duplicate))
        else:
            self.dropped += 1


class Lines:
    """Line and column (both from 1) of offsets in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", text))]

    def at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column."""
        return self._starts[line - 1] + column - 1


def read(text: str, start: int = 0, *, end: int | None = None, located: int = 0, one: bool = False) -> Reading:
    """Read the forms of a text.

    Args:
        text: the text.
        start: offset to begin at.
        end: offset to stop before; the end of the text if not given.
        located: maps down to this depth (1 is the outermost) are read as `LocatedMap`.
        one: stop after the first collection.

    Raises:
        EdnError: the structure is broken, or nested deeper than `MAX_DEPTH`.
    """
    return _Reader(text, located).run(start, len(text) if end is None else end, one=one)


@dataclass(slots=True)
class _Prefix:
    """`#_`, `^` or a tag, kept among a collection's items until the form that it applies to has been read.

    Attributes:
        token: the prefix.
        offset: where it starts.
        run: its place in a chain of prefixes, from 1; each counts as a level of nesting.
    """

    token: str
    offset: int
    run: int


@dataclass(slots=True)
class _Frame:
    """A collection being read; `spans` is None unless its items are to be located."""

    kind: str
    opened: int
    depth: int
    spans: list[Span] | None
    items: list[Any] = field(default_factory=list)
    prefixed: bool = False

    def add(self, value: Any, start: int, end: int) -> None:
        """Append a value and its span."""
        self.items.append(value)
        if self.spans is not None:
            self.spans.append((start, end))

    @property
    def pending(self) -> int:
        """How many prefixes apply to the next form."""
        last = self.items[-1] if self.prefixed and self.items else None
        return last.run if isinstance(last, _Prefix) else 0


class _Reader:
    def __init__(self, text: str, located: int, *, quiet: bool = False) -> None:
        self.text = text
        self.located = located
        self.quiet = quiet
        self.keywords: dict[str, Keyword] = {}
        self.reading = Reading()

    def run(self, start: int, end: int, *, one: bool) -> Reading:
        """Read the forms between two offsets; see `read`.

        Values are appended to the innermost open collection, `frame`; the collections around it are on the `stack`. An
        opener pushes a new frame, a closer turns the current frame into a value of the one below. Top-level forms are
        appended to `top`, which nothing closes.
        """
        frame = top = _Frame("", start, 0, [])
        stack: list[_Frame] = []
        for token in tokens.TOKEN.finditer(self.text, start, end):
            group = token.lastindex or tokens.NOTHING
            if group <= tokens.ATOM:
                frame.add(self._value(token, group), _start(token, group), token.end())
            elif group in {tokens.OPENER, tokens.SHARP_OPENER}:
                stack.append(frame)
                frame = self._open(token[group], token.start(group), frame)
            elif group == tokens.CLOSER:
                if not stack:
                    raise EdnError(token.start(group), f"`{token[group]}` closes nothing")
                closed, frame = frame, stack.pop()
                frame.add(self._close(closed, token[group], token.start(group)), closed.opened, token.end())
                if one and not stack:
                    break
            elif group == tokens.RARE:
                start_at, end_at = token.span(group)
                frame.add(self._rare(token[group], start_at, end_at, frame), start_at, end_at)
        if stack:
            raise EdnError(frame.opened, f"`{frame.kind[0]}` is opened here and never closed", end)
        if top.prefixed:
            self._resolve(top)
        self.reading.forms, self.reading.spans = top.items, top.spans or []
        return self.reading

    def _value(self, token: re.Match[str], group: int) -> Any:
        """The value of a keyword, string or atom."""
        word = token[group]
        if group == tokens.KEYWORD:
            keyword = self.keywords.get(word)
            if keyword is None:
                keyword = self.keywords[word] = Keyword(word)
            return keyword
        if group == tokens.STRING:
            return tokens.unescape(word, self._note_at(_start(token, group))) if "\\" in word else word
        value = tokens.atom(word, self._note_at(token.start(group)))
        if type(value) is Symbol and word not in tokens.FOREIGN:
            self.reading.note(token.start(group), f"the word `{word}` stands without a colon or quotes; it is not read")
        return value

    def _note_at(self, offset: int) -> tokens.Remark:
        return lambda message: self.reading.note(offset, message)

    def _open(self, word: str, at: int, outer: _Frame) -> _Frame:
        depth = outer.depth + outer.pending + 1
        _check_depth(at, depth)
        kind = self._set_or_namespace(word, at) if word[0] == "#" else word
        return _Frame(kind, at, depth, [] if depth <= self.located else None)

    def _set_or_namespace(self, word: str, at: int) -> str:
        """The kind of collection that `#{` or `#:namespace{` opens."""
        if word[1] == ":":
            return word[:-1].rstrip()
        if word != "#{":
            self.reading.note(at, "white space between `#` and `{`; read as a set")
        return "#{"

    def _rare(self, word: str, start: int, end: int, frame: _Frame) -> Any:
        """The value of a `RARE` token: a prefix, or a literal that OrcPub never writes.

        Raises:
            EdnError: the token shows that a quote is missing.
        """
        if word in {"#_", "^"} or (word[0] == "#" and len(word) > 1 and word[1] not in '#"'):
            run = frame.pending + 1
            _check_depth(start, frame.depth + run)
            frame.prefixed = True
            return _Prefix(word, start, run)
        if word[0] == "\\":
            return tokens.character(word, self._note_at(start))
        if word.startswith("##"):
            return tokens.special(word, self._note_at(start))
        if word.startswith('#"'):
            self.reading.note(start, "a regular expression; read as text")
            return word[2:-1]
        raise self._error(word, start, end)

    def _error(self, word: str, start: int, end: int) -> EdnError:
        """The error for a stray quote, a lone `:` or `#`, or a word that runs into a quote."""
        if word in ":#":
            return EdnError(start, f"a lone `{word}`")
        if word != '"':
            return EdnError(end, "a quote follows a word directly: a quote is missing or not escaped")
        closed = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL).match(self.text, start + 1)
        if closed:
            return EdnError(closed.end() - 1, "a word follows a quote directly: a quote is missing or not escaped")
        return EdnError(start, "a quote is opened here and never closed", len(self.text))

    def _close(self, frame: _Frame, closer: str, at: int) -> Any:
        kind, items = frame.kind, frame.items
        if closer != _CLOSED_BY[kind[0]]:
            raise EdnError(at, f"`{closer}` where `{_CLOSED_BY[kind[0]]}` is expected")
        if frame.prefixed:
            self._resolve(frame)
            items = frame.items
        if kind == "[":
            return items
        if kind == "(":
            return tuple(items)
        if kind == "#{":
            plain = [(type(item), item) for item in items if not isinstance(item, list | tuple | dict | Tagged)]
            if len(set(plain)) != len(plain):
                self.reading.note(frame.opened, "a set holds the same element twice; once is enough")
            return EdnSet(items)
        return self._map(frame, items, at)

    def _map(self, frame: _Frame, items: list[Any], at: int) -> dict[Any, Any]:
        if len(items) % 2:
            is_quoted = any(isinstance(item, Symbol) and item.is_quoted for item in items)
            message = TYPOGRAPHIC_QUOTES if is_quoted else "a map with one key too many or one value too few"
            raise EdnError(self._stray(frame, at), message)
        if frame.kind != "{":
            items[::2] = [_qualified(key, frame.kind[2:]) for key in items[::2]]
        try:
            value = dict(zip(items[::2], items[1::2], strict=True))
        except TypeError:  # a collection as a key
            value = {}
        if len(value) * 2 != len(items):
            items[::2] = [CompoundKey(write_edn(k)) if isinstance(k, _NO_KEYS) else k for k in items[::2]]
            value = dict(zip(items[::2], items[1::2], strict=True))
        if len(value) * 2 != len(items):
            self._note_duplicates(frame, items, at)
        if frame.spans is None:
            return value
        located = LocatedMap(value)
        located.entries = list(
            map(Entry, items[::2], items[1::2], frame.spans[::2], frame.spans[1::2]),
        )
        return located

    def _note_duplicates(self, frame: _Frame, items: list[Any], end: int) -> None:
        if len(self.reading.notes) >= MAX_NOTES:
            self.reading.dropped += 1
            return
        seen = set()
        for key, span in zip(items[::2], self._child_spans(frame, end)[::2], strict=True):
            if key in seen:
                message = f"the key {write_edn(key)} occurs twice in one map; its later value counts"
                self.reading.note(span[0], message, duplicate=True)
            seen.add(key)

    def _stray(self, frame: _Frame, end: int) -> int:
        """Where a map with an odd number of forms goes wrong: its first key that is not a keyword, or its last form."""
        spans = self._child_spans(frame, end)
        odd = (s for key, s in zip(frame.items[::2], spans[::2], strict=True) if not isinstance(key, Keyword))
        return next(odd, spans[-1])[0]

    def _child_spans(self, frame: _Frame, end: int) -> list[Span]:
        """Spans of a collection's items; for a long unlocated one, each is the span of the whole collection."""
        if frame.spans is not None:
            return frame.spans
        if end - frame.opened > _REREAD or self.quiet:
            return [(frame.opened, end)] * len(frame.items)
        inside = frame.opened + 1 if frame.kind == "{" else self.text.index("{", frame.opened) + 1
        return _Reader(self.text, 0, quiet=True).run(inside, end, one=False).spans

    def _resolve(self, frame: _Frame) -> None:
        """Apply the prefixes among a collection's items to the forms after them.

        This runs from right to left, since `#_ #_ a b` discards both: each prefix applies to what is then to its right.
        """
        kept: list[tuple[Any, Span]] = []
        spans = frame.spans or [(0, 0)] * len(frame.items)
        for item, span in zip(reversed(frame.items), reversed(spans), strict=True):
            if not isinstance(item, _Prefix):
                kept.append((item, span))
            elif not kept:
                raise EdnError(item.offset, f"nothing follows `{item.token}`")
            elif item.token in {"#_", "^"}:
                kept.pop()
            else:
                if item.token not in _KNOWN_TAGS:
                    self.reading.note(item.offset, f"the tag `{item.token}` is unknown; its value is kept")
                kept[-1] = (Tagged(item.token[1:], kept[-1][0]), (span[0], kept[-1][1][1]))
        kept.reverse()
        frame.items = [item for item, _ in kept]
        if frame.spans is not None:
            frame.spans = [span for _, span in kept]


def _start(token: re.Match[str], group: int) -> int:
    """Offset of a keyword, string or atom, including its colon or quote."""
    return token.start(group) - (group != tokens.ATOM)


def _check_depth(at: int, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise EdnError(at, f"nested deeper than {MAX_DEPTH} levels")


def _qualified(key: Any, namespace: str) -> Any:
    """A key of a namespaced map, qualified: `#:ns{:a 1 :_/b 2 :c/d 3}` has the keys `:ns/a`, `:b`, `:c/d`."""
    if not isinstance(key, Keyword):
        return key
    if key.namespace == "_":
        return Keyword(key.name)
    return key if key.namespace else Keyword(f"{namespace}/{key.text}")
