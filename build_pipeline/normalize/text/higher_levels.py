"""How a spell scales with the slot or the caster's level, parsed from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, TYPES, canonical_dice
from build_pipeline.normalize.text.numerals import NUMBER, number

_LABEL: Final = re.compile(
    r"^[*_]{2,4}(?:At Higher Levels|Using a Higher-Level Spell Slot|Cantrip Upgrade)[.:]?[*_]{2,4}[.:]?[ ]*",
    re.MULTILINE,
)
_CANTRIP_GROWS: Final = re.compile(
    r"^(?:(?:This|The) spell(?:['’]s damage)?|Both damage rolls)\b[^\n]*\bwhen you reach\b[^\n]*$", re.MULTILINE
)
_KINDS: Final = re.compile(r"hit points? regained|amount healed")
_HIGHEST_SLOT: Final = 9
_PER_LEVEL: Final = (
    r"for\s+(?:each|every)\s+(?P<step>(?:two|three|2|3)\s+)?(?:spell\s+)?(?:slots?\s+)?(?:levels?\s+)?above\s+"
    r"(?:the\s+)?(?:level\s+)?(?P<above>\d)"
)
_GROWS: Final = re.compile(
    r"\b(?P<what>(?:damage|healing|hit points? regained|amount healed)[^.;]*?)\s+(?:both\s+|each\s+)?increases?\s+by"
    r"\s+"
    rf"(?P<dice>{DICE}|\d+)\s+{_PER_LEVEL}",
    re.IGNORECASE,
)
_MORE_TARGETS: Final = re.compile(
    rf"\b(?:target|affect|charm|choose)\s+(?:up\s+to\s+)?(?P<count>{NUMBER})\s+(?:additional|more|other)\s+"
    rf"(?:\w+\s+){{0,3}}?(?:creatures?|targets?|beasts?|humanoids?|objects?|allies|ally|plants?)\s+{_PER_LEVEL}",
    re.IGNORECASE,
)
_AT_LEVELS: Final = re.compile(
    rf"(?<![\w+])(?:levels?\s+)?(?P<level>5|11|17)(?:th)?(?:\s+level)?\s*\((?P<dice>{DICE})\)", re.IGNORECASE
)
_NAMED_TYPE: Final = re.compile(rf"\b(?P<types>{TYPES})\s+(?:damage\b)?", re.IGNORECASE)
_ROLL: Final = re.compile(rf"(?P<dice>{DICE})(?=(?P<after>(?:(?!{DICE})[^.;]){{0,60}}))", re.IGNORECASE)
_PARTS: Final = re.compile(r"(?P<count>\d+)d(?P<sides>\d+)(?P<bonus>[+-]\d+)?")


def split_higher_levels(text: str) -> tuple[str, str]:
    r"""Split a full description: (base effect, scaling with a higher slot or character level).

    >>> split_higher_levels("You glow.\n\n***At Higher Levels.*** You glow more.")
    ('You glow.', 'You glow more.')
    """
    label = _LABEL.search(text)
    start = label or _CANTRIP_GROWS.search(text)
    if start is None:
        return text, ""
    return text[: start.start()].strip(), text[label.end() if label else start.start() :].strip()


def growth(level: int, description: str, higher_level: str, targets: int | None) -> Iterator[dict[str, Any]]:
    """The effect at each higher level: {slot_level or character_level, and damage, healing or targets}.

    Only what can be computed from the text alone: "increases by 1d6 for each slot level above 3rd" for a spell that
    deals 8d6, or "5th level (2d6)". `targets` is the number of targets at the spell's own level.
    """
    if level == 0:
        for match in _AT_LEVELS.finditer(higher_level or description):
            yield {"character_level": int(match["level"]), "damage": canonical_dice(match["dice"])}
        return
    grows = list(_GROWS.finditer(higher_level))
    if len(grows) == 1 and int(grows[0]["above"]) == level:
        yield from _grown(level, description, grows[0])
    more = _MORE_TARGETS.search(higher_level)
    if more and targets and int(more["above"]) == level:
        for slot, steps in _steps(level, more["step"]):
            yield {"slot_level": slot, "targets": targets + steps * number(more["count"])}


def _grown(level: int, description: str, grows: re.Match[str]) -> Iterator[dict[str, Any]]:
    """Damage or healing by slot: the scaled roll, with dice added at every step."""
    kinds = [kind for kind in ("damage", "healing") if kind in _KINDS.sub("healing", grows["what"].lower())]
    by_slot: dict[int, dict[str, Any]] = {}
    for kind in kinds:
        for slot, amount in _amounts(level, description, kind, grows):
            by_slot.setdefault(slot, {"slot_level": slot})[kind] = amount
    yield from by_slot.values()


def _amounts(level: int, description: str, kind: str, grows: re.Match[str]) -> Iterator[tuple[int, str]]:
    before = grows.string[: grows.start()][-40:]
    named = _NAMED_TYPE.search(f"{before.rpartition('.')[2]} ")
    base = _base(description, kind, canonical_dice(grows["dice"]), named["types"].lower() if named else None)
    added = _PARTS.fullmatch(canonical_dice(grows["dice"]) or "")
    if base is None or added is None:
        return
    for slot, steps in _steps(level, grows["step"]):
        if steps:
            count = int(base["count"]) + steps * int(added["count"])
            yield slot, f"{count}d{base['sides']}{base['bonus'] or ''}"


def _base(description: str, kind: str, added: str | None, damage_type: str | None) -> re.Match[str] | None:
    """The one roll in the description that scales: same dice as those added, and the named type."""
    sides = (added or "").partition("d")[2]
    found: dict[str, re.Match[str]] = {}
    for roll in _ROLL.finditer(description):
        after = roll["after"].lower()
        meant = ("damage" in after) == (kind == "damage")
        parts = _PARTS.fullmatch(canonical_dice(roll["dice"]) or "")
        if parts and parts["sides"] == sides and meant and (damage_type is None or damage_type in after):
            found[parts[0]] = parts
    return next(iter(found.values())) if len(found) == 1 else None


def _steps(level: int, step: str | None) -> Iterator[tuple[int, int]]:
    """(slot level, number of increments) for every slot above the spell's own."""
    width = number(step.strip()) if step else 1
    return ((slot, (slot - level) // width) for slot in range(level + 1, _HIGHEST_SLOT + 1))
