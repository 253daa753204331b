"""The experience points that a level takes, as the books print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.play.citation import Citation, cited

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.library import Library
    from server.library.records.printed_tables import PrintedTable

_LEVEL: Final = "Level"
_POINTS: Final = "Experience Points"


def points_by_level(
    library: Library, game_system: str | None, documents: Sequence[str] | None
) -> tuple[Mapping[int, int], Citation | None]:
    """Level → experience points, from the preferred one of some documents of an edition, and where they are from.

    Both are empty if none of the documents prints them.
    """
    books = list(library.facts.documents(documents))
    tables = [
        table
        for table in library.tables.made_into(_of_points)
        if table.game_system == game_system and table.document_key in books
    ]
    if not tables:
        return {}, None
    table = min(tables, key=lambda table: books.index(table.document_key))
    level, points = (table.columns.index(name) for name in (_LEVEL, _POINTS))
    by_level = {int(row[level]): int(row[points].replace(",", "")) for row in table.rows}
    return by_level, cited(table, "experience points by level")


def _of_points(table: PrintedTable) -> PrintedTable | None:
    """The table, if it gives the experience points of levels."""
    if not {_LEVEL, _POINTS} <= set(table.columns):
        return None
    cells = (row[table.columns.index(name)] for row in table.rows for name in (_LEVEL, _POINTS))
    return table if all(cell.replace(",", "").isdecimal() for cell in cells) else None
