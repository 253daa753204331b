"""The first sentence of a Markdown text: what a summary shows."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import Final

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


@lru_cache(KEPT)
def first_sentence(text: str | None) -> str | None:
    r"""The first sentence of the prose, without markup, headings and tables; cut at a word after `MAX_CHARS`.

    >>> first_sentence("## Rage\n**In battle** you fight with fury. You gain more.")
    'In battle you fight with fury.'
    """
    prose = first_block(text or "")
    end = _END.search(prose)
    return shortened(prose[: end.end()] if end else prose) or None


def shortened(sentence: str) -> str:
    """A sentence, cut at a word after `MAX_CHARS`."""
    if len(sentence) <= MAX_CHARS:
        return sentence
    return sentence[:MAX_CHARS].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def first_block(text: str) -> str:
    """The first paragraph or list item on one line, without markup; empty if there are only headings and tables."""
    return _EMPHASIS.sub("", " ".join(" ".join(_first_lines(text)).split()))


def _first_lines(text: str) -> list[str]:
    """The lines of the first paragraph or list item, without their markers."""
    unquoted = (_QUOTE.sub("", line) for line in text.splitlines())
    prose = (line for line in unquoted if not _NOT_PROSE.match(line))
    first = next((line for line in prose if line.strip()), "")
    return [_ITEM.sub("", first), *takewhile(lambda line: line.strip() and not _ITEM.match(line), prose)]
