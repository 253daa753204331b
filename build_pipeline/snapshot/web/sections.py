"""A book in Markdown → its sections: every heading with its text, down to the next heading of any level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt

_PARSER: Final = MarkdownIt("commonmark").enable("table")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_ANCHOR: Final = re.compile(r"\s*\{#[\w-]+\}\s*$")
"""Pandoc's anchor of a heading, `{#section-races}`."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text below it.

    Attributes:
        title: the heading's text, without markup.
        level: 1 to 6.
        path: the titles of the headings above it, the topmost first.
        markdown: the text down to the next heading, as in the file.
        line: the heading's line, from 1.
    """

    title: str
    level: int
    path: tuple[str, ...]
    markdown: str
    line: int


def split_sections(text: str) -> Iterator[Section]:
    """The sections of a Markdown text, in reading order.

    Text before the first heading becomes a section without a title, of level 0, unless it is blank.
    """
    lines = lines_of(text)
    tokens = _PARSER.parse(text)
    headings = [
        (token.map[0], token.map[1], int(token.tag[1:]), _title(inline.content))
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.map is not None and token.level == 0
    ]
    first = headings[0][0] if headings else len(lines)
    if opening := "".join(lines[:first]).strip():
        yield Section("", 0, (), opening, 1)
    above: list[tuple[int, str]] = []
    ends = [start for start, *_ in headings[1:]] + [len(lines)]
    for (start, body, level, title), end in zip(headings, ends, strict=True):
        while above and above[-1][0] >= level:
            above.pop()
        yield Section(title, level, tuple(name for _, name in above), "".join(lines[body:end]).strip(), start + 1)
        above.append((level, title))


def lines_of(text: str) -> list[str]:
    """The lines of a Markdown text with their line ends, by CommonMark's definition of those."""
    return _LINE.findall(text)


def _title(content: str) -> str:
    """A heading's text without its anchor, emphasis and escapes."""
    return " ".join(re.sub(r"[*_`]+|\\(?=[^\w\s])", "", _ANCHOR.sub("", content)).split())
