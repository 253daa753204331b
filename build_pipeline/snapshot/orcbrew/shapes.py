"""The shapes of OrcBrew files (one book, many books, the newer forks' envelope), read down to entities."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn import Entry, LocatedMap, Span, read
from build_pipeline.snapshot.orcbrew.edn_values import TYPOGRAPHIC_QUOTES, EdnSet, Keyword, Symbol, same, write_edn
from build_pipeline.snapshot.orcbrew.model import (
    DISABLED,
    FORK_KINDS,
    KEY,
    KINDS,
    NAME,
    NAMESPACE,
    Book,
    BrewFile,
    Entity,
    UniqueNames,
)

NEWEST_FORMAT: Final = 2
UNNAMED: Final = "Unnamed Content"

_CONTENT, _FORMAT = Keyword("orcbrew/content"), Keyword("orcbrew/format-version")
_PLUGINS: Final = Keyword(f"{NAMESPACE}/plugins")
_KNOWN_KINDS: Final = frozenset((*KINDS, *FORK_KINDS))
_NIL: Final = Symbol("nil")
"""Label of a book whose name is nil; None would mean that the file is a single book."""
_COLLECTIONS: Final[dict[type, str]] = {list: "vector", tuple: "list", dict: "map", LocatedMap: "map", EdnSet: "set"}
_LOCATED: Final = 4
"""Depth to which entries are located: envelope, books, kinds, entities."""
_TEXTS: Final = frozenset(map(Keyword, ("name", "description", "summary", "help", "key", "material-component")))


def read_shapes(file: BrewFile) -> None:
    """Fill a file's books and entities from its text.

    Raises:
        EdnError: the text's structure is broken; the file is unchanged.
    """
    reading = read(file.text, located=_LOCATED)
    if len(reading.forms) == 1 and isinstance(reading.forms[0], str):
        file.warn(reading.spans[0][0], "the file is one string; its content is read, positions count within it")
        file.unwrap(reading.forms[0])
        reading = read(file.text, located=_LOCATED)
    forms = list(zip(reading.forms, reading.spans, strict=True))
    maps = [number for number, (form, _) in enumerate(forms) if isinstance(form, LocatedMap)]
    if forms and not maps:
        file.damage(forms[0][1][0], f"expected a map of books or of content, found {_what(forms[0][0])}")
    elif maps and maps[0] > 0:
        at = forms[0][1][0]
        file.warn(at, f"the text before the content is left out: {_shortened(file.text[at : forms[maps[0]][1][0]])}")
    if maps and len(forms) > maps[0] + 1:
        message = "the file continues after the end of its map: OrcPub ignores the rest, here its maps are read as well"
        file.damage(forms[maps[0] + 1][1][0], message)
    shape = _Shape(file)
    for number in maps:
        shape.top(*forms[number])
    settle_names(file)
    inside = [forms[number][1] for number in maps]
    file.warn_notes(note for note in reading.notes if any(start <= note.offset < end for start, end in inside))
    if reading.dropped:
        file.warn(0, f"{reading.dropped} more warnings like these")


@dataclass(slots=True)
class _Shape:
    file: BrewFile

    def top(self, form: LocatedMap, span: Span) -> None:
        """The outermost map: an envelope, books by name, or one book's content."""
        for entry in form.entries:
            if entry.key is _FORMAT and isinstance(entry.value, int) and entry.value > NEWEST_FORMAT:
                self.file.warn(entry.key_span[0], f"format version {entry.value} is newer than {NEWEST_FORMAT}")
        inner = next((e for e in form.entries if e.key in (_CONTENT, _PLUGINS)), None)
        if inner is not None:
            if isinstance(inner.value, LocatedMap):
                self.top(inner.value, inner.value_span)
            else:
                self.file.damage(inner.key_span[0], f"the content should be a map, but is {_what(inner.value)}")
            return
        single: Book | None = None
        for entry in form.entries:
            if _is_content(entry):
                if single is None:
                    single = self.file.open_book(None, span[0])
                self.content(single, entry)
            else:
                self.book(entry)

    def book(self, entry: Entry) -> None:
        at = entry.key_span[0]
        if not isinstance(entry.value, LocatedMap):
            self.file.damage(at, f"the book {write_edn(entry.key)} should be a map, but is {_what(entry.value)}")
            return
        book = self.file.open_book(_NIL if entry.key is None else entry.key, at)
        for inner in entry.value.entries:
            self.content(book, inner)

    def content(self, book: Book, entry: Entry) -> None:
        """One entry of a book: a kind with its entities, or the `:disabled?` flag."""
        at = entry.key_span[0]
        if entry.key is DISABLED:
            book.disabled = entry.value is True
            return
        kind = kind_of(entry.key)
        if isinstance(entry.key, str) and kind not in _KNOWN_KINDS and _is_book(entry.value):
            self.file.warn(at, f"{write_edn(entry.key)} stands inside another book; it is read as one", book=book)
            self.book(entry)
            return
        if kind is None:
            self.file.damage(at, f"{write_edn(entry.key)} is not a kind of content; it is left out", book=book)
            return
        if kind in _KNOWN_KINDS and entry.key is not Keyword(f"{NAMESPACE}/{kind}"):
            self.file.warn(at, f"{write_edn(entry.key)} should be :{NAMESPACE}/{kind}", book=book, kind=kind)
        check_kind(self.file, book, kind, at)
        if entry.value is None:
            return
        if not isinstance(entry.value, LocatedMap):
            message = f"{kind} should be a map of entities, but is {_what(entry.value)}"
            self.file.damage(at, message, book=book, kind=kind)
            return
        for inner in entry.value.entries:
            if isinstance(inner.key, Keyword) and inner.key.namespace == NAMESPACE:
                message = f"{write_edn(inner.key)} stands inside {kind}; it is read as a kind of its own"
                self.file.warn(inner.key_span[0], message, book=book, kind=kind)
                self.content(book, inner)
            else:
                add_entry(self.file, book, kind, inner)


def _is_content(entry: Entry) -> bool:
    """Whether an entry of the outermost map is content of a single book, rather than a book."""
    if entry.key is DISABLED:
        return True
    if isinstance(entry.key, Keyword):
        if entry.key.namespace == NAMESPACE or entry.key.text in _KNOWN_KINDS:
            return True
        # `:my-book {:orcpub.dnd.e5/spells {…}}`: a book named by a keyword.
        return not _is_book(entry.value)
    name = entry.key.text if isinstance(entry.key, Symbol) else entry.key
    return isinstance(name, str) and name.startswith(f"{NAMESPACE}/")


def _is_book(value: Any) -> bool:
    """Whether a value is a map of kinds."""
    return isinstance(value, dict) and any(kind_of(key) in _KNOWN_KINDS for key in value)


def key_text(key: Any) -> str:
    """An entity's key as text: a keyword's or string's own, anything else as EDN writes it."""
    return key.text if isinstance(key, Keyword) else key.strip() if isinstance(key, str) else write_edn(key)


def kind_of(key: Any) -> str | None:
    """The kind of content that a key names, whatever its namespace if apps know the kind; None if it names none."""
    text = key.text if isinstance(key, Keyword | Symbol) else key if isinstance(key, str) else ""
    name = text.rpartition("/")[2]
    return name if name in _KNOWN_KINDS else text.removeprefix(f"{NAMESPACE}/") or None


def _what(value: Any) -> str:
    """A value in a few words, for messages."""
    name = _COLLECTIONS.get(type(value))
    return f"a {name}" if name else _shortened(write_edn(value))


def _shortened(text: str) -> str:
    """A text on one line, cut off if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:37]}…"  # noqa: PLR2004 - a line's worth


def damage_of(item: Any) -> str | None:
    """Evidence that an entity was damaged before it was written, or None.

    If a text contains pairs of unescaped quotes, its words become keys and values of the map around it.
    """
    if not isinstance(item, dict):
        return f"the entity should be a map, but is {_what(item)}"
    if any(isinstance(form, Symbol) and form.is_quoted for pair in item.items() for form in pair):
        return TYPOGRAPHIC_QUOTES
    for part in (item, *(p for v in item.values() if isinstance(v, list | tuple) for p in v if isinstance(p, dict))):
        stray = next((key for key in part if isinstance(key, str | Symbol)), None)
        if stray is not None and (part is item or not _TEXTS.isdisjoint(part)):
            colon = "its colon is missing, or " if isinstance(stray, Symbol) else ""
            return f"{_what(stray)} where a keyword is expected: {colon}a quote inside a text is not escaped"
    return None


def check_kind(file: BrewFile, book: Book, kind: str, at: int) -> None:
    """Warn of a kind of content that no app knows."""
    if kind not in _KNOWN_KINDS:
        near = get_close_matches(kind, KINDS, 1)
        meant = f"; perhaps {near[0]} is meant" if near else ""
        message = f"OrcPub does not know the kind of content {kind}: its entities become rules{meant}"
        file.warn(at, message, book=book, kind=kind)


def add_entry(file: BrewFile, book: Book, kind: str, entry: Entry) -> None:
    """Add an entry of a kind as an entity, or record why it is none."""
    if entry.key is None and entry.value is None:
        return
    at = entry.key_span[0]
    key = key_text(entry.key)
    wrong = damage_of(entry.value)
    if wrong:
        file.damage(at, wrong, book=book, kind=kind, key=key)
        return
    if not isinstance(entry.key, Keyword):
        file.warn(at, f"the key {write_edn(entry.key)} is not a keyword", book=book, kind=kind, key=key)
    add_entity(file, Entity(book, kind, key, entry.value, at, entry.value_span[0], entry.value_span[1]))


def add_entity(file: BrewFile, entity: Entity) -> None:
    """Add an entity to its file, with warnings about its key and name. Of two with the same key, the later is kept."""
    earlier = file.find(entity.book, entity.kind, entity.key)
    if earlier is not None:
        places = f"{file.place(earlier.at)} and {file.place(entity.at)}"
        if same(earlier.item, entity.item):
            file.warn_of(entity, entity.at, f"occurs twice, at {places}, with the same content")
            return
        message = f"occurs twice, at {places}, with different content; the later is kept"
        file.damage(entity.at, message, book=entity.book, kind=entity.kind, key=entity.key)
    own = entity.item.get(KEY)
    if not (isinstance(own, Keyword) and own.text == entity.key):
        remark = "has no :key" if own is None else f"says that its :key is {_what(own)}"
        file.warn_of(entity, entity.at, f"{remark}; the key it is filed under stays")
    if not (isinstance(entity.item.get(NAME), str) and entity.item[NAME].strip()):
        file.warn_of(entity, entity.at, "has no name; one is made from its key")
    file.add(entity)


def settle_names(file: BrewFile) -> None:
    """Name every book of a file after its label, or its entities' option pack, or the file."""
    packs: dict[Book, Counter[str]] = defaultdict(Counter)
    for entity in file.entities:
        packs[entity.book].update(filter(None, [entity.option_pack]))
    names = UniqueNames((book.label.strip() for book in file.books if _named(book)), " ")
    for book in file.books:
        if _named(book):
            book.name = " ".join(book.label.split())
        elif book.label is None:
            book.name = next(iter(packs[book])) if len(packs[book]) == 1 else Path(file.name).stem
        else:
            book.name = names.take(packs[book].most_common(1)[0][0] if packs[book] else UNNAMED)
            message = f"a book without a usable name ({_what(book.label)}); it is called {book.name!r}"
            file.warn(book.at, message, book=book)


def _named(book: Book) -> bool:
    return isinstance(book.label, str) and bool(book.label.strip())
