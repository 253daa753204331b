"""Attack lines of stat blocks, parsed into facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from build_pipeline.kept import kept
from build_pipeline.normalize.text.dice import DICE, TYPES, canonical_dice, types_in, without_notes_on_types

_HEADER: Final = re.compile(
    r"""
    (?:
      \b(?P<where>melee(?:\ weapon)?\ or\ ranged|melee|ranged)(?:\s+(?P<means>weapon|spell|magical))?\s+
        (?:attack|(?<=weapon\ )damage)(?:\s+roll)?s?\s*[:.]\s*
      | ^(?=\+\d+\s+to\s+hit\b)
    )(?:\+?(?P<to_hit>\d+)|(?P<minus>[-−–]\d+)|(?:bonus\s+equals\s+)?your\s+spell\s+attack\s+modifier)
    (?:\s+to\s+hit)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LABEL: Final = re.compile(r"(?:^|\n)(?P<label>[A-Z][\w’' -]{2,40}?)[.:]?\s*$")
"""The name of one of several attacks in an action: "Tentacle. Melee Weapon Attack: …"."""
_FEET: Final = r"\.?\s*(?:ft\b\.?|feet\b|foot\b|['’′])"
_REACH: Final = re.compile(rf"\breach\s+(?P<reach>\d+){_FEET}", re.IGNORECASE)
_DISTANCE: Final = rf"(?P<range>\d[\d,]*)(?:{_FEET})?(?:\s*/\s*(?P<long>\d[\d,]*))?{_FEET}"
_RANGE: Final = re.compile(rf"\brange\s+(?:{_DISTANCE}|(?P<bare>\d+)/(?P<bare_long>\d+)\b)", re.IGNORECASE)
_BARE_REACH: Final = re.compile(rf"^[\s,.]*(?:reach\s+)?(?P<reach>\d+){_FEET}", re.IGNORECASE)
_OR_AT_RANGE: Final = re.compile(rf"^[\s,.]*(?:reach\s+)?(?P<reach>\d+){_FEET}\s+or\s+range\b", re.IGNORECASE)
"""The reach of a ranged attack that has one too: "+8 to hit 5 ft. or range 20/60'"."""
_BARE_RANGE: Final = re.compile(rf"\b{_DISTANCE}", re.IGNORECASE)
_HIT: Final = re.compile(r"(?:\bh[_*]*|(?<=[.,]\s)|(?<=\bft\s))it(?:\s+or\s+miss)?:\s*", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\s*\((?:with|no)\b[^()\d]*\)", re.IGNORECASE)
_EMPHASIS: Final = re.compile(r"(?<!\w)[_*]+|[_*]+(?!\w)")
_DAMAGE: Final = re.compile(
    rf"""
    (?:(?<!\d)\d+\s*)?\(?(?P<dice>{DICE})\)?\s+(?:points?\s+of\s+|magical\s+|ongoing\s+)*
      (?:(?P<types>{TYPES}(?:\s+damage\s+or\s+{TYPES}(?=\s+damage\b))?)|damage\b)
    | (?<!\d)(?P<flat>\d+)\s+(?:\(\d+\s*\+\s*\d+\)\s+)?(?:magical\s+)?(?P<flat_types>{TYPES})
      (?:\s+damage\b|(?=\.(?:\s|$)))
    | {DICE}\s+(?:\+|plus)\s+the\s+spell['’]s\s+level\s+(?:of\s+)?(?P<by_level>{TYPES})\s+damage\b
    | (?P<by_size>{TYPES})\s+damage\s+equal\s+to\s+{DICE}\s+\(
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TYPE_GROUPS: Final = ("types", "flat_types", "by_level", "by_size")
_UNTYPED: Final = re.compile(rf"(?<!\d)\d+\s*\((?P<dice>{DICE})\)(?=\s*(?:$|[.,\n]|plus\b))", re.IGNORECASE)
_OTHER_FORM: Final = re.compile(
    rf"""
    (?:\s+damage)?[\s,(—–]*\bor\s+(?:\d+\s*)?\(?(?:{DICE})\)?\s+(?:{TYPES}\s+)?damage\s+
    (?:if|when|while|with|against|in)\b[^.;]*?(?=[\s,)—–]*(?:\bplus\b|\+\s|\band\s+\d))
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The same hit with two hands or from a halved swarm; riders that follow apply to both."""
_PROVIDED: Final = re.compile(r"\s*(?:damage\s+)?(?:if(?! not)|when|while)\b", re.IGNORECASE)
_ONGOING: Final = re.compile(r"\bongoing\b", re.IGNORECASE)
"""Damage at the start of later turns, in Level Up."""
_EITHER_WAY: Final = "melee or ranged"
_OR_RANGED: Final = re.compile(r",?\s+or\s+\+(?P<to_hit>\d+)\s+to\s+hit(?=,\s+range\b)", re.IGNORECASE)
"""The separate bonus at range of an attack that is melee or ranged."""
_IF_THROWN: Final = re.compile(rf"\bor\s+\d+\s*\((?P<dice>{DICE})\)\s+if\s+thrown\b", re.IGNORECASE)
_AIM: Final = re.compile(r"\bor\s+range\b|\bnot\s+grappled\b|[.]\s+$")
_AFTERWARDS: Final = re.compile(
    r"\b(?:must|saves?|saving|takes?|taking|is|are|grappled|restrained|can|or)\b|[.]\s", re.IGNORECASE
)
_ALSO: Final = re.compile(
    r"""
    (?:\s+damage)?(?:\s+of\s+the\s+type\s[^.,;]*?)?(?:\s*\([^()\d]*\))?[\s,)—–]*(?:plus|and|\+|in\s+addition\s+to)
    \s*(?:an?\s+)?(?:extra|additional)?\s*
    """,
    re.IGNORECASE | re.VERBOSE,
)


@kept
def parse_attacks(name: str, text: str) -> list[dict[str, Any]]:
    """The attacks in an action's text, in order; empty if there are none.

    Each is {name, kind ("melee weapon", "ranged spell", "melee" in the 2024 rules), to_hit, reach, range, long_range
    (feet), damage [{dice, type}]}. Each of several attacks takes the name that heads its paragraph, if any. `to_hit`
    and `dice` are None if they depend on a spell's caster or level, or on the creature's size.

    Damage is what a hit deals immediately, in its first form: not two-handed damage, later damage, or damage on a
    failed save.
    """
    text = without_notes_on_types(_ASIDE.sub("", _EMPHASIS.sub("", text).replace("ft.", "ft")))
    headers = list(_HEADER.finditer(text))
    ends = [following.start() for following in headers[1:]] + [len(text)]
    names = _names(name, text, headers)
    return [
        attack
        for each, header, end in zip(names, headers, ends, strict=False)
        for attack in _apart(_attack(each, header, text[header.end() : end]), text[header.end() : end])
    ]


def _apart(attack: dict[str, Any], rest: str) -> list[dict[str, Any]]:
    """The attack, or a melee and a ranged one if each has its own bonus to hit."""
    other = _OR_RANGED.search(rest)
    if other is None or not attack["kind"].startswith(_EITHER_WAY):
        return [attack]
    thrown = _IF_THROWN.search(rest)
    damage = (
        [{**hit, "dice": canonical_dice(thrown["dice"])} for hit in attack["damage"][:1]]
        if thrown
        else attack["damage"]
    )
    kinds = (attack["kind"].replace(_EITHER_WAY, where) for where in ("melee", "ranged"))
    return [
        {**attack, "kind": next(kinds), "range": None, "long_range": None},
        {**attack, "kind": next(kinds), "to_hit": int(other["to_hit"]), "reach": None, "damage": damage},
    ]


def _names(name: str, text: str, headers: Sequence[re.Match[str]]) -> list[str]:
    labels = [_LABEL.search(text, 0, header.start()) for header in headers]
    return [label["label"] if label and len(headers) > 1 else name for label in labels]


def _attack(name: str, header: re.Match[str], rest: str) -> dict[str, Any]:
    to_hit = int(header["to_hit"]) if header["to_hit"] else None
    if header["minus"]:
        to_hit = -int(header["minus"][1:])
    hit = _HIT.search(rest)
    aim = rest[: hit.start()] if hit else rest[:120]
    where = header["where"].lower() if header["where"] else _where(aim)
    means = (header["means"] or "").lower()
    if means == "magical":
        means = "spell"
    if where == "melee weapon or ranged":
        where, means = _EITHER_WAY, "weapon"
    reach = (_REACH.search(aim) or _BARE_REACH.search(aim)) if "melee" in where else None
    distance = _RANGE.search(aim)
    if distance is None and ("ranged" in where or reach is None):
        distance = _BARE_RANGE.search(aim, reach.end() if reach else 0)
    near, far = _distances(distance)
    feet = int(reach["reach"]) if reach else None
    if where == "ranged" and (beside := _OR_AT_RANGE.match(aim)):
        feet = int(beside["reach"])
    elif where == "melee" and feet is None and far is not None:
        where = "ranged"  # a melee attack has no long range
    if where == "melee" and feet is None and far is None:  # a bite's "range 5 ft."
        near, feet = None, near
    elif feet is not None and near is not None:  # whatever its heading says: "Melee …: reach 5 ft. or range 20/60 ft."
        where = _EITHER_WAY
    return {
        "name": name,
        "kind": f"{where} {means}".strip(),
        "to_hit": to_hit,
        "reach": feet,
        "range": near,
        "long_range": far,
        "damage": _hit_damage(rest[hit.end() :] if hit else rest, after_hit=hit is not None),
    }


def _where(aim: str) -> str:
    """Kind of an attack that does not state it: melee if it has a reach, ranged if it has a range."""
    kinds = [kind for kind, pattern in (("melee", _REACH), ("ranged", _RANGE)) if pattern.search(aim)]
    return " or ".join(kinds) or "melee"


def _distances(match: re.Match[str] | None) -> tuple[int | None, int | None]:
    if match is None:
        return None, None
    groups = match.groupdict()
    near, far = groups["range"] or groups.get("bare"), groups["long"] or groups.get("bare_long")
    return _feet(near) if near else None, _feet(far) if far else None


def _feet(number: str) -> int:
    return int(number.replace(",", ""))


def _hit_damage(text: str, *, after_hit: bool) -> list[dict[str, Any]]:
    """Immediate damage of a hit: "6 (1d6 + 3) piercing damage plus 3 (1d6) fire damage"."""
    first = (_UNTYPED.match(text) if after_hit else None) or _DAMAGE.search(text)
    if (
        first is None
        or _ONGOING.search(first[0])
        or _AFTERWARDS.search(text[: first.start()] if after_hit else _AIM.sub("", text[: first.start()]))
    ):
        return []
    rolls = [first]
    while following := _following(text, rolls[-1].end()):
        rolls.append(following)
    if (other := _OTHER_FORM.match(text, rolls[-1].end())) and (following := _following(text, other.end())):
        rolls.append(following)
    return [
        {
            "dice": canonical_dice(roll["dice"]) or roll["flat"],
            "type": " or ".join(types_in(next(filter(None, map(roll.get, _TYPE_GROUPS)), ""))) or None,
        }
        for roll in (match.groupdict() for match in rolls)
    ]


def _following(text: str, place: int) -> re.Match[str] | None:
    """Damage that every hit adds at position `place`: "plus 3 (1d6) fire damage", not followed by "if it is prone"."""
    also = _ALSO.match(text, place)
    roll = _DAMAGE.match(text, also.end()) if also else None
    return None if roll is None or _ONGOING.search(roll[0]) or _PROVIDED.match(text, roll.end()) else roll
