"""Level tables of classes in the books: the rows, their spell slots, and names corrected from a second conversion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.character_options import progressions
from build_pipeline.normalize.character_options.progressions import Row, announces
from build_pipeline.normalize.text.tables import Table, tables_in

_FIRST_COLUMNS: Final = ("Level", "Proficien")
_NOT_DESCRIBED: Final = " feature"
"""The ending of an entry that stands for a feature of the subclass."""


def level_table(text: str, titles: Iterable[str], witness: list[Row]) -> list[Row]:
    """The level table in a class's text.

    An entry that matches none of the class's headings is an error if the second conversion's table has, at that level,
    an entry that does ("Divine Spite" for "Divine Smite").
    """
    headings = list(titles)
    rows = progressions.from_markdown("\n".join(t.markdown for t in tables_in(text) if _is_level_table(t))) or []
    others = {row["level"]: row["features"] for row in witness}
    for row in rows:
        spare = [name for name in others.get(row["level"], []) if _described(name, headings)]
        spare = [name for name in spare if name not in row["features"]]
        row["features"] = [
            name if _described(name, headings) or not spare else spare.pop(0) for name in row["features"]
        ]
    return rows


def _described(entry: str, headings: list[str]) -> bool:
    return entry.casefold().endswith(_NOT_DESCRIBED) or any(announces(entry, heading) for heading in headings)


def with_slots(rows: list[Row], section: Section) -> list[Row]:
    """The level table with the columns of further tables in the class's section: its spell slots by level."""
    for part in section.walk():
        for table in tables_in(part.text):
            if table.header[0] == f"{section.title} Level" and len(table.rows) == len(rows):
                more = progressions.from_markdown(table.markdown) or []
                for row, other in zip(rows, more, strict=False):
                    row["columns"] = [*row["columns"], *other["columns"]]
    return rows


def witness_tables(roots: Iterable[Section]) -> dict[str, list[Row]]:
    """Class → its level table in a book's second conversion, whose headings are unreliable.

    A table is listed under the first word of its heading ("Bard Class Features") and under every heading above it.
    """
    found: dict[str, list[Row]] = {}
    for root in roots:
        for section in root.walk():
            tables = [table for table in tables_in(section.text) if _is_level_table(table)]
            for rows in (progressions.from_markdown(table.markdown) for table in tables):
                words = [section.title.removeprefix("The ").partition(" ")[0], *section.above()]
                for name in words if rows else ():
                    found.setdefault(name, rows or [])
    return found


def _is_level_table(table: Table) -> bool:
    first, second = (*table.header, "", "")[:2]
    return first == _FIRST_COLUMNS[0] and second.startswith(_FIRST_COLUMNS[1])
