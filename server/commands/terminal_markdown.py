"""Markdown on a terminal: rich's, with tables that keep all their words however narrow the terminal is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich import box
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.measure import Measurement
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderResult  # noqa: TID251 - the types of rich
    from rich.text import Text

_PADDINGS: Final = (1, 0)
"""Spaces on each side of a cell; the first with which the table fits is used."""


class _FittingTable(TableElement):
    """A table that, if too wide, is split into several below each other, each beginning with the first column."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        header = self.header.row.cells if self.header and self.header.row else []
        rows = [[cell.content for cell in row.cells] for row in self.body.rows] if self.body else []
        columns = [[cell.content, *(row[place] for row in rows)] for place, cell in enumerate(header)]
        for padding in _PADDINGS:
            groups = list(_groups(columns, padding, console, options))
            if len(groups) == 1:
                break
        yield from (_table(group, padding) for group in groups)


class TerminalMarkdown(Markdown):
    """Markdown for `Console.print`."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": _FittingTable}


def _groups(
    columns: Sequence[Sequence[Text]], padding: int, console: Console, options: ConsoleOptions
) -> Iterator[list[Sequence[Text]]]:
    """The columns (each a heading and its cells) in groups that fit the terminal without breaking a word."""
    group = list(columns[:1])
    for column in columns[1:]:
        table = _table([*group, column], padding)
        if (
            len(group) > 1
            and Measurement.get(console, options.update(max_width=10_000), table).minimum > options.max_width
        ):
            yield group
            group = list(columns[:1])
        group.append(column)
    yield group


def _table(columns: Sequence[Sequence[Text]], padding: int) -> Table:
    table = Table(
        box=box.SIMPLE, pad_edge=False, collapse_padding=True, padding=(0, padding), style="markdown.table.border"
    )
    for heading, *_ in columns:
        styled = heading.copy()
        styled.stylize("markdown.table.header")
        table.add_column(styled, overflow="fold")
    for row in zip(*(cells for _, *cells in columns), strict=True):
        table.add_row(*row)
    return table
