"""Rules for readable text: no glued words, corrupted characters, markup of other tools or truncation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.check.rule import EVERY_TABLE, Rule, Verdict, World, texts
from build_pipeline.tables import Record

_MOJIBAKE: Final = re.compile(r"â€|Ã[\x80-\xbf©¨¢]|Â[\xa0-\xbf]|\ufffd|æ00[0-9a-f]{2}")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_MARKUP: Final = re.compile(r"\{@\w+|\|XPHB\||\[em/\]|</?(?:p|br|div|span|table|tr|td|i|b|em|strong)\b[^>]*>|\[\[|\]\]")
_GLUED: Final = re.compile(
    r"\b(?!Mc|Mac|De|Le|La|Di|Du|Van|Von)[a-z]{3,}[A-Z][a-z]{2,}\b"  # "itsConstitution"
    r"|[a-z]\.[A-Z][a-z]{2,} [a-z]+ "  # "hit it.Can have more"
    r"|,[A-Za-z]{4,}"  # "position,though"
)
_BETWEEN_WORDS: Final = re.compile(r"(?<=[a-z,;])  +(?=[a-z])")
_END: Final = 60
"""Number of characters at the end of a text that contain its last words."""
_MID_SENTENCE: Final = re.compile(
    r"(?:\b(?:the|a|an|and|or|of|to|in|with|for|that|from|by|on|is|are|its|their)|,"
    r"|\bmust (?:make|succeed on) (?:an? )?(?:DC \d+ )?\w+ sav(?:e|ing throw)\.?)\s*$"
)
"""The last words of an unfinished sentence, or of a demand for a save that does not say what a failure does."""


def _found(pattern: re.Pattern[str], what: str, record: Record) -> Iterator[Verdict]:
    for where, text in texts(record):
        match = pattern.search(text)
        yield f"{where}: {what} {text[max(0, match.start() - 20) : match.end() + 20]!r}" if match else None


def _mojibake(record: Record, _world: World) -> Iterator[Verdict]:
    yield from _found(_MOJIBAKE, "broken characters", record)


def _control(record: Record, _world: World) -> Iterator[Verdict]:
    yield from _found(_CONTROL, "a control character", record)


def _markup(record: Record, _world: World) -> Iterator[Verdict]:
    yield from _found(_MARKUP, "markup", record)


def _glued(record: Record, _world: World) -> Iterator[Verdict]:
    yield from _found(_GLUED, "glued words", record)


def _spaces(record: Record, _world: World) -> Iterator[Verdict]:
    yield from _found(_BETWEEN_WORDS, "two spaces between words", record)


def _emphasis(record: Record, _world: World) -> Iterator[Verdict]:
    for where, text in texts(record):
        paragraphs = (p for p in re.split(r"\n\s*\n", text) if not p.lstrip().startswith(("|", "- ", "* ")))
        broken = next((p for p in paragraphs if p.count("**") % 2), None)
        yield f"{where}: unbalanced ** in {broken[:60]!r}" if broken else None


def _cut_off(record: Record, _world: World) -> Iterator[Verdict]:
    for where, text in texts(record):
        yield (
            f"{where}: ends in the middle of a sentence: {text[-40:]!r}"
            if _MID_SENTENCE.search(text, len(text) - _END)
            else None
        )


def _tables(record: Record, _world: World) -> Iterator[Verdict]:
    for where, text in texts(record):
        for block in re.findall(r"(?:^\|.*\|[ \t]*$\n?)+", text, re.MULTILINE):
            rows = [line.strip().strip("|").replace("\\|", "").count("|") for line in block.strip().splitlines()]
            yield None if len(set(rows)) == 1 else f"{where}: a table whose rows differ in length: {block[:60]!r}"


RULES: Final = (
    Rule("mojibake", "No characters broken by a wrong encoding.", EVERY_TABLE, _mojibake),
    Rule("control-characters", "No control, bidirectional or zero-width characters.", EVERY_TABLE, _control),
    Rule("markup", "No HTML and no markup of other tools.", EVERY_TABLE, _markup),
    Rule("glued-words", "No words that lost the space between them.", EVERY_TABLE, _glued),
    Rule("spaces", "One space between words.", EVERY_TABLE, _spaces),
    Rule("emphasis", "Bold text ends in the paragraph in which it begins.", EVERY_TABLE, _emphasis),
    Rule("sentences-end", "No text ends in the middle of a sentence.", EVERY_TABLE, _cut_off),
    Rule("markdown-tables", "The rows of a table have as many cells as its header.", EVERY_TABLE, _tables),
)
