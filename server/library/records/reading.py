"""How one entity leads to others: the chapters around it, the same thing in other books, the names of its links."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.library.records.records import Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from server.dataset.record import Record
    from server.library.catalogue import Catalogue
    from server.library.documents.document_index import DocumentIndex
    from server.library.records.chapters import Chapters
    from server.library.records.records import Records


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a rule in its book; records have `name`, `document` and `id`.

    Attributes:
        above: what it is part of, from the chapter down.
        previous, following: the rules before and after it, in reading order.
    """

    above: Sequence[Record]
    previous: Record | None
    following: Record | None


class Reading:
    """The ways from one entity of a catalogue to others."""

    def __init__(self, catalogue: Catalogue, chapters: Chapters, records: Records, documents: DocumentIndex) -> None:
        self._catalogue = catalogue
        self._chapters = chapters
        self._records = records
        self._documents = documents
        self._alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for row, key in enumerate(zip(catalogue.entity_types, catalogue.folded_names, strict=True)):
            self._alike[key].append(row)

    def named(self, ids: Iterable[str]) -> list[Record]:
        """`name`, `document` and `id` of those of the entities that the library holds, each once."""
        rows = (self._catalogue.row_of.get(entity_id) for entity_id in dict.fromkeys(ids))
        return self._names([row for row in rows if row is not None])

    def elsewhere(self, entity_id: str) -> list[Record]:
        """Entities of the same type and name in other documents."""
        row = self._catalogue.row_of[entity_id]
        alike = self._alike[self._catalogue.entity_types[row], self._catalogue.folded_names[row]]
        return self._names([other for other in alike if other != row])

    def place(self, entity_id: str) -> Place:
        """The place of an entity in its book; outside the books it has no neighbours."""
        row = self._catalogue.row_of[entity_id]
        book = self._chapters.book(self._catalogue.document_keys[row])
        around: list[int | None] = [None, *book, None]
        at = around.index(row) if row in book else 0
        previous, following = (around[at - 1], around[at + 1]) if at else (None, None)
        return Place(self._names(self._chapters.above(row)), self._name(previous), self._name(following))

    def contents(self, document: str) -> list[tuple[int, Record]]:
        """The rules of a document's book, in reading order, each after its depth: how many others it is part of."""
        book = self._chapters.book(document)
        depths = [len(self._chapters.above(row)) for row in book]
        return list(zip(depths, self._names(book), strict=True))

    def counts(self, document: str) -> Counter[str]:
        """How many entities of each type a document has."""
        pairs = zip(self._catalogue.entity_types, self._catalogue.document_keys, strict=True)
        return Counter(entity_type for entity_type, key in pairs if key == document)

    def books(self) -> dict[str, int]:
        """How many entities each document has, the largest first."""
        sizes = Counter(self._catalogue.document_keys)
        return dict(sorted(sizes.items(), key=lambda book: (-book[1], book[0])))

    def edition(self, document: str) -> str | None:
        """The game system of a document of the library; None if it has none."""
        return self._documents.systems[document]

    def title(self, document: str) -> str:
        """The name of a document of the library."""
        return self._documents.names[document]

    def unknown(self, entries: Sequence[str]) -> dict[str, list[str]]:
        """The names that no document or edition has, each with similar ones."""
        return self._documents.resolve(entries).unknown

    def _names(self, rows: Sequence[int]) -> list[Record]:
        return self._records.render(rows, Form.NAMES, None)

    def _name(self, row: int | None) -> Record | None:
        return None if row is None else self._names([row])[0]
