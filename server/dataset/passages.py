"""The sentences of an entity's text, and the passages they are embedded in.

The builder embeds the passages; the server finds in them the sentence that a query matched. Both must split alike: row
`n` of an entity's passages (label `1`, `2`…) is the n-th group of `passage_groups`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.dataset.schema import STAT_BLOCK_SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PASSAGE_WORDS: Final = 90
"""Words per passage, cut at sentences: about half the capacity of a 256-token encoder."""

TEXT_COLUMNS: Final = ("description", "higher_level", "prerequisite")
NAMED_COLUMNS: Final = (*STAT_BLOCK_SECTIONS, "features", "benefits")
"""Columns of parts, each with `name` and `description`."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")
_MARKUP: Final = re.compile(r"[*_`#|>]+|-{3,}")
_NOT_PROSE: Final = re.compile(r"\s*[#|]")
"""The beginning of a heading or table row."""


class Sentence(NamedTuple):
    """A sentence, heading or table row of an entity's text.

    Attributes:
        markdown: as it is written.
        text: the same without markup, as it is embedded.
        part: name of the trait, action, feature or benefit it belongs to; None in the entity's own text.
        prose: it is neither a heading nor a row of a table.
        columns: the heading row of the table that it is a row of, as it is written; None for anything else.
    """

    markdown: str
    text: str
    part: str | None
    prose: bool
    columns: str | None = None


def sentences_of(record: Mapping[str, Any]) -> Iterator[Sentence]:
    """Every sentence of a record, in order; the first of a part begins with the part's name."""
    for column in TEXT_COLUMNS:
        yield from _split(record.get(column), None)
    for column in NAMED_COLUMNS:
        for item in record.get(column) or []:
            text = ": ".join(part for part in (item.get("name"), item.get("description")) if part)
            yield from _split(text, item.get("name"))


def passage_groups(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Sentences that are embedded together, `PASSAGE_WORDS` or fewer unless one sentence is longer."""
    group: list[Sentence] = []
    words = 0
    for sentence in sentences:
        length = len(sentence.text.split())
        if group and words + length > PASSAGE_WORDS:
            yield group
            group, words = [], 0
        group.append(sentence)
        words += length
    if group:
        yield group


def _split(text: str | None, part: str | None) -> Iterator[Sentence]:
    if not text:
        return
    pieces = [piece for line in text.split("\n") if line.strip() for piece in _pieces(line)]
    # All at once: pieces have no line breaks and markup has no spaces, so no match spans two pieces.
    without_markup = _MARKUP.sub(" ", "\n".join(pieces)).split("\n")
    columns = None
    for piece, plain, below in zip(pieces, without_markup, [*without_markup[1:], "the end"], strict=True):
        prose = not _NOT_PROSE.match(piece)
        heads_table = not prose and not below.strip()  # the line of dashes below it is nothing but markup
        if prose or heads_table:
            columns = None
        if words := plain.split():
            yield Sentence(piece, " ".join(words), part, prose=prose, columns=columns)
        if heads_table:
            columns = piece


def _pieces(line: str) -> list[str]:
    """The sentences of a line; a row of a table is one."""
    return [line] if _NOT_PROSE.match(line) else _SENTENCE_END.split(line)
