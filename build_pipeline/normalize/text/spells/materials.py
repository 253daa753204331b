"""The cost of a spell's material components, and whether casting consumes them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from build_pipeline.normalize.text.money import GOLD_PER_COIN
from build_pipeline.normalize.text.numerals import NUMBER, number

_COST: Final = re.compile(
    r"""
    (?<!\d)(?P<amount>\d[\d,]{0,12}(?:\.\d+)?)\+?\s*-?(?:
      (?P<coin>[pgesc]p)\b
      | (?P<metal>platinum|gold|electrum|silver|copper)(?:\s+(?:pieces?|coins?)\b|\b(?=\s*[,;)]|\s*$))
    )(?!\s+(?:value\s+)?or\s+less)(?P<each>\s+(?:of\s+\w+\s+)?each\b)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PART: Final = re.compile(r"\band\b|[,;]")
"""Where one of several materials ends and the next one begins."""
_ALTERNATIVE: Final = re.compile(r"\bor\s+[^,;]*$", re.IGNORECASE)
_EACH_ITEM: Final = re.compile(r"\s*each\s+item\s+worth\b", re.IGNORECASE)
_SEVERAL: Final = re.compile(rf"^\s*(?:an?\s+)?(?P<count>{NUMBER}|pair)\b", re.IGNORECASE)
_CONSUMED: Final = re.compile(r"(?<!not )(?<!not be )\bconsum(?:e|es|ed|ing)\b", re.IGNORECASE)
_CASTING_CONSUMES: Final = re.compile(
    r"(?<!final casting to make the spell permanent )\bconsum(?:es|ing)\s+(?:the|its|all)\s+(?:spell['’]s\s+)?"
    r"material\s+components?\b",
    re.IGNORECASE,
)


def cost_gp(material: str) -> float | None:
    """The total cost of a text's materials, in gold pieces: "worth at least 1,000 gp" → 1000.0.

    "incense worth 250 gp and four strips worth 50 gp each" → 450.0. Upper limits ("10,000 gp value or less") do not
    count, nor do alternatives to another material.
    """
    costs, end = list[Fraction](), 0
    for match in _COST.finditer(material):
        if not costs or not _ALTERNATIVE.search(material, end, match.start()):
            coin = (match["coin"] or f"{match['metal'][0]}p").lower()
            parts = [part for part in _PART.split(material[end : match.start()]) if part.strip()]
            costs.append(Fraction(match["amount"].replace(",", "")) * GOLD_PER_COIN[coin] * _quantity(match, parts))
        end = match.end()
    return float(sum(costs)) if costs else None


def _quantity(cost: re.Match[str], parts: list[str]) -> int:
    """How many things have this price: those counted before "each", or those listed before "each item worth"."""
    if parts and _EACH_ITEM.match(parts[-1]):
        return len(parts) - 1
    counted = next(filter(None, map(_SEVERAL.match, reversed(parts))), None) if cost["each"] else None
    if counted is None:
        return 1
    return 2 if counted["count"].lower() == "pair" else number(counted["count"])


def is_consumed(material: str, description: str = "") -> bool:
    """Whether casting consumes the material, according to its own text or the spell's description.

    Conditional consumption ("the components are consumed on the last casting") does not count.
    """
    return bool(_CONSUMED.search(material) or _CASTING_CONSUMES.search(description))
