"""Books of the game that are not open, by the names that players use: no dataset may contain them."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.names import normalize_name

_TITLES: Final = {
    "Player's Handbook": ("phb",),
    "Dungeon Master's Guide": ("dmg",),
    "Monster Manual": ("mm",),
    "Xanathar's Guide to Everything": ("xge", "xgte", "xanathar", "xanathars"),
    "Tasha's Cauldron of Everything": ("tce", "tcoe", "tasha", "tashas"),
    "Volo's Guide to Monsters": ("vgm", "vgtm", "volo", "volos"),
    "Mordenkainen's Tome of Foes": ("mtf", "mtof"),
    "Mordenkainen Presents: Monsters of the Multiverse": ("mpmm", "motm"),
    "Fizban's Treasury of Dragons": ("ftd", "ftod", "fizban", "fizbans"),
    "Sword Coast Adventurer's Guide": ("scag",),
    "Eberron: Rising from the Last War": ("erlw", "eberron"),
}
"""Title → other names, in the form that `folded` gives."""
_YEAR: Final = re.compile(r"20[12]4$")


def folded(entry: str) -> str:
    """A book's name without punctuation and case: "SRD 5.1" and "srd-5.1" are "srd51"."""
    return "".join(c for c in normalize_name(entry) if c.isalnum())


_NAMES: Final = frozenset(name for title, others in _TITLES.items() for name in (folded(title), *others))


def is_closed(entry: str) -> bool:
    """Whether an entry of `documents` is a book that is not open, whatever its year."""
    return _YEAR.sub("", folded(entry)) in _NAMES
