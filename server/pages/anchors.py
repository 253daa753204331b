"""Anchors of a sheet's parts: the links in hits and the ids on pages must be the same."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.names import slugify

_ADDED: Final = re.compile(r"^(?:level \d+|feature):\s+|(?:\s*\([^()]*\))+$", re.IGNORECASE)
"""Text before or after a name on sheets, and perhaps in the names of records: `Level 3: `, ` (Recharge 5–6)`."""


def anchor_of(name: str) -> str:
    """The anchor of a part, given its name as in the record or as printed on the sheet.

    >>> anchor_of("Enslave"), anchor_of("Enslave (3/Day)"), anchor_of("Level 5: Extra Attack")
    ('enslave', 'enslave', 'extra-attack')
    """
    return slugify(_ADDED.sub("", name)) or slugify(name)
