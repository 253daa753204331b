"""Anchors of a sheet's parts: what a hit links to and what a page sets must be the same."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.names import slugify

_ADDED: Final = re.compile(r"^(?:level \d+|feature):\s+|(?:\s*\([^()]*\))+$", re.IGNORECASE)
"""What sheets print before and after a name, and records may have in it: `Level 3: `, ` (Recharge 5–6)`."""


def anchor_of(name: str) -> str:
    """The anchor of a part, by its name as a record has it or as its sheet prints it.

    >>> anchor_of("Enslave"), anchor_of("Enslave (3/Day)"), anchor_of("Level 5: Extra Attack")
    ('enslave', 'enslave', 'extra-attack')
    """
    return slugify(_ADDED.sub("", name)) or slugify(name)
