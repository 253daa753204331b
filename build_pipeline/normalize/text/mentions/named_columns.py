"""Find what table cells name, according to the heading of their column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.mentions.mention import Mention, each_of
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
"""Pattern of a column's heading ("Paladin Spells", "Mastery"), and the types of the things named in its cells."""
_OF_ITS_KIND: Final = re.compile(r"^(?P<name>[^,]+), (?P<kind>[^,]+)$")
"""A cell with one name that begins with its noun: "Halfling, lightfoot"."""
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")


def in_columns(plain: str) -> Iterator[Mention]:
    """The things in columns headed by their kind, such as a domain's: "| 1st | charm person, disguise self |"."""
    for table in tables_in(plain):
        kinds = [next((kinds for heads, kinds in _COLUMNS if heads.fullmatch(head)), None) for head in table.header]
        for row in table.rows if any(kinds) else ():
            for entity_types, cell in zip(kinds, row, strict=False):
                if entity_types:
                    listed = _IN_BRACKETS.sub("", cell)
                    turned = _OF_ITS_KIND.sub(r"\g<kind> \g<name>", listed)
                    yield Mention((turned, listed), entity_types, each_of(listed))
