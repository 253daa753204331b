"""Sheets in the Homebrewery's Markdown: facts in columns, stat blocks in frames, pages.

The renderer decides the content of a sheet and its order; this module only converts its Markdown to the Homebrewery's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from server.sheets.sheet import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.dataset.record import Record

_FACT: Final = re.compile(r"\*\*(?P<label>[^*]{0,30}[^*.!?])\*\* (?P<value>.+?)(?:  )?")
"""A fact, whose label does not end in a full stop, unlike a name that is run into a text."""
_HEADING: Final = re.compile(r"^(#{1,6})(?= )", re.MULTILINE)
_ENTRY: Final = re.compile(r"\*\*\*[^*]+\*\*\*")
_RULE: Final = "___"
_GAP: Final = ":"
"""A line that makes a vertical gap."""
_LONG: Final = 3_500
"""Characters of text above which a stat block spans both columns of a page."""
_DEEPER: Final = 2
"""Levels by which headings are lowered: spells and items have headings of level 4 there, as in the books."""
_LOWEST: Final = 6


def brew(records: Iterable[Record], credits_text: str) -> str:
    """A brew: one sheet per page, and the credits on the last."""
    pages = [page(record) for record in records]
    return "\n\n\\page\n\n".join([*pages, f"# Credits\n\n{_escaped(credits_text)}"]) + "\n"


def page(record: Record) -> str:
    """A record's sheet as a page of a brew."""
    blocks = _escaped(render(record)).split("\n\n")
    *body, foot = blocks
    if record["entity_type"] == "creature":
        wide = ",wide" if sum(map(len, body)) > _LONG else ""
        framed = "\n".join(_stat_block(body))
        return f"{{{{monster,frame{wide}\n{framed}\n}}}}\n\n{foot}"
    return "\n\n".join([*map(_fact_lines, map(_lowered, body)), foot])


def _stat_block(blocks: list[str]) -> Iterator[str]:
    """The lines inside a frame: rules around facts and tables, gaps before entries, empty lines before other texts."""
    before = "heading"
    for block in blocks:
        kind = _kind(block)
        if "structured" in (before, kind):
            yield _RULE
        elif "heading" not in (before, kind):
            yield _GAP if kind == "entry" else ""
        yield _fact_lines(block)
        before = kind


def _kind(block: str) -> str:
    if _is_facts(block) or block.startswith("|"):
        return "structured"
    return "heading" if block.startswith("#") else "entry" if _ENTRY.match(block) else "text"


def _is_facts(block: str) -> bool:
    return all(_FACT.fullmatch(line) and not line.startswith("***") for line in block.split("\n"))


def _fact_lines(block: str) -> str:
    """`**Speed** 30 ft.` as `**Speed** :: 30 ft.`, which is set in columns."""
    if not _is_facts(block):
        return block
    found = (_FACT.fullmatch(line) for line in block.split("\n"))
    return "\n".join(f"**{fact['label']}** :: {fact['value']}" for fact in found if fact)


def _lowered(block: str) -> str:
    return _HEADING.sub(lambda marks: "#" * min(len(marks[1]) + _DEEPER, _LOWEST), block)


def _escaped(markdown: str) -> str:
    """The text, without anything that opens or closes a block in the Homebrewery's syntax."""
    return markdown.replace("{{", "{ {").replace("}}", "} }").replace("\\page", "page")
