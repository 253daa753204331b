"""Facts that a spell's text tells: areas, saving throws, attack rolls, targets, what the material costs."""

from __future__ import annotations

import re
from typing import Any, Final

from server.dataset.schema import ABILITIES

_ABILITY: Final = "|".join(ABILITIES)
_SAVE: Final = re.compile(
    r"\b(?:mak(?:e|es|ing)|succeeds?(?:\s+(?:on|at|in))?|fails?|failing|attempts?|roll|rolls|pass(?:es)?|saved?)\s+"
    r"(?:(?:a|an|another|its|their|the|your|new|successful|DC\s+\d+|immediate|with)\s+)*\**"
    rf"(?P<ability>{_ABILITY})\**(?:\s+(?:or|and)\s+\w+)?\s+(?:saving[\s-]throw|save)",
    re.IGNORECASE,
)
_ANY_SAVE: Final = re.compile(
    rf"\b(?P<ability>{_ABILITY})\**(?:\s+(?:or|and)\s+\w+)?\s+(?:saving[\s-]throw|save)s?\b", re.IGNORECASE
)
_UNNAMED_SAVE: Final = re.compile(
    r"\b(?:makes?|attempts?|an?)\s+(?:(?:a|an|its|new)\s+)*saving\s+throw|\b(?:failed|successful)\s+save", re.IGNORECASE
)
_NOT_DEMANDED: Final = re.compile(
    r"\b(?:advantage|disadvantage|bonus|penalty|proficien\w+|subtract\w*|expertise\s+die|modifier)\b"
    r"[^.;]*$",
    re.IGNORECASE,
)
_ATTACK: Final = re.compile(
    r"\bmakes?\s+(?:(?:a|an|one|up\s+to|two|three|your|separate|another)\s+)*(?:melee|ranged)(?:\s+or\s+(?:melee|ranged))?"
    r"\s+spell\s+attacks?\b",
    re.IGNORECASE,
)

_SIZE: Final = r"(?P<size>\d[\d,]*)[\s-]*(?P<unit>foot|feet|ft\.?|mile|miles)"
_DIMENSION: Final = r"\d[\d,]*[\s-]*(?:foot|feet|ft\.?|mile|miles)[\s-]*(?:high|tall|long|wide|thick|deep|radius)"
_AREAS: Final = (
    # "100-foot-long, 5-foot-wide line"
    re.compile(rf"{_SIZE}[\s-]*long,?\s+(?:and\s+)?(?:{_DIMENSION},?\s+)*(?P<shape>line)\b", re.IGNORECASE),
    # "20-foot-radius, 40-foot-high cylinder", "10-foot radius sphere", "30-foot radius"
    re.compile(
        rf"{_SIZE}[\s-]*radius(?:,?\s+(?:and\s+)?{_DIMENSION})*,?"
        r"(?:\s+(?P<shape>cylinder|sphere|emanation|hemisphere|circle|dome)|(?!\w))",
        re.IGNORECASE,
    ),
    # "15-foot cone", "10-foot cube", "60-foot line"
    re.compile(
        rf"{_SIZE}(?:[\s-]*(?:long|wide|square))?[\s-]+(?P<shape>cone|cube|line|emanation|sphere|square|cylinder)s?\b",
        re.IGNORECASE,
    ),
    # "a line 100 feet long", "a cube 10 feet on a side", "a sphere with a 20-foot radius"
    re.compile(
        r"\b(?P<shape>cone|cube|line|cylinder|sphere|square)\s+(?:(?:that\s+is|up\s+to|of|with\s+an?|"
        rf"measuring|no\s+larger\s+than|wider\s+than|extending)\s+)*{_SIZE}",
        re.IGNORECASE,
    ),
    # "spreading to a radius of 360 feet", "a radius of up to 10 feet"
    re.compile(rf"\bradius\s+(?:of\s+)?(?:up\s+to\s+)?{_SIZE}(?P<shape>)", re.IGNORECASE),
    # "each creature within 20 feet of that point"
    re.compile(rf"\bwithin\s+{_SIZE}\s+of\s+(?:the|that|a)\s+(?:\w+\s+)?point\b(?P<shape>)", re.IGNORECASE),
    # "a wall up to 60 feet long"
    re.compile(rf"\b(?P<shape>wall)\b[^.]{{0,80}}?\b{_SIZE}[\s-]*long\b", re.IGNORECASE),
)
_LIGHT: Final = re.compile(r"\blight\s+(?:in|out\s+to|within|for|to|shines)\s+(?:an?\s+|up\s+to\s+)*$", re.IGNORECASE)
_SHAPES: Final = {"circle": "sphere", "dome": "hemisphere", "wall": "line"}
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
}
_OPENING: Final = 300
"""Characters of a text within which it says whom the spell targets; later counts belong to its options."""
_TARGETS: Final = re.compile(
    rf"\b(?:up\s+to|choose|touch|targets?)\s+(?P<count>{'|'.join(_NUMBERS)}|\d{{1,2}})\s+"
    r"(?:\w+[\s,-]+){0,3}?(?:creatures|targets|objects|allies|beasts|humanoids|corpses|weapons|plants|points)\b",
    re.IGNORECASE,
)
_MANY: Final = re.compile(
    r"\b(?:each|every|all|any)\s+(?:\w+\s+)?(?:creatures?|targets?|allies|ally|enemies)\b", re.IGNORECASE
)

_COST: Final = re.compile(
    r"(?P<amount>\d[\d,]*(?:\.\d+)?)\s*-?(?P<coin>pp|gp|ep|sp|cp|gold|silver|copper|platinum)\b", re.IGNORECASE
)
_COINS: Final = {"p": 10.0, "g": 1.0, "e": 0.5, "s": 0.1, "c": 0.01}
_CONSUMED: Final = re.compile(r"\bconsum(?:e|es|ed|ing)\b", re.IGNORECASE)


def saving_throw(text: str, told: str | None = None) -> str | None:
    """The ability of the first saving throw that the text demands, lower case.

    A throw that it only makes better or worse ("advantage on Dexterity saving throws") is not demanded. Where it
    demands one without an ability, `told` is the answer, unless that is such a throw.
    """
    if demanded := _SAVE.search(text):
        return demanded["ability"].lower()
    named = list(_ANY_SAVE.finditer(text))
    for match in named:
        if not _NOT_DEMANDED.search(text[: match.start()][-80:]):
            return match["ability"].lower()
    mistaken = any(match["ability"].lower() == told for match in named)
    return told if _UNNAMED_SAVE.search(text) and not mistaken else None


def needs_attack_roll(text: str) -> bool:
    """Whether the text has the caster make a melee or ranged spell attack."""
    return bool(_ATTACK.search(text))


def area_of_effect(text: str) -> dict[str, Any] | None:
    """The first area that a text describes: {shape, size, unit}; light that merely shines is none.

    A bare radius is a sphere, a wall a line; of a line the length is the size, of a cylinder the radius.

    >>> area_of_effect("Each creature in a 20-foot-radius, 40-foot-high cylinder")
    {'shape': 'cylinder', 'size': 20, 'unit': 'feet'}
    """
    matches = (m for pattern in _AREAS for m in pattern.finditer(text) if not _LIGHT.search(text[: m.start()][-60:]))
    first = min(matches, key=lambda m: (m.start(), -m.end()), default=None)
    if first is None:
        return None
    shape = (first["shape"] or "sphere").lower()
    unit = "miles" if first["unit"].lower().startswith("mile") else "feet"
    return {"shape": _SHAPES.get(shape, shape), "size": int(first["size"].replace(",", "")), "unit": unit}


def target_count(text: str) -> int | None:
    """How many targets the text lets the caster choose ("up to three creatures" → 3), or None where it tells none."""
    match = _TARGETS.search(text[:_OPENING])
    if not match:
        return None
    word = match["count"].lower()
    return _NUMBERS[word] if word in _NUMBERS else int(word)


def has_many_targets(text: str) -> bool:
    """Whether the text affects whoever is there ("each creature in the area") rather than chosen targets."""
    return bool(_MANY.search(text))


def cost_gp(material: str) -> float | None:
    """The first price in a text, in gold pieces: "worth at least 1,000 gp" → 1000.0."""
    match = _COST.search(material)
    if not match:
        return None
    return round(float(match["amount"].replace(",", "")) * _COINS[match["coin"][0].lower()], 2)


def is_consumed(material: str) -> bool:
    """Whether the spell uses its material component up."""
    return bool(_CONSUMED.search(material))
