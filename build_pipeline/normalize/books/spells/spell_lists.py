"""The spell lists of classes in the books, by spell level."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.text.tables import plain, tables_in

SpellList = list[dict[str, Any]]
"""[{level, spells}] from cantrips (level 0) up; a spell is a `Reference`."""

_LIST: Final = re.compile(r"(?P<class>\w+) (?:Spell List|Spells)")
_LEVEL: Final = re.compile(r"(?P<cantrips>Cantrips\b.*)|(?:Level )?(?P<level>\d)(?:st|nd|rd|th)?(?: Level| \w+ Spells)")
_ITEM: Final = re.compile(r"^[-*]\s+(.+)$", re.MULTILINE)


def spell_lists(roots: Iterable[Section], document: str) -> dict[str, SpellList]:
    """Class → its spells by level, as references to a document's spells."""
    found: dict[str, SpellList] = {}
    for root in roots:
        for section in root.walk():
            heading = _LIST.fullmatch(section.title)
            levels = [
                {"level": int(match["level"] or 0), "spells": [_spell(name, document) for name in names]}
                for child in (section.children if heading else ())
                if (match := _LEVEL.fullmatch(child.title)) and (names := _names(child))
            ]
            if heading and levels:
                found[heading["class"]] = sorted(levels, key=lambda row: row["level"])
    return found


def _names(section: Section) -> list[str]:
    listed = [name for table in tables_in(section.text) for name in table.column("Spell") or ()]
    return listed or [plain(item) for item in _ITEM.findall(section.text)]


def _spell(name: str, document: str) -> Reference:
    return Reference(("spell",), name, document_key=document)
