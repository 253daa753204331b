"""The books' chapters: which rules are parts of which, and the order in which they are read."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from server.dataset.schema import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.library.arrays import Rows
    from server.library.catalogue import Catalogue


class Chapters:
    """The hierarchy of a catalogue's rules, in reading order.

    Document by document, every rule before its parts; rules outside the books come last in their document, by name.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        """Read `parent` and `reading_order` of the rules."""
        part = catalogue.part_of(RULES)
        columns = part.frame.select("id", "parent", "document_key", "reading_order")
        identities, parents, documents, orders = columns.get_columns()
        row_of = dict(zip(identities, range(part.start, part.stop), strict=True))
        places = {
            row: (document, order is None, order or 0, catalogue.name_rank[row])
            for row, document, order in zip(row_of.values(), documents, orders, strict=True)
        }
        above = [row_of.get(parent) for parent in parents.struct.field("id")]
        self._parts: defaultdict[int | None, list[int]] = defaultdict(list)
        for row, parent in sorted(zip(row_of.values(), above, strict=True), key=lambda pair: places[pair[0]]):
            self._parts[parent].append(row)
        self._above = dict(zip(row_of.values(), above, strict=True))
        self._rank = np.zeros(catalogue.size, dtype=np.int64)
        in_order = list(self._below(None))
        self._rank[in_order] = np.arange(len(in_order))
        self._books: defaultdict[str, list[int]] = defaultdict(list)
        for row in in_order:
            document, outside, _, _ = places[row]
            if not outside:
                self._books[document].append(row)

    def parts_of(self, rules: Iterable[int]) -> list[int]:
        """Catalogue rows of everything below the rules (catalogue rows), in reading order, one rule after another."""
        return [row for rule in rules for row in self._below(rule)]

    def in_reading_order(self, rows: Rows) -> Rows:
        """Rules (int64[n] catalogue rows) in the order of their books."""
        return rows[np.argsort(self._rank[rows], kind="stable")]

    def above(self, row: int) -> list[int]:
        """Catalogue rows of what a rule is part of, from the top down; empty for other entities."""
        parent = self._above.get(row)
        return [] if parent is None else [*self.above(parent), parent]

    def book(self, document: str) -> list[int]:
        """Catalogue rows of the rules of a document's book, in reading order."""
        return self._books.get(document, [])

    def _below(self, rule: int | None) -> Iterator[int]:
        for part in self._parts.get(rule, ()):
            yield part
            yield from self._below(part)
