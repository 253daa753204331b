"""HTML tables of the books as Markdown tables: one header row, and boxes around a formula as plain paragraphs."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from bs4 import BeautifulSoup, Tag
from markdownify import MarkdownConverter

_CONVERTER: Final = MarkdownConverter(table_infer_header=True)
_BOX: Final = re.compile(r"(?m)^\|[ ]*\|\n\|[ :-]+\|\n\|[ ]*(.+?)[ ]*\|$")
"""A Markdown table of one column without a header, and with one row: a frame around a formula."""


@cache
def markdown_table(html: str) -> str:
    """An HTML table as a Markdown table below its caption; a table of one cell becomes that cell's text.

    Markdown has one header row: of two, the lower one is kept, with the cells of the upper one that span both.
    """
    soup = BeautifulSoup(html, "html.parser")
    table = soup.table
    if table is None:
        return html
    cells = table.find_all(["td", "th"])
    if len(cells) == 1:
        return str(_CONVERTER.convert(cells[0].decode_contents())).strip()
    if table.thead is not None:
        _flatten(table.thead)
    return str(_CONVERTER.convert_soup(soup)).strip()


def unboxed(text: str) -> str:
    """A Markdown text whose one-celled tables are plain paragraphs."""
    return _BOX.sub(r"\1", text)


def _flatten(head: Tag) -> None:
    """Reduce a table's head to one row: the last line of the lowest cell in every column."""
    upper, *lower = head.find_all("tr")
    for cell in head.find_all("th"):
        # "Distance<br>Minute", "Traveled<br>Hour": an upper row that was written into the cells.
        for line_break in cell.find_all("br"):
            for above in list(line_break.previous_siblings):
                above.extract()
            line_break.extract()
    if not lower:
        return
    below = iter(lower[-1].find_all("th"))
    lowest: list[Tag] = []
    for cell in upper.find_all("th"):
        if _span(cell, "rowspan") > 1:
            del cell["rowspan"]
            lowest.append(cell)
        else:
            lowest += [next(below) for _ in range(_span(cell, "colspan"))]
    lower[-1].clear()
    lower[-1].extend(lowest)
    for row in (upper, *lower[:-1]):
        row.extract()


def _span(cell: Tag, attribute: str) -> int:
    return int(str(cell.get(attribute) or 1))
