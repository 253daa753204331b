"""The drafts of the books' conversions before any merging, as witnesses for the finished records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from build_pipeline.normalize.books.character_options import classes
from build_pipeline.normalize.books.character_options.level_tables import witness_tables
from build_pipeline.normalize.books.creatures import stat_blocks
from build_pipeline.normalize.books.drafts import BOOKS
from build_pipeline.normalize.books.equipment import equipment, magic_items
from build_pipeline.normalize.books.spells import spells
from build_pipeline.normalize.books.tree import SOURCE, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.snapshot.raw import RawLayer

_SECOND: Final = "-second"
"""Suffix of the endpoint of a book's second conversion."""


def _magic_items(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Magic items without the weights of their base items, which the book has only in its price lists."""
    for draft in magic_items.drafts(raw, problems):
        weight = {"weight_lb": None} if draft.facts.get("base_item") else {}
        draft.facts |= weight
        yield draft


_READERS: Final = (stat_blocks.drafts, spells.drafts, equipment.drafts, _magic_items)


@dataclass(frozen=True, slots=True)
class Witness:
    """One entity as one conversion of a book has it.

    Attributes:
        conversion: the endpoint of the conversion, `srd-2014` or `srd-2014-second`.
        draft: the entity's draft; its document is the book.
    """

    conversion: str
    draft: Draft

    @property
    def is_second(self) -> bool:
        return self.conversion.endswith(_SECOND)


def witnesses(raw: RawLayer) -> Iterator[Witness]:
    """The stat blocks, spells, equipment and magic items of every conversion of the books, and their class tables.

    Defects of the books are not reported here: `normalize` reports those of the main texts.
    """
    for read in (*_READERS, classes.drafts):
        yield from (Witness(draft.document_key, draft) for draft in read(raw, Problems()))
    second = _in_place_of_the_first(raw)
    for read in _READERS:
        yield from (Witness(f"{draft.document_key}{_SECOND}", draft) for draft in read(second, Problems()))
    for book in BOOKS:
        yield from _class_tables(raw, book)


def _class_tables(raw: RawLayer, book: str) -> Iterator[Witness]:
    """The level tables of a book's second conversion, whose other headings do not distinguish the classes."""
    conversion = f"{book}{_SECOND}"
    names = {text.name for text in classes.class_texts(raw, book)}
    for name, rows in witness_tables(read_book(raw, conversion)).items():
        if name in names:
            table = {"progression": rows}
            yield Witness(conversion, Draft(SOURCE, (f"{SOURCE}/{conversion}",), "class", book, name, facts=table))


def _in_place_of_the_first(raw: RawLayer) -> RawLayer:
    """The raw layer with the second conversions in place of the first, so that the same readers read both."""
    others = (obj for obj in raw if obj.source != SOURCE)
    second = (obj for book in BOOKS for obj in raw[SOURCE, f"{book}{_SECOND}"].values())
    return RawLayer.of((*others, *(replace(obj, endpoint=obj.endpoint.removesuffix(_SECOND)) for obj in second)))
