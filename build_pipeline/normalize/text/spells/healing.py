"""Hit points that a spell restores."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.dice import DICE, TYPES, canonical_dice

_VERB: Final = (
    r"(?P<verb>regains?|restores?|restoring|regaining|heals?|healing|healed|recovers?|gains(?=\s+\d+\s+hit\b))"
)
_AMOUNT: Final = re.compile(
    rf"""
    \b{_VERB}\s+(?:up\s+to\s+|an?\s+additional\s+|for\s+)?(?P<amount>{DICE}|\d[\d,]{{0,12}})
    (?:\s*(?:plus|\+)\s+(?:your|its|the\s+caster['’]s)\s+(?P<modifier>[\w\s]*?modifier))?\s+(?:\w+\s+)?hit\s+points?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EQUAL: Final = re.compile(
    rf"""
    \b{_VERB}\s+(?:an?\s+(?:number|amount)\s+of\s+)?(?:lost\s+)?hit\s+points\s+equal\s+to\s+(?!that\b)
    (?P<what>[^.;,(\n]{{3,90}})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ALL: Final = re.compile(
    rf"\b{_VERB}\s+all\s+(?:of\s+)?(?:(?:its|their|your|his|her)\s+)?(?:lost\s+)?hit\s+points", re.IGNORECASE
)
_MENDED: Final = re.compile(rf"\brepairs?\s+(?P<amount>{DICE}|\d+)\s+damage\b", re.IGNORECASE)
_ROLLED: Final = re.compile(
    rf"\broll\s+(?P<amount>{DICE})\.\s+The\s+number\s+rolled\s+is\s+the\s+amount\s+of\s+damage\s+healed\b",
    re.IGNORECASE,
)
_THE_SAME: Final = re.compile(
    r"\b(?:(?P<dealt>deals?|takes?)|(?P<lost>loses?))\b[^.;]{0,300}\b(?:regains?|heals?)\s+"
    r"(?:the\s+same|an\s+(?:equivalent|equal))\s+(?:number|amount)\s+of\s+hit\s+points\b",
    re.IGNORECASE,
)
"""Hit points that one creature loses and another, or the caster, regains."""
_REVIVED: Final = re.compile(
    r"""
    \b(?:to\s+life|reviv(?:es?|ed))\s+with\s+(?:(?P<amount>\d+)|all(?:\s+of)?\s+(?:its|their|his|her)|full)\s+hit\s+
    points?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Hit points with which the dead return: "returns to life with 1 hit point". A "can't" nearby says who cannot."""
_PREVENTED: Final = re.compile(
    r"\b(?:can['’]?t|cannot|unable\s+to|not|never|would|temporary|each\s+time|only)\b[^.;]{0,40}$"
    r"|\b(?:whenever|when|if)\b[^.;,]{0,40}$",
    re.IGNORECASE,
)
_MODIFIER: Final = re.compile(
    r"\s*(?:\+|plus)\s*(?:your|its|the\s+caster['’]s)\s+(?P<modifier>[\w\s]*?modifier)\b.*", re.IGNORECASE
)
_PLAIN: Final = re.compile(
    rf"\b(?:amount\s+of|(?:{TYPES})(?=\s+damage)|you(?=\s+dealt)|your(?=\s+spellcasting))\s+|\s+by\s+the\s+target$",
    re.IGNORECASE,
)
"""Words that an amount can do without: "half the amount of necrotic damage dealt"."""
_FIRST_DICE: Final = re.compile(DICE, re.IGNORECASE)


def healing(text: str) -> str | None:
    """The first healing in a text: "2d8 + spellcasting ability modifier", "70", "half the damage", "all".

    Hit points with which the dead return to life count; temporary ones and effects that prevent healing do not.
    """
    found = sorted(
        (
            m
            for pattern in (_AMOUNT, _EQUAL, _ALL, _MENDED, _ROLLED, _THE_SAME, _REVIVED)
            for m in pattern.finditer(text)
        ),
        key=lambda match: match.start(),
    )
    for match in found:
        if match.re is _REVIVED or not _PREVENTED.search(text[max(0, match.start() - 60) : match.start()]):
            return _amount(match)
    return None


def _amount(match: re.Match[str]) -> str:
    parts = match.groupdict()
    if amount := parts.get("amount"):
        modifier = f" + {parts['modifier']}" if parts.get("modifier") else ""
        return f"{canonical_dice(amount) or amount.replace(',', '')}{modifier}"
    if "dealt" in parts:
        return "the damage dealt" if parts["dealt"] else "the hit points lost"
    if "what" not in parts:
        return "all"
    what = " ".join(parts["what"].split())
    dice = _FIRST_DICE.match(what)
    if dice is None:
        return _PLAIN.sub("", what)
    if what[dice.end() :].startswith(" × "):
        return f"{canonical_dice(dice[0])}{what[dice.end() :]}"
    modifier_match = _MODIFIER.fullmatch(what[dice.end() :])
    bonus = f" + {modifier_match['modifier']}" if modifier_match else ""
    return f"{canonical_dice(dice[0])}{bonus}"
