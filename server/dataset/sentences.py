"""The first sentence of a Markdown text: what a summary shows."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHARS: Final = 300
KEPT: Final = 300
"""Texts whose first sentence is cached, half a megabyte: the same summaries are requested again."""

_NOT_PROSE: Final = re.compile(r"^\s*(?:#|\||[-=*_]{3,}\s*$)")
"""Headings, table rows and rules."""
_QUOTE: Final = re.compile(r"^\s*(?:>\s?)+")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d+\.)\s+")
_EMPHASIS: Final = re.compile(r"\\?[*_`]{1,3}(?=\S)|(?<=\S)\\?[*_`]{1,3}")
_ABILITIES: Final = ("Str", "Dex", "Con", "Int", "Wis", "Cha")
_ABBREVIATIONS: Final = "".join(
    rf"(?<!\b{word})" for word in ("ft", "lb", "sq", "yd", "vs", r"e\.g", r"i\.e", *_ABILITIES)
)
_END: Final = re.compile(_ABBREVIATIONS + r"[.!?](?=[\"”’')\]]*(?:\s|$))[\"”’')\]]*")
_LABELS: Final = re.compile(
    r"(?:(?:[A-Z][\w’'-]*(?: [\w’'()-]+){0,2}: [^:.]{1,30}(?:(?: lb| ft)\.)?(?: — |\.?$))+"
    r"|(?:[A-Z][\w’'-]*(?: (?=[A-Z])| (?:of|the|and|with) (?=[A-Z])|\.$)){2,4})$"
)
"""Labelled values ("Deep Magic: clockwork.", "Cost: 1 Sorcery Point") or the label of a paragraph ("Keen Senses.")."""
_ONLY_ITS_KIND: Final = re.compile(r"^(?:This|The) [\w-]+ is a (?:magic|magical) (?:item|weapon|armor)\.$")
_ONLY_AN_INCREASE: Final = re.compile(r"^Increase [^.]{3,60} scores?(?: of your choice)? by 1, to a maximum of \d+\.$")
_LOOKED_AT: Final = 3
"""Blocks in which the first sentence is searched, so that a long text is not read whole."""


@lru_cache(KEPT)
def first_sentence(text: str | None) -> str | None:
    r"""The first sentence of the prose, without markup, headings and tables; cut at a word after `MAX_CHARS`.

    A label, or a sentence that only says what kind of thing it is or which ability score a feat increases, counts only
    if no other sentence follows.

    >>> first_sentence("## Rage\n**In battle** you fight with fury. You gain more.")
    'In battle you fight with fury.'
    >>> first_sentence("This wand is a magic item. It sings.")
    'It sings.'
    """
    sentences = _sentences(text or "")
    first = next(sentences, "")
    return shortened(next((each for each in chain([first], sentences) if not _says_nothing(each)), first)) or None


def _says_nothing(sentence: str) -> bool:
    return any(pattern.match(sentence) for pattern in (_LABELS, _ONLY_ITS_KIND, _ONLY_AN_INCREASE))


def _sentences(text: str) -> Iterator[str]:
    """The sentences of the first paragraphs and list items, without markup."""
    for block in islice(_blocks(text), _LOOKED_AT):
        start = 0
        for end in _END.finditer(block):
            yield block[start : end.end()].lstrip()
            start = end.end()
        if rest := block[start:].strip():
            yield rest


def shortened(sentence: str) -> str:
    """A sentence, cut at a word after `MAX_CHARS`."""
    if len(sentence) <= MAX_CHARS:
        return sentence
    return sentence[:MAX_CHARS].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def first_block(text: str) -> str:
    """The first paragraph or list item on one line, without markup; empty if there are only headings and tables."""
    return next(_blocks(text), "")


def _blocks(text: str) -> Iterator[str]:
    """The paragraphs and list items, each on one line, without markup."""
    unquoted = (_QUOTE.sub("", line) for line in text.splitlines())
    lines: list[str] = []
    for line in chain((line for line in unquoted if not _NOT_PROSE.match(line)), [""]):
        if lines and (not line.strip() or _ITEM.match(line)):
            yield _EMPHASIS.sub("", " ".join(" ".join(lines).split()))
            lines = []
        if line.strip():
            lines.append(_ITEM.sub("", line) if not lines else line)
