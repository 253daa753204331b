"""The text of a trait or action as clean Markdown; the source's line breaks become paragraphs or list items."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from build_pipeline.kept import kept
from build_pipeline.normalize.text.clean import clean_text

USES: Final = (
    r"(?:at will|constant|cantrips? ?\(at will\)|\d+/(?:day|week|(?:short |long )?rest)(?: each)?"
    r"|\d(?:st|nd|rd|th)(?:\s?[–-]\s?\d(?:st|nd|rd|th))?(?:[\s-]level\s*\([^()\n]*\)|\s\(\d+\sslots?\)))"
)
"""Usage label of a line of spells: "At will", "Constant", "1/Day Each", "3rd level (2 slots)"."""

_SPELL_LINE: Final = re.compile(
    rf"^(?:[-*]\s+)?(?:\*\*)?(?P<uses>{USES})(?::\*\*|\*\*:?|:)[ \t]*", re.MULTILINE | re.IGNORECASE
)
_SENTENCE_START: Final = re.compile(r"(?:\A|(?<=[.!?:]\n\n))[a-z](?=[a-z]*['’ ])")
"""A sentence in lower case: "the dragon's innate…", but not "d6 fire damage". A paragraph may continue a sentence."""
_OTHER_MARK: Final = re.compile(r"^- (?=[*_]*(?:at will|cantrips?|\d))", re.MULTILINE | re.IGNORECASE)
_COMMA_AFTER_LIST: Final = re.compile(r"(?m)^(\* \*\*.*),$(?=\n\* )")
"""The last comma of a list that ran on into the next: "* **3/day:** fear," before "* **1/day:** fly"."""
_GLUED_BONUS: Final = re.compile(r"(?<=Attack:)(?=\+\d)")
_LIST_LINE: Final = re.compile(r"[*-] |\d+\. |\||#|>")


@kept
def stat_block_text(description: str | None) -> str | None:
    """Clean Markdown of a trait's or action's text, or None if empty. Idempotent."""
    text = clean_text(description)
    # A break may separate what cleaning joins ("|", "1", "|"), so repeat until nothing changes.
    while text is not None and (parted := clean_text(_parted(text))) != text:
        text = parted
    return text


def _parted(cleaned: str) -> str:
    """Clean text with its lists of spells marked and its lines separated."""
    lines = spell_lines(cleaned).split("\n")
    text = lines[0]
    for before, line in pairwise(lines):
        text += _break(before, line) + line
    text = _GLUED_BONUS.sub(" ", re.sub(r"(?<=\n) (?=\S)", "", re.sub(r"\n{3,}", "\n\n", text)))
    return _SENTENCE_START.sub(lambda match: match[0].upper(), text)


def spell_lines(text: str) -> str:
    """The text with every line of spells as a list item: "at will: *fear*" → "* **At will:** *fear*".

    All items of a list with such lines get the same marker: Markdown ends a list where the marker changes.
    """
    listed, lines = _SPELL_LINE.subn(lambda match: f"* **{match['uses'][0].upper()}{match['uses'][1:]}:** ", text)
    return _COMMA_AFTER_LIST.sub(r"\1", _OTHER_MARK.sub("* ", listed)) if lines else listed


def _break(before: str, line: str) -> str:
    """The separator between two lines: one break inside lists and tables, a blank line elsewhere."""
    if not before or not line:
        return "\n"
    inside = bool(_LIST_LINE.match(line)) and bool(_LIST_LINE.match(before))
    return "\n" if inside or line.startswith(("  ", "|")) else "\n\n"
