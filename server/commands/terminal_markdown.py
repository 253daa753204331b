"""Markdown on a terminal: rich's, with tables that keep all their words however narrow the terminal is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from rich import box
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from server.sheets.wording import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderResult  # noqa: TID251 - the types of rich

_PADDINGS: Final = (1, 0)
"""Spaces on each side of a cell; the first with which the table fits is used."""
_SHORTER: Final = {"Proficiency Bonus": "Prof. Bonus"} | {ordinal(level): str(level) for level in range(1, 10)}
"""Headings that class tables have, and what stands for them if the table is too wide otherwise."""
_UNBOUNDED: Final = 10_000
"""A width in which every table fits."""

Column = Sequence[Text]
"""A heading and its cells."""


class _FittingTable(TableElement):
    """A table that fits the terminal without breaking a word.

    If it is too wide, its columns are closer together, then its headings shorter; in the end it is split into as few as
    possible below each other, each beginning with the first column.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        header = self.header.row.cells if self.header and self.header.row else []
        rows = [[cell.content for cell in row.cells] for row in self.body.rows] if self.body else []
        columns = [[cell.content, *(row[place] for row in rows)] for place, cell in enumerate(header)]
        ways = [(each, padding) for each in (columns, _shorter(columns)) for padding in _PADDINGS]
        grouped = [(padding, [*_groups(each, padding, console, options)]) for each, padding in ways]
        padding, groups = min(grouped, key=lambda way: len(way[1]))  # of equally few, the first
        yield from (_fitted(group, padding, console, options) for group in groups)


class TerminalMarkdown(Markdown):
    """Markdown for `Console.print`."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": _FittingTable}


def _shorter(columns: Sequence[Column]) -> list[Column]:
    """The columns with the shorter of their headings."""
    return [
        [Text(_SHORTER.get(heading.plain, heading.plain), justify=heading.justify), *cells]
        for heading, *cells in columns
    ]


def _groups(
    columns: Sequence[Column], padding: int, console: Console, options: ConsoleOptions
) -> Iterator[list[Column]]:
    """The columns in groups that fit the terminal without breaking a word."""
    group = list(columns[:1])
    for column in columns[1:]:
        if len(group) > 1 and _narrowest([*group, column], padding, console, options) > options.max_width:
            yield group
            group = list(columns[:1])
        group.append(column)
    yield group


def _narrowest(columns: Sequence[Column], padding: int, console: Console, options: ConsoleOptions) -> int:
    """The width of a table in which no word is broken."""
    return Measurement.get(console, options.update(max_width=_UNBOUNDED), _table(columns, padding)).minimum


def _fitted(columns: Sequence[Column], padding: int, console: Console, options: ConsoleOptions) -> Table:
    """The table, with the room that its longest words leave shared among the columns that need more.

    Rich by itself takes the missing width from the widest columns first, whatever their longest words.
    """
    wide = options.update(max_width=_UNBOUNDED)
    needs = [[Measurement.get(console, wide, cell) for cell in column] for column in columns]
    widths = [max(need.minimum for need in each) for each in needs]
    wanted = [max(need.maximum for need in each) for each in needs]
    for _ in range(options.max_width - _narrowest(columns, padding, console, options)):
        place = max(range(len(columns)), key=lambda place: wanted[place] - widths[place])
        widths[place] += widths[place] < wanted[place]
    return _table(columns, padding, widths)


def _table(columns: Sequence[Column], padding: int, widths: Sequence[int | None] = ()) -> Table:
    table = Table(
        box=box.SIMPLE, pad_edge=False, collapse_padding=True, padding=(0, padding), style="markdown.table.border"
    )
    for (heading, *_), width in zip(columns, widths or [None] * len(columns), strict=True):
        styled = heading.copy()
        styled.stylize("markdown.table.header")
        table.add_column(styled, overflow="fold", width=width)
    for row in zip(*(cells for _, *cells in columns), strict=True):
        table.add_row(*row)
    return table
