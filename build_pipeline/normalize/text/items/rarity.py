"""Rarity of magic items, in one spelling."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.tables import tables_in

RARITIES: Final = ("common", "uncommon", "rare", "very rare", "legendary", "artifact")
VARIES: Final = "varies"
"""An item that exists in several rarities."""

SOLD: Final = "common"
"""Rarity of magic items sold in shops, whose price lists omit it."""

_RARITY: Final = re.compile(r"\b(?:uncommon|common|very[ -]rare|rare|legendary|artifact)\b")
_VARIES: Final = re.compile(r"\bvaries\b|\brarity by\b")
_OF_KIND: Final = re.compile(rf"(?P<rarity>{_RARITY.pattern})\s*\((?P<kinds>[^)]*)\)")


def rarity(printed: str | None) -> str | None:
    """One of `RARITIES`, or "varies" if several are printed; None if none is.

    >>> rarity("Very Rare"), rarity("uncommon (+1), rare (+2), or very rare (+3)"), rarity("rarity by figurine")
    ('very rare', 'varies', 'varies')
    """
    folded = (printed or "").casefold()
    found = {match.replace("-", " ") for match in _RARITY.findall(folded)}
    if len(found) > 1 or _VARIES.search(folded):
        return VARIES
    return found.pop() if found else None


def tabled_rarity(text: str | None) -> str | None:
    r"""The rarity that a table in the text gives for an item's kinds, "varies" if several; None if no table does.

    >>> tabled_rarity("| **Spoon** | **Rarity** |\n|---|---|\n| Tin | Common |\n| Gold | Rare |\n")
    'varies'
    >>> tabled_rarity("| Spoon | +1 | Cost |\n|---|---|---|\n| Tin | Common | 2 |\n| Gold | Very rare | 9 |\n")
    'varies'
    """
    columns = (
        (name.strip("*_ ").casefold(), [cell.strip("*_ ").casefold() for cell in cells])
        for table in tables_in(text or "")
        for name, cells in zip(table.header, zip(*table.rows, strict=False), strict=False)
    )
    told = (cells for name, cells in columns if name == "rarity" or all(cell in RARITIES for cell in cells))
    return rarity(", ".join(next(told, ())))


def own_rarity(name: str, text: str | None) -> str | None:
    """The rarity that a text prints after the item's own name, "varies" if several; None if it prints none.

    >>> own_rarity("Tin Spoon", "**Gold Spoon (Legendary).** It shines. **Tin Spoon (Common).** It bends.")
    'common'
    """
    if f"{name} (".casefold() not in (text or "").casefold():
        return None
    return rarity(" ".join(re.findall(rf"\b{re.escape(name)} \(([A-Za-z ]+)\)", text or "", re.IGNORECASE)))


def rarity_of_kind(printed: str, kind: str) -> str | None:
    """The rarity of one variant where several are printed, or None if that variant is not named.

    >>> rarity_of_kind("Rare (silver or brass), very rare (bronze), or legendary (iron)", "brass")
    'rare'
    >>> rarity_of_kind("uncommon (+1), rare (+2), or very rare (+3)", "+3")
    'very rare'
    """
    for match in _OF_KIND.finditer(printed.casefold()):
        if re.search(rf"(?<![\w+]){re.escape(kind.casefold())}(?!\w)", match["kinds"]):
            return rarity(match["rarity"])
    return None
