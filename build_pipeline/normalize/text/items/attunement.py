"""Who may attune to a magic item, in one format: "by a wizard"."""

from __future__ import annotations

import re
from typing import Final

_REQUIRES: Final = re.compile(r"^requires attunement\s*", re.IGNORECASE)


def attunement_detail(printed: str | None) -> str | None:
    """Restriction on attunement: "requires attunement by a Wizard" → "by a wizard"; None if unrestricted."""
    return _REQUIRES.sub("", (printed or "").strip()).strip().lower() or None


def limited_to(who: str | None) -> str | None:
    """The same from the D&D 5e API's `limited-to`: "Sorcerer, Warlock, or Wizard" → "by a sorcerer, …"."""
    if not who:
        return None
    article = "an" if who[0].casefold() in "aeiou" else "a"
    return f"by {article} {who.strip().lower()}"
