"""Contents of OrcBrew files: books, entities and findings, with their positions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from build_pipeline.snapshot.orcbrew.edn import Lines, Note
from build_pipeline.snapshot.orcbrew.edn_values import Keyword

SOURCE: Final = "orcbrew"
"""Name of the homebrew source in the raw layer."""

NAMESPACE: Final = "orcpub.dnd.e5"
KINDS: Final = (
    "spells",
    "monsters",
    "classes",
    "subclasses",
    "races",
    "subraces",
    "backgrounds",
    "feats",
    "languages",
    "invocations",
    "boons",
    "selections",
    "encounters",
)
"""Kinds of content that OrcPub exports, under their names in its files."""
FORK_KINDS: Final = ("draconic-ancestries", "fighting-styles", "magic-items", "weapons", "armor", "items")
"""Kinds that only forks and other tools write."""

MAX_FINDINGS: Final = 2000
"""Maximum number of findings listed per file; any more are only counted."""

Severity = Literal["damage", "warning"]

KEY, NAME, PACK, DISABLED = Keyword("key"), Keyword("name"), Keyword("option-pack"), Keyword("disabled?")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a file.

    Attributes:
        file: the file's path as given (`pack.zip/inner.orcbrew` inside an archive).
        line: line, from 1; for a finding about a whole entity, the entity's.
        column: column, from 1.
        severity: `damage` if something could not be read; `warning` if what was read is doubtful.
        book: the book's name.
        kind: the entity's kind (`spells`), or "".
        key: its key, or "".
        message: one line.
    """

    file: str
    line: int
    column: int
    severity: Severity
    book: str
    kind: str
    key: str
    message: str


@dataclass(slots=True, eq=False)
class Book:
    """A book (option pack) of a file.

    Attributes:
        label: its key in the file, or None if the file is a single book.
        at: offset of that key.
        name: its name: the label, or an option pack of its entities, or the file's name.
        slug: prefix of its entities' raw keys; "" if it has no entities.
        disabled: whether its user has switched off the whole book.
    """

    label: Any
    at: int
    name: str = ""
    slug: str = ""
    disabled: bool = False


@dataclass(slots=True, eq=False)
class Entity:
    """An entity as written in the file: kind, key and fields, and the span from its key to its closing brace."""

    book: Book
    kind: str
    key: str
    item: dict[Any, Any]
    at: int
    start: int
    end: int

    @property
    def disabled(self) -> bool:
        return self.book.disabled or self.item.get(DISABLED) is True

    @property
    def option_pack(self) -> str | None:
        """The book that the entity itself names, often not the one it is in."""
        pack = self.item.get(PACK)
        return pack.strip() if isinstance(pack, str) and pack.strip() else None


class UniqueNames:
    """Makes names unique: a second "Homebrew" becomes "Homebrew 2".

    >>> names = UniqueNames({"srd"}, "-")
    >>> [names.take(name) for name in ("srd", "srd", "phb")]
    ['srd-2', 'srd-3', 'phb']
    """

    def __init__(self, taken: Iterable[str], separator: str) -> None:
        self._taken = set(taken)
        self._separator = separator
        self._numbers: dict[str, int] = {}

    def take(self, name: str) -> str:
        """The name if it is free, otherwise with the first free number appended."""
        number = self._numbers.get(name, 1)
        while (free := name if number == 1 else f"{name}{self._separator}{number}") in self._taken:
            number += 1
        self._taken.add(free)
        self._numbers[name] = number
        return free


@dataclass(frozen=True, slots=True)
class _Remark:
    """A finding before positions and book names are known."""

    severity: Severity
    offset: int
    message: str
    book: Book | None
    kind: str
    key: str


class BrewFile:
    """An OrcBrew file: its text, and what was found in it.

    Attributes:
        name: the file's name without folders.
        label: its path as given.
        text: its text.
        books: its books, in order.
    """

    def __init__(self, name: str, label: str, text: str) -> None:
        self.name = name
        self.label = label
        self.text = text
        self.lines = Lines(text)
        self.books: list[Book] = []
        self._by_label: dict[tuple[type, Any], Book] = {}
        self._entities: dict[tuple[Book, str, str], Entity] = {}
        self._remarks: dict[_Remark, None] = {}
        self._unlisted = 0

    @property
    def entities(self) -> list[Entity]:
        """The entities in file order."""
        return sorted(self._entities.values(), key=lambda entity: entity.at)

    def open_book(self, label: Any, at: int) -> Book:
        """The book of a label, opened if new. A label that occurs twice is one book, unless it is blank."""
        known = self._by_label.get((type(label), label))
        if known is not None:
            return known
        book = Book(label, at)
        self.books.append(book)
        if isinstance(label, Keyword) or (isinstance(label, str) and label.strip()):
            self._by_label[type(label), label] = book
        return book

    def find(self, book: Book, kind: str, key: str) -> Entity | None:
        return self._entities.get((book, kind, key))

    def add(self, entity: Entity) -> None:
        """Add an entity, replacing one of the same book, kind and key."""
        self._entities[entity.book, entity.kind, entity.key] = entity

    def remove(self, entity: Entity) -> None:
        del self._entities[entity.book, entity.kind, entity.key]

    def unwrap(self, text: str) -> None:
        """Replace the text with what it wraps: the only string of the file, or the content of a web page."""
        self.text = text
        self.lines = Lines(text)

    def place(self, offset: int) -> str:
        """Line and column of an offset, as in `4:52`."""
        line, column = self.lines.at(offset)
        return f"{line}:{column}"

    def _record(self, remark: _Remark) -> None:
        if len(self._remarks) < MAX_FINDINGS or remark in self._remarks:
            self._remarks[remark] = None
        else:
            self._unlisted += 1

    def damage(self, offset: int, message: str, *, book: Book | None = None, kind: str = "", key: str = "") -> None:
        """Record that something could not be read."""
        self._record(_Remark("damage", offset, message, book, kind, key))

    def warn(self, offset: int, message: str, *, book: Book | None = None, kind: str = "", key: str = "") -> None:
        """Record that what was read is doubtful."""
        self._record(_Remark("warning", offset, message, book, kind, key))

    def warn_of(self, entity: Entity, offset: int, message: str) -> None:
        """Record that an entity is doubtful."""
        self.warn(offset, message, book=entity.book, kind=entity.kind, key=entity.key)

    def warn_notes(self, notes: Iterable[Note]) -> None:
        """Record the reader's notes as warnings, each about the entity that it lies in."""
        entities = self.entities
        starts = [entity.at for entity in entities]
        reported = {remark.offset for remark in self._remarks}
        for note in notes:
            if note.offset in reported:
                continue
            number = bisect_right(starts, note.offset) - 1
            if number >= 0 and note.offset < entities[number].end:
                self.warn_of(entities[number], note.offset, note.message)
            else:
                self.warn(note.offset, note.message)

    @property
    def findings(self) -> list[Finding]:
        """Every finding, in file order."""
        found = [
            Finding(
                self.label,
                *self.lines.at(r.offset),
                r.severity,
                r.book.name if r.book else "",
                r.kind,
                r.key,
                r.message,
            )
            for r in sorted(self._remarks, key=lambda r: r.offset)
        ]
        if self._unlisted:
            place = self.lines.at(len(self.text))
            found.append(Finding(self.label, *place, "damage", "", "", "", f"and {self._unlisted} more findings"))
        return found

    @property
    def damaged(self) -> bool:
        """Whether anything could not be read."""
        return self._unlisted > 0 or any(remark.severity == "damage" for remark in self._remarks)
