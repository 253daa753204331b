"""Level tables of classes in the books: the rows, their spell slots, and names that a second witness spells better."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.character_options import progressions
from build_pipeline.normalize.character_options.progressions import Row, announces
from build_pipeline.normalize.text.tables import Table, tables_in

_FIRST_COLUMNS: Final = ("Level", "Proficien")
_NOT_DESCRIBED: Final = " feature"
"""How an entry ends that stands for a feature of the subclass."""


def level_table(text: str, titles: Iterable[str], witness: list[Row]) -> list[Row]:
    """The level table in a class's text.

    An entry that none of the class's headings describes is a slip of the pen where the second witness's table has, at
    that level, one that a heading does ("Divine Spite" for Divine Smite).
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
    """The level table with the columns of the class's own tables by level further below: its spell slots."""
    for part in section.walk():
        for table in tables_in(part.text):
            if table.header[0] == f"{section.title} Level" and len(table.rows) == len(rows):
                more = progressions.from_markdown(table.markdown) or []
                for row, other in zip(rows, more, strict=False):
                    row["columns"] = [*row["columns"], *other["columns"]]
    return rows


def witness_tables(roots: Iterable[Section]) -> dict[str, list[Row]]:
    """Class → the level table of a book's second witness, whose headings are not to be relied on.

    The class is the first word of the heading ("Bard Class Features"), else the heading above.
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
