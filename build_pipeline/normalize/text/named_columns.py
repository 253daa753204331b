"""What the cells of a table name, by the heading of their column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.mention import Mention, each_of
from build_pipeline.normalize.text.tables import tables_in

_COLUMNS: Final = (
    (re.compile(r"(?:[A-Z]\w+ )?Spells"), ("spell",)),
    (re.compile(r"Properties|Mastery"), ("weapon-property",)),
    (re.compile(r"(?:Associated )?Skill(?:s| Proficiencies)?"), ("skill",)),
    (re.compile(r"Class"), ("class",)),
    (re.compile(r"Backgrounds?"), ("background",)),
    (re.compile(r"Race|Species"), ("race", "subrace")),
    (re.compile(r"Language"), ("language",)),
    (re.compile(r"Weapon"), ("weapon",)),
    (re.compile(r"Base Armor"), ("armor",)),
    (re.compile(r"Container|Required Tool|Storage"), ("adventuring-gear",)),
)
"""The headings of a table's columns and what the cells below them name: "Paladin Spells", "Mastery"."""
_OF_ITS_KIND: Final = re.compile(r"^(?P<name>[^,]+), (?P<kind>[^,]+)$")
"""A cell with one name that begins with its noun: "Halfling, lightfoot"."""
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")


def in_columns(plain: str) -> Iterator[Mention]:
    """What a table lists below the name of its kind, as for a domain: "| 1st | charm person, disguise self |"."""
    for table in tables_in(plain):
        kinds = [next((kinds for heads, kinds in _COLUMNS if heads.fullmatch(head)), None) for head in table.header]
        for row in table.rows if any(kinds) else ():
            for entity_types, cell in zip(kinds, row, strict=False):
                if entity_types:
                    listed = _IN_BRACKETS.sub("", cell)
                    turned = _OF_ITS_KIND.sub(r"\g<kind> \g<name>", listed)
                    yield Mention((turned, listed), entity_types, each_of(listed))
