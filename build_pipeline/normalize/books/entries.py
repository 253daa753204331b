"""Shared by the readers of the books' entries (spells, items): selecting sections and reporting failures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from build_pipeline.normalize.books.drafts import where
from build_pipeline.normalize.books.tree import Section, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.text.tables import EMPHASIS
from build_pipeline.snapshot.raw import RawLayer

_PAGE_END: Final = re.compile(r"(?<=[a-z])\n\n(?=[a-z]+(?:n['’]t)? [a-z])")
"""Where a page ended within a sentence."""


class BookProblemError(ValueError):
    """A section does not have the form of an entry; the message says what is missing or wrong."""


def read_sections(
    raw: RawLayer,
    book: str,
    wanted: Callable[[Section], bool],
    read: Callable[[Section], Iterable[Draft]],
    problems: Problems,
) -> Iterator[Draft]:
    """The drafts of the book's sections that are `wanted`.

    A section that cannot be read becomes a problem with its file and line; the others are still read.
    """
    for root in read_book(raw, book):
        for section in root.walk():
            if not wanted(section):
                continue
            try:
                found = list(read(section))
            except ValueError as error:
                problems.add(section.raw.id, f"{where(section)}: {section.title}: {error}")
                continue
            yield from found


def stands_under(section: Section, heading: re.Pattern[str]) -> bool:
    """Whether a section is directly under a heading that begins with the pattern."""
    return section.parent is not None and heading.match(section.parent.title) is not None


def body(section: Section, text: str | None = None) -> str:
    """A section's text (or `text`) with everything below it, as `Section.whole`, with `rejoined` sentences."""
    parts = [rejoined(section.text if text is None else text)]
    for child in section.children:
        for below in child.walk():
            depth = min(6, below.level - section.level + 2)
            parts += [f"{'#' * depth} {below.title}", rejoined(below.text)]
    return "\n\n".join(part for part in parts if part)


def rejoined(text: str) -> str:
    """A text with the sentences that the end of a page had split."""
    return _PAGE_END.sub(" ", text.strip())


def plain(text: str) -> str:
    """A short text without emphasis: "*Magic Missile*" → "Magic Missile"."""
    return EMPHASIS.sub("", text)
