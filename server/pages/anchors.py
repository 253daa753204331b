"""Anchors of a sheet's parts: the links in hits and the ids on pages must be the same."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.names import slugify
from server.dataset.schema import ENTITY_TABLES

_ADDED: Final = re.compile(r"^(?:level \d+|feature):\s+|(?:\s*\([^()]*\))+$", re.IGNORECASE)
"""Text before or after a name on sheets, and perhaps in the names of records: `Level 3: `, ` (Recharge 5–6)`."""

_FIELDS: Final = frozenset(column.name for table in ENTITY_TABLES for column in table.columns)
_SECTIONS: Final = frozenset(c.name for table in ENTITY_TABLES for c in table.columns if c.holds_named_texts)
_OF_TABLES: Final = re.compile(r"Level \d+|Progression")


def is_field(part: str) -> bool:
    """Whether the part that a hit names is one of the record's fields: `armor_class`, `hit_dice, hit_points`."""
    return part.partition(", ")[0].partition(".")[0] in _FIELDS


def anchor_of_hit(part: str) -> str:
    """The anchor of the part that a hit names; empty if the sheet does not print it as one text of that name."""
    several = _OF_TABLES.fullmatch(part) or part.lower().replace(" ", "_") in _SECTIONS
    return "" if several or is_field(part) else anchor_of(part)


def anchor_of(name: str) -> str:
    """The anchor of a part, given its name as in the record or as printed on the sheet.

    >>> anchor_of("Enslave"), anchor_of("Enslave (3/Day)"), anchor_of("Level 5: Extra Attack")
    ('enslave', 'enslave', 'extra-attack')
    """
    return slugify(_ADDED.sub("", name)) or slugify(name)
