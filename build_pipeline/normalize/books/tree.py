"""The sections of a book as a tree, in reading order, with their text as plain Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from build_pipeline.kept import kept
from build_pipeline.normalize.books.html_tables import markdown_table, unboxed
from build_pipeline.normalize.merging.draft import printed_at
from build_pipeline.snapshot.raw import RawLayer, RawObject

SOURCE: Final = "srd"

BARE_HEADING: Final = "a heading without text"
"""The reason why a section that is only a heading above others has no entity."""

_TABLE: Final = re.compile(r"<table\b.*?</table>", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*\)")
_RULE: Final = re.compile(r"^-{3,}[ \t]*$", re.MULTILINE)
_DIVIDERS: Final = re.compile(r"^(?:-{3,}|[*_>\s]*Source:.*|>.*)$", re.MULTILINE)
"""Horizontal rules and remarks with which a book's transcribers divide it."""
_UNOPENED_DICE: Final = re.compile(r"(?<![(\w/.-])(?P<average>\d+) (?=\d+d\d+(?:\s*[+−–-]\s*\d+)?\))")
"""An average whose opening bracket was lost in the first book's transcription: "plus 9 2d8) fire damage"."""
_JOINED_BY_DASHES: Final = re.compile(
    r"\b(?:crystal—clear|fast—talk|half—orc|hand—to—hand|storm—tossed|wand—like)\b", re.IGNORECASE
)
"""Compounds whose hyphens are dashes in the first book's transcription; its second conversion has the hyphens."""
_ANCHOR: Final = re.compile(r"\s*\{#[\w-]+\}")


@dataclass(slots=True)
class Section:
    """A heading of a book with the text under it.

    Attributes:
        raw: its raw object.
        title: the heading.
        level: the heading's level, 1 to 6.
        text: the Markdown between this heading and the next, HTML tables as Markdown tables, links as their text.
        parent: the section directly above it, None for a part of the book.
        children: the sections directly below it, in reading order.
    """

    raw: RawObject
    title: str
    level: int
    text: str
    parent: Section | None = None
    children: list[Section] = field(default_factory=list)

    def walk(self) -> Iterator[Section]:
        """This section, then all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def above(self) -> list[str]:
        """The headings above it, the book's part first."""
        return [] if self.parent is None else [*self.parent.above(), self.parent.title]

    def whole(self) -> str:
        """Its text with everything below it, the headings below as Markdown headings from level 3 on."""
        parts = [self.text]
        for child in self.children:
            for section in child.walk():
                depth = min(6, section.level - self.level + 2)
                parts += [f"{'#' * depth} {section.title}", section.text]
        return "\n\n".join(part for part in parts if part)


def why_unread(obj: RawObject) -> str:
    """Why a section that no reader took has no entity: it may be only a heading."""
    bare = not _DIVIDERS.sub("", obj.data["markdown"]).strip()
    return BARE_HEADING if bare else f"{printed_at(obj)}no normaliser read it"


def read_book(raw: RawLayer, endpoint: str) -> list[Section]:
    """The parts of a book (its level-1 headings), in reading order: files by name, then lines."""
    objects = sorted(raw[SOURCE, endpoint].values(), key=lambda obj: (obj.data["file"], obj.data["line"]))
    roots: list[Section] = []
    open_sections: list[Section] = []
    file = None
    for obj in objects:
        data = obj.data
        if data["file"] != file:
            open_sections, file = [], data["file"]
        section = Section(obj, data["title"], data["level"], plain_markdown(data["markdown"]))
        while open_sections and open_sections[-1].level >= section.level:
            open_sections.pop()
        if open_sections:
            section.parent = open_sections[-1]
            section.parent.children.append(section)
        else:
            roots.append(section)
        open_sections.append(section)
    return roots


@lru_cache(maxsize=2**13)  # a book is read by many readers, from the same few thousand texts
@kept
def plain_markdown(text: str) -> str:
    """A book's Markdown with HTML tables as Markdown tables and links as text, without anchors and horizontal rules.

    Missing brackets before dice are restored, as are hyphens that became dashes.
    """
    text = text.replace("\r\n", "\n")
    text = _TABLE.sub(lambda match: f"\n\n{markdown_table(match[0])}\n\n", text)
    text = unboxed(_RULE.sub("", _ANCHOR.sub("", _LINK.sub(r"\1", text))))
    text = _UNOPENED_DICE.sub(r"\g<average> (", text)
    text = _JOINED_BY_DASHES.sub(lambda compound: compound[0].replace("—", "-"), text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
