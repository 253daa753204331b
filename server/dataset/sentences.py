"""The first sentence of a Markdown text: what a summary shows."""

from __future__ import annotations

import re
from typing import Final

MAX_CHARS: Final = 300

_SKIPPED_LINE: Final = re.compile(r"^\s*(?:#|\||[-=*_]{3,}\s*$)")
_MARKUP: Final = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|^\s*(?:[-*+•]|\d+\.)\s+", re.MULTILINE)
_END: Final = re.compile(r"(?<!\bft)(?<!\blb)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)[.!?](?=[\"”’')\]]*(?:\s|$))[\"”’')\]]*")


def first_sentence(text: str | None) -> str | None:
    r"""The first sentence of the prose, without markup, headings and tables; cut at a word after `MAX_CHARS`.

    >>> first_sentence("## Rage\n**In battle** you fight with fury. You gain more.")
    'In battle you fight with fury.'
    """
    if text is None:
        return None
    lines = [line for line in text.splitlines() if not _SKIPPED_LINE.match(line)]
    paragraph = next((p for p in "\n".join(lines).split("\n\n") if p.strip()), "")
    prose = " ".join(_MARKUP.sub("", paragraph).split())
    end = _END.search(prose)
    sentence = prose[: end.end()] if end else prose
    if len(sentence) > MAX_CHARS:
        sentence = sentence[:MAX_CHARS].rsplit(" ", 1)[0].rstrip(",;:") + "…"
    return sentence or None
