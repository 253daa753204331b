"""Markdown tables: find them with their captions, parse their rows, remove them from the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

_TABLE: Final = re.compile(
    r"^(?:(?P<caption>[^|\n#>*\-][^|\n.]{0,60})\n\n)?"
    r"(?P<table>\|.*\|[ \t]*\n\|[ \t:|-]+\|[ \t]*(?:\n|\Z)(?:\|.*\|[ \t]*(?:\n|\Z))*)",
    re.MULTILINE,
)
EMPHASIS: Final = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)")
_WITH_FOOTNOTE: Final = re.compile(r"[^*_\\]*[\w)]\*")
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_ESCAPED: Final = re.compile(r"\\([*_|])")
_TITLE: Final = re.compile(r"#{1,6}[ \t]+(?P<heading>.+)|(?:\*\*|__)(?P<bold>[^*_]+)(?:\*\*|__)")
_Cells = list[str | None]
_FORMULA: Final = re.compile(
    r"^\|([^|\n]*)\|[ \t]*\n\|[ \t:-]+\|[ \t]*\n((?:\|[^|\n]*\|[ \t]*(?:\n|\Z))*)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a text.

    Attributes:
        caption: the short line above it, if any.
        header: the column names.
        rows: the cells of each row, without emphasis.
        markdown: the table's source text, without its caption.
    """

    caption: str | None
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    markdown: str

    def column(self, name: str) -> list[str] | None:
        """The cells of a column, or None if the table has no such column."""
        if name not in self.header:
            return None
        position = self.header.index(name)
        return [row[position] for row in self.rows]


def tables_in(text: str) -> list[Table]:
    r"""The tables of a text, in reading order.

    >>> [table] = tables_in("Wardens\n\n| Level | Watches |\n|---|---|\n| 1 | *two* |\n")
    >>> table.caption, table.header, table.rows
    ('Wardens', ('Level', 'Watches'), (('1', 'two'),))
    """
    return [_table(match) for match in _TABLE.finditer(text)]


def table_data(text: str) -> list[dict[str, Any]]:
    """The tables of a text as {title, columns, rows}, for data users.

    The title is the heading, bold line or caption directly above the table, else None. `columns` is empty if the table
    has no headers. Blank cells are None. Panels printed side by side under the same column names are put one below the
    other.
    """
    found, end = [], 0
    for table in tables_in(text):
        start = text.index(table.markdown, end)
        above = text[end:start].rstrip().rpartition("\n")[2]
        title = _TITLE.fullmatch(above.strip())
        caption = table.caption if table.caption and table.caption[-1] not in ".:;,!?" else None
        columns, *rows = ([" ".join(cell.split()) or None for cell in row] for row in (table.header, *table.rows))
        columns, rows = _without_panels(columns, rows)
        found.append(
            {
                "title": (title["heading"] or title["bold"]).strip() if title else caption,
                "columns": columns if any(columns) else [],
                "rows": rows,
            }
        )
        end = start + len(table.markdown)
    return found


def _without_panels(columns: _Cells, rows: list[_Cells]) -> tuple[_Cells, list[_Cells]]:
    """A table whose column names repeat as a whole (Score, Cost, Score, Cost), with its panels one below the other."""
    widths = range(1, len(columns) // 2 + 1)
    repeats = (w for w in widths if any(columns) and columns[:w] * (len(columns) // w) == columns)
    width = next(repeats, len(columns))
    if width == len(columns):
        return columns, rows
    panels = (row[start : start + width] for start in range(0, len(columns), width) for row in rows)
    return columns[:width], [row for row in panels if any(row)]


def has_torn_row(text: str | None) -> bool:
    r"""Whether any table row in a text has fewer cells than its table has columns.

    >>> has_torn_row("| d6 | Flaw |\n|---|---|\n| 1 |\n")
    True
    """
    return any(
        len(_cells(line)) < len(table.header)
        for table in tables_in(text or "")
        for line in table.markdown.splitlines()[2:]
    )


def without_tables(text: str) -> str:
    """The text without its tables and their captions."""
    return re.sub(r"\n{3,}", "\n\n", _TABLE.sub("\n", text)).strip()


def with_plain_formulas(text: str) -> str:
    """The text with one-column boxes ("Spell save DC = 8 + …") turned from tables into paragraphs."""
    plain = _FORMULA.sub(lambda match: "\n\n".join(_lines(match[1] + "\n" + match[2])) + "\n", text)
    return re.sub(r"\n{3,}", "\n\n", plain).strip()


def _lines(cells: str) -> list[str]:
    return [line for row in cells.splitlines() if (line := row.strip().strip("|").strip())]


def _table(match: re.Match[str]) -> Table:
    header, _, *rows = (_cells(line) for line in match["table"].strip().splitlines())
    whole_rows = tuple((*row, *[""] * len(header))[: len(header)] for row in rows)
    caption = match["caption"].strip() if match["caption"] else None
    return Table(caption, header, whole_rows, match["table"].strip())


def _cells(line: str) -> tuple[str, ...]:
    return tuple(_cell(cell) for cell in _CELL_BORDER.split(line.strip().removeprefix("|").removesuffix("|")))


def _cell(text: str) -> str:
    """A cell without emphasis; a lone mark after its last word points to a footnote and stays."""
    return text.strip() if _WITH_FOOTNOTE.fullmatch(text.strip()) else plain(text)


def plain(text: str) -> str:
    """A short text without emphasis.

    >>> plain("*Cure Wounds*, **Wolf**")
    'Cure Wounds, Wolf'
    """
    parts = _ESCAPED.split(text)  # odd parts are escaped marks
    return "".join(part if n % 2 else EMPHASIS.sub("", part) for n, part in enumerate(parts)).strip()
