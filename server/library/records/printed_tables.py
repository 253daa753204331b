"""The tables printed in the texts of records: rules, spells, items, features, benefits, traits and actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from server.library.catalogue import Catalogue, TableSlice

_DASHES: Final = re.compile(r":?-+:?")
_IN_DIVIDERS: Final = ["-|", "- |", ":|", ": |"]
"""Every divider has one of these: a text without them has no table and need not be parsed."""
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_EMPHASIS: Final = re.compile(r"(\*{1,3}|_{1,3})(?=\S)([^*_]+)(?<=\S)\1")
_MOST_NESTED: Final = 2
_TITLE: Final = re.compile(r"#{1,6}\s+(?P<heading>.+)|(\*{2,3})(?P<bold>[^*]+)\2[.:]?|Table:\s*(?P<caption>.+)")
Found = TypeVar("Found")
_ABOVE: Final = ("id", "name", "entity_type", "document_key", "game_system")


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table as a text prints it, without emphasis.

    Attributes:
        id, name, entity_type, document_key, game_system: of the record whose text has it.
        title: the line above it, if that is a title; otherwise None.
        within: name of the feature, benefit or the like whose text it is in; None in the record's own text.
        columns: the header.
        rows: the cells of each row; as many as there are columns.
    """

    id: str
    name: str
    entity_type: str
    document_key: str
    game_system: str | None
    title: str | None
    within: str | None
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class PrintedTables:
    """The tables in the texts of a catalogue's entities, read on first use."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._made: dict[Callable[[PrintedTable], Any], tuple[Any, ...]] = {}

    @cached_property
    def all(self) -> tuple[PrintedTable, ...]:
        """Every table, in catalogue order."""
        return tuple(table for part in self._catalogue.parts for table in _tables_of(part))

    def made_into(self, make: Callable[[PrintedTable], Found | None]) -> tuple[Found, ...]:
        """The results of a function for every table, without None; only the first call computes them."""
        if make not in self._made:
            self._made[make] = tuple(found for table in self.all if (found := make(table)) is not None)
        return self._made[make]


def tables_in(markdown: str) -> Iterator[tuple[str | None, tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    """Title, columns and rows of each table of a text."""
    lines = markdown.splitlines()
    for place in (place for place in range(1, len(lines)) if _is_divider(lines[place])):
        columns = cells_of(lines[place - 1])
        if len(columns) > 1:
            yield _title(lines[: place - 1]), columns, tuple(_rows(lines[place + 1 :], len(columns)))


def _is_divider(line: str) -> bool:
    """Whether a line separates the header of a table from its rows."""
    cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    return "|" in line and all(_DASHES.fullmatch(cell.strip()) for cell in cells)


def _tables_of(part: TableSlice) -> Iterator[PrintedTable]:
    texts = [column.name for column in part.table.columns if column.dtype == pl.String and column.name not in _ABOVE]
    named = [column.name for column in part.table.columns if column.holds_named_texts]
    has_table = pl.any_horizontal(
        *(pl.col(name).str.contains_any(_IN_DIVIDERS) for name in texts),
        *(
            pl.col(name).list.eval(pl.element().struct.field("description").str.contains_any(_IN_DIVIDERS)).list.any()
            for name in named
        ),
    )
    having = part.frame.filter(has_table.fill_null(value=False)).select(*_ABOVE, *texts, *named)
    for row in having.iter_rows(named=True):
        above = {column: row[column] for column in _ABOVE}
        for within, text in _texts(row, texts, named):
            for title, columns, rows in tables_in(text):
                yield PrintedTable(**above, title=title, within=within, columns=columns, rows=rows)


def _texts(row: dict[str, Any], texts: Sequence[str], named: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """Each text of a record, with the name of the part that it belongs to."""
    yield from ((None, row[name]) for name in texts if row[name])
    for name in named:
        yield from ((part["name"], part["description"]) for part in row[name] or () if part["description"])


def _rows(lines: Sequence[str], width: int) -> Iterator[tuple[str, ...]]:
    for line in lines:
        if not _CELL_BORDER.search(line):
            return
        cells = cells_of(line)
        yield (*cells, *[""] * (width - len(cells)))[:width]


def cells_of(line: str) -> tuple[str, ...]:
    """The texts of a Markdown table's row, without markup."""
    inside = line.strip().removeprefix("|")
    inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
    return tuple(_unmarked(cell) for cell in _CELL_BORDER.split(inside))


def _title(above: Sequence[str]) -> str | None:
    """The last line above a table that is not blank, if it is a title."""
    last = next((line.strip() for line in reversed(above) if line.strip()), "")
    found = _TITLE.fullmatch(last)
    return _unmarked(found["heading"] or found["bold"] or found["caption"]).rstrip(".:") if found else None


def _unmarked(words: str) -> str:
    """Words on one line, without emphasis, even nested, and without escapes."""
    for _ in range(_MOST_NESTED):
        words = _EMPHASIS.sub(r"\2", words)
    return " ".join(words.replace("\\|", "|").split())
