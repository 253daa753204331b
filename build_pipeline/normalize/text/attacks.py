"""Attack lines of stat blocks, read into facts."""

from __future__ import annotations

import re
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, TYPES, canonical_dice, types_in

_HEADER: Final = re.compile(
    r"\b(?P<where>melee or ranged|melee|ranged)(?:\s+(?P<means>weapon|spell))?\s+attack(?:\s+roll)?s?\s*[:.]\s*"
    r"(?:\+?(?P<to_hit>\d+)|(?P<minus>[-−–]\d+))(?:\s+to\s+hit)?",
    re.IGNORECASE,
)
_FEET: Final = r"\s*(?:ft\b\.?|feet\b|foot\b|['’′])"
_REACH: Final = re.compile(rf"\breach\s+(?P<reach>\d+){_FEET}", re.IGNORECASE)
_DISTANCE: Final = rf"(?P<range>\d[\d,]*)(?:{_FEET})?(?:\s*/\s*(?P<long>\d[\d,]*))?{_FEET}"
_RANGE: Final = re.compile(rf"\brange\s+{_DISTANCE}", re.IGNORECASE)
_BARE_REACH: Final = re.compile(rf"^[\s,.]*(?:reach\s+)?(?P<reach>\d+){_FEET}", re.IGNORECASE)
_BARE_RANGE: Final = re.compile(rf"\b{_DISTANCE}", re.IGNORECASE)
_HIT: Final = re.compile(r"\bhit(?:\s+or\s+miss)?:\s*", re.IGNORECASE)
_EMPHASIS: Final = re.compile(r"(?<!\w)[_*]+|[_*]+(?!\w)")
_DAMAGE: Final = re.compile(
    rf"(?:\d+\s*)?\(?(?P<dice>{DICE})\)?\s+(?:points?\s+of\s+|magical\s+)*(?:(?P<types>{TYPES})|damage\b)"
    rf"|(?P<flat>\d+)\s+(?:magical\s+)?(?P<flat_types>{TYPES})\s+damage\b",
    re.IGNORECASE,
)
_AIM: Final = re.compile(r"\bor\s+range\b|[.]\s+$")
_AFTERWARDS: Final = re.compile(
    r"\b(?:must|saves?|saving|takes?|taking|is|are|grappled|restrained|can|or)\b|[.]\s", re.IGNORECASE
)
_ALSO: Final = re.compile(
    r"(?:\s+damage)?[\s,]*(?:plus|and|\+|in\s+addition\s+to)\s*(?:an?\s+)?(?:extra|additional)?\s*", re.IGNORECASE
)


def parse_attacks(name: str, text: str) -> list[dict[str, Any]]:
    """The attacks that an action's text describes, in order; none where it describes none.

    Each is {name, kind ("melee weapon", "ranged spell", "melee" in the 2024 rules), to_hit, reach, range, long_range
    (feet), damage [{dice, type}]}. Damage is what a hit deals at once, in its first form: not the two-handed one, nor
    what follows later or after a failed save.
    """
    text = _EMPHASIS.sub("", text).replace("ft.", "ft")
    headers = list(_HEADER.finditer(text))
    ends = [following.start() for following in headers[1:]] + [len(text)]
    return [_attack(name, header, text[header.end() : end]) for header, end in zip(headers, ends, strict=False)]


def _attack(name: str, header: re.Match[str], rest: str) -> dict[str, Any]:
    where, means = header["where"].lower(), (header["means"] or "").lower()
    to_hit = int(header["to_hit"]) if header["to_hit"] else -int(header["minus"][1:])
    hit = _HIT.search(rest)
    aim = rest[: hit.start()] if hit else rest[:120]
    reach = (_REACH.search(aim) or _BARE_REACH.search(aim)) if "melee" in where else None
    distance = _RANGE.search(aim)
    if distance is None and "ranged" in where:
        distance = _BARE_RANGE.search(aim, reach.end() if reach else 0)
    return {
        "name": name,
        "kind": f"{where} {means}".strip(),
        "to_hit": to_hit,
        "reach": int(reach["reach"]) if reach else None,
        "range": _feet(distance["range"]) if distance else None,
        "long_range": _feet(distance["long"]) if distance and distance["long"] else None,
        "damage": _hit_damage(rest[hit.end() :] if hit else rest, told_hit=hit is not None),
    }


def _feet(number: str) -> int:
    return int(number.replace(",", ""))


def _hit_damage(text: str, *, told_hit: bool) -> list[dict[str, Any]]:
    """Damage that a hit deals at once: "6 (1d6 + 3) piercing damage plus 3 (1d6) fire damage"."""
    first = _DAMAGE.search(text)
    if first is None or _AFTERWARDS.search(text[: first.start()] if told_hit else _AIM.sub("", text[: first.start()])):
        return []
    rolls = [first]
    while (also := _ALSO.match(text, rolls[-1].end())) and (following := _DAMAGE.match(text, also.end())):
        rolls.append(following)
    return [
        {
            "dice": canonical_dice(roll["dice"]) or roll["flat"],
            "type": " or ".join(types_in(roll["types"] or roll["flat_types"] or "")) or None,
        }
        for roll in rolls
    ]
