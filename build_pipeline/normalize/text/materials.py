"""The cost of a spell's material components, and whether casting consumes them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from build_pipeline.normalize.text.money import GOLD_PER_COIN

_COST: Final = re.compile(
    r"(?P<amount>\d[\d,]*(?:\.\d+)?)\+?\s*-?(?:(?P<coin>[pgesc]p)\b|(?P<metal>platinum|gold|electrum|silver|copper)"
    r"(?:\s+(?:pieces?|coins?)\b|\b(?=\s*[,;)]|\s*$)))(?!\s+(?:value\s+)?or\s+less)",
    re.IGNORECASE,
)
_CONSUMED: Final = re.compile(r"(?<!not )(?<!not be )\bconsum(?:e|es|ed|ing)\b", re.IGNORECASE)
_CASTING_CONSUMES: Final = re.compile(
    r"(?<!final casting to make the spell permanent )\bconsum(?:es|ing)\s+(?:the|its|all)\s+(?:spell['’]s\s+)?"
    r"material\s+components?\b",
    re.IGNORECASE,
)


def cost_gp(material: str) -> float | None:
    """The first price in a text, in gold pieces: "worth at least 1,000 gp" and "worth 1,000+ GP" → 1000.0.

    Upper limits ("10,000 gp value or less") do not count.
    """
    match = _COST.search(material)
    if not match:
        return None
    coin = (match["coin"] or f"{match['metal'][0]}p").lower()
    return float(Fraction(match["amount"].replace(",", "")) * GOLD_PER_COIN[coin])


def is_consumed(material: str, description: str = "") -> bool:
    """Whether casting consumes the material, according to its own text or the spell's description.

    Conditional consumption ("the components are consumed on the last casting") does not count.
    """
    return bool(_CONSUMED.search(material) or _CASTING_CONSUMES.search(description))
