"""The Markdown elements of sheets: tables, lines of facts, run-in entries, texts fitted under a heading.

Sheets are CommonMark with GitHub's tables. A line break inside a paragraph is two spaces at the end of the line.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

EMPTY_CELL: Final = "—"

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|])")
_ESCAPED: Final = re.compile(r"\\([\\`*_\[\]<>|])")
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})(?=\s)")
_KINDS: Final = (
    ("table", re.compile(r"^\s*\|")),
    ("heading", _HEADING),
    ("list", re.compile(r"^\s*(?:[-+*]|\d{1,3}[.)])\s")),
    ("quote", re.compile(r"^ {0,3}>")),
    ("rule", re.compile(r"^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$")),
)
_APART: Final = frozenset({"table", "heading", "rule"})
"""Kinds of lines that need an empty line between them and anything else."""
_LOWEST_HEADING: Final = 6


def plain(words: object) -> str:
    """Plain text, such as a name, escaped for Markdown and on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(words).split()))


def unmarked(markdown: str) -> str:
    """The text before `plain` escaped it."""
    return _ESCAPED.sub(r"\1", markdown)


def heading(level: int, words: str) -> str:
    """A heading; `words` are Markdown."""
    return f"{'#' * level} {words}"


def italic(words: str) -> str:
    """Words in italics; empty if there are none."""
    return f"*{words}*" if words else ""


def facts(*lines: tuple[str, str | None], colon: bool = False) -> str:
    """Labelled facts, one per line; those without a value are left out."""
    mark = ":" if colon else ""
    return "  \n".join(f"**{label}{mark}** {one_line(value)}" for label, value in lines if value)


def one_line(markdown: str) -> str:
    """The Markdown of a fact on one line; the items of a list are joined by semicolons."""
    lines = [re.sub(r"^\s*[-+*]\s+", "", line).strip() for line in markdown.splitlines()]
    shown = [line for line in lines if line]
    return "".join(
        line + ("" if following is None else " " if line[-1] in ".:;," else "; ")
        for line, following in zip_longest(shown, shown[1:])
    )


def table(
    columns: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    left: Collection[object] = (),
    empty: str = EMPTY_CELL,
) -> str:
    """A table of plain values, centred except for the columns in `left`. Empty cells show `empty`, by default a dash.

    Raises:
        ValueError: the number of cells in a row is not that of the columns.
    """
    lines = [_row(columns, empty), _row([":--" if name in left else ":-:" for name in columns], empty)]
    for row in rows:
        if len(row) != len(columns):
            msg = f"a row of {len(row)} cells in a table of {len(columns)} columns: {list(row)}"
            raise ValueError(msg)
        lines.append(_row(row, empty))
    return "\n".join(lines)


def entry(name: str | None, markdown: str | None) -> str:
    """A text with its name run in, as books print traits and actions: `***Amphibious.*** It can…`."""
    body = prose(markdown, under=3)
    if not name:
        return body
    label = f"***{name}{'' if name[-1] in '.:!?' else '.'}***"
    if not body:
        return label
    return f"{label} {body}" if _kind(body.split("\n", 1)[0]) == "prose" else f"{label}\n\n{body}"


def prose(markdown: str | None, under: int = 2) -> str:
    """A text fitted into a sheet; empty if there is none.

    Its headings are moved below a heading of level `under`, blank lines surround its tables and headings, and its line
    breaks stay.
    """
    lines = (markdown or "").strip().splitlines()
    if not lines:
        return ""
    kinds = [_kind(line) for line in lines]
    levels = [len(found[1]) for line in lines if (found := _HEADING.match(line))]
    deeper = under + 1 - min(levels, default=0)
    fitted = [
        _moved(line, deeper) if kind == "heading" else line.rstrip() for line, kind in zip(lines, kinds, strict=True)
    ]
    breaks = [_break(kinds[place], kinds[place + 1], lines[place + 1]) for place in range(len(lines) - 1)]
    return "".join(line + ending for line, ending in zip(fitted, [*breaks, ""], strict=True))


def _moved(line: str, deeper: int) -> str:
    """A heading, moved `deeper` levels down."""
    marks, _, words = line.strip().partition(" ")
    return heading(min(len(marks) + deeper, _LOWEST_HEADING), words.strip()).rstrip()


def _break(kind: str, following: str, line: str) -> str:
    """The text between a line and the next one: in prose a line break stays one, as in lists of spells by level."""
    if "blank" in (kind, following):
        return "\n"
    if kind == following == "prose":
        return "  \n"
    apart = {kind, following} & _APART and not kind == following == "table"
    after_list = kind == "list" and following == "prose" and not line.startswith(" ")
    return "\n\n" if apart or after_list else "\n"


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    return next((kind for kind, pattern in _KINDS if pattern.match(line)), "prose")


def _row(cells: Sequence[object], empty: str) -> str:
    shown = ("" if cell is None else plain(cell) for cell in cells)
    return f"| {' | '.join(cell or empty for cell in shown)} |"
