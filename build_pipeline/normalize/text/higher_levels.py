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
_TOO: Final = r"(?:,?\s+and\s+(?:the|its)\s(?:(?!\dd\d)[^.;])*?|,)?"
"""A second increase, not of dice, between the first one and its levels."""
_GROWS: Final = re.compile(
    r"\b(?P<what>(?:damage|healing|hit points? regained|amount healed)(?:(?!\bby\b)[^.;])*?)\s+(?:both\s+|each\s+)?"
    rf"increases?\s+by\s+(?P<dice>{DICE}|\d+){_TOO}\s+{_PER_LEVEL}"
    rf"|\b(?:deals?|takes?)\s+an\s+(?:extra|additional)\s+(?P<extra>{DICE})(?:\s+of)?\s+(?P<type>(?:{TYPES})\s+)?"
    rf"(?P<more>damage)\s+(?:to\s+\w+\s+\w+\s+)?{_PER_LEVEL.replace('step', 'each').replace('above>', 'over>')}",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(rf"\bincreases?\s+by\s+{DICE}\s+and\s+the\s+[^.;]*$", re.IGNORECASE)
_COUNTED: Final = r"(?:creatures?|targets?|beasts?|humanoids?|objects?|allies|ally|plants?)"
_MORE_TARGETS: Final = re.compile(
    rf"\b(?:targets?|affect|charm|choose|touch|select)\s+(?:up\s+to\s+)?\+?(?P<count>{NUMBER}|an)\s+"
    rf"(?:(?:additional|more|other)\s+)?(?:\w+\s+){{0,3}}?{_COUNTED}\s+(?:\w+\s+){{0,10}}?{_PER_LEVEL}"
    rf"|\bnumber\s+of\s+(?:\w+\s+)?{_COUNTED}\s+(?:[\w']+\s+){{0,4}}?increases\s+by\s+(?P<by>{NUMBER})"
    rf"\s+{_PER_LEVEL.replace('step', 'each').replace('above>', 'over>')}",
    re.IGNORECASE,
)
_MISSILES: Final = r"(?:darts|beams|rays|bolts)"
_MISSILES_AT: Final = re.compile(
    rf"\b(?P<count>two|three|four)\s+{_MISSILES}\s+at\s+(?:level\s+)?(?P<level>5|11|17)(?:th)?\b", re.IGNORECASE
)
_CREATED: Final = re.compile(rf"\byou\s+create\s+(?P<count>{NUMBER})\s+(?:\w+\s+){{0,2}}{_MISSILES}\b", re.IGNORECASE)
_MORE_MISSILES: Final = re.compile(
    rf"\bcreates?\s+(?P<count>{NUMBER})\s+(?:more|additional)\s+(?:dart|beam|ray|bolt)s?\s+{_PER_LEVEL}", re.IGNORECASE
)
_THRESHOLD: Final = re.compile(r"\bhit\s+points\s+(?:\w+\s+){0,4}?(?:can|may)\s+affect\b", re.IGNORECASE)
"""Dice that say whom a spell affects, not what it deals."""
_WIDENS: Final = re.compile(
    r"\b(?:radius|area|size|cone|cube|sphere|line)\b[^.;]*?\s+increases?\s+by\s+(?P<feet>\d+)\s+feet\s+(?:on\s+each\s+side\s+)?"
    rf"{_PER_LEVEL}",
    re.IGNORECASE,
)
_AT_LEVELS: Final = re.compile(
    rf"(?<![\w+])(?:levels?\s+)?(?P<level>5|11|17)(?:th)?(?:\s+level)?\s*\((?P<dice>{DICE})\)"
    rf"|(?<!by\s)(?<!\w)(?P<amount>{DICE})\s+(?:when\s+you\s+reach|at)\s+(?P<reached>5|11|17)th(?:\s+level)?",
    re.IGNORECASE,
)
_LASTS: Final = re.compile(
    r"\b(?:slot\s+of\s+|an?\s+)(?P<from>\d)(?:st|nd|rd|th)?[\s-]*(?:or\s+(?P<to>\d)(?:st|nd|rd|th)?[\s-]*)?level\b"
    r"(?P<then>[^.]*?\b(?:(?:concentration[^.]{0,30}?up\s+to|duration\s+is|duration\s+is\s+concentration,\s+up\s+to)\s+"
    r"(?P<time>\d+\s+(?:rounds?|minutes?|hours?|days?|months?|years?)|a\s+year(?:\s+and\s+a\s+day)?)|(?P<endless>lasts?\s+until\s+(?:it\s+is\s+)?dispelled))[^.]*)",
    re.IGNORECASE,
)
_SLOT: Final = re.compile(r"\b(?:slot\s+of\s+|an?\s+)(?P<level>\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_AT_MOST: Final = re.compile(rf"[^.]*\bto\s+a\s+maximum\s+of\s+(?P<count>{NUMBER})\b", re.IGNORECASE)
_WITHOUT_CONCENTRATION: Final = re.compile(
    r"\b(?:without|doesn['’]t|does\s+not|no\s+longer)\s+requir\w+\s+(?:your\s+)?concentration", re.IGNORECASE
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


def growth(
    level: int, description: str, higher_level: str, targets: int | None = None, feet: int | None = None
) -> Iterator[dict[str, Any]]:
    """The effect at each higher level: {slot_level or character_level, and damage, healing, targets and so on}.

    Only what can be computed from the text alone: "increases by 1d6 for each slot level above 3rd" for a spell that
    deals 8d6, or "5th level (2d6)". A slot can occur several times, each time with another column.

    Args:
        level: the spell's own level.
        description: its effect at that level.
        higher_level: the text on higher levels.
        targets: the number of targets at its own level.
        feet: the size of its area at its own level.
    """
    if level == 0:
        yield from _at_character_levels(higher_level or description)
        return
    grows = list(_GROWS.finditer(higher_level))
    alone = len(grows) == 1 and not _ANOTHER.search(higher_level, 0, grows[0].start())
    if alone and int(grows[0]["above"] or grows[0]["over"]) == level:
        yield from _grown(level, description, grows[0])
    more, missiles = _MORE_TARGETS.search(higher_level), _MORE_MISSILES.search(higher_level)
    if missiles and (created := _CREATED.search(description)) and int(missiles["above"]) == level:
        yield from _more_targets(level, number(created["count"]), missiles)
    elif more and targets and int(more["above"] or more["over"]) == level:
        yield from _more_targets(level, targets, more)
    wider = _WIDENS.search(higher_level)
    if wider and feet and int(wider["above"]) == level:
        for slot, steps in _steps(level, wider["step"]):
            yield {"slot_level": slot, "area_size": feet + steps * int(wider["feet"])}
    yield from _durations(higher_level)


def _at_character_levels(text: str) -> Iterator[dict[str, Any]]:
    """What a cantrip deals, or how many beams it has, at each character level that its text names."""
    for beams in _MISSILES_AT.finditer(text):
        yield {"character_level": int(beams["level"]), "targets": number(beams["count"])}
    if _THRESHOLD.search(text):
        return
    for match in _AT_LEVELS.finditer(text):
        reached, amount = match["level"] or match["reached"], match["dice"] or match["amount"]
        yield {"character_level": int(reached), "damage": canonical_dice(amount)}


def _more_targets(level: int, targets: int, more: re.Match[str]) -> Iterator[dict[str, Any]]:
    parts = more.groupdict()
    counted = parts["count"] or parts["by"]
    count = 1 if counted.lower() == "an" else number(counted)
    limit = _AT_MOST.match(more.string, more.end())
    for slot, steps in _steps(level, parts["step"] or parts.get("each")):
        reached = targets + steps * count
        yield {"slot_level": slot, "targets": min(reached, number(limit["count"])) if limit else reached}


def _durations(higher_level: str) -> Iterator[dict[str, Any]]:
    """The duration at each slot level that the text names, and at those above it up to the next one named."""
    for match in _LASTS.finditer(higher_level):
        if _WITHOUT_CONCENTRATION.search(match["then"]):
            concentration = False
        else:
            concentration = "concentration" in match["then"].lower()
        lasts = " ".join(match["time"].split()) if match["time"] else "until dispelled"
        first = int(match["from"])
        named = (int(slot["level"]) for slot in _SLOT.finditer(higher_level, match.end()))
        last = next((level - 1 for level in named if level > first), _HIGHEST_SLOT)
        for slot in range(first, last + 1):
            yield {"slot_level": slot, "duration": lasts[:1].upper() + lasts[1:], "concentration": concentration}


def _grown(level: int, description: str, grows: re.Match[str]) -> Iterator[dict[str, Any]]:
    """Damage or healing by slot: the scaled roll, with dice added at every step."""
    what = _KINDS.sub("healing", (grows["what"] or grows["more"]).lower())
    kinds = [kind for kind in ("damage", "healing") if kind in what]
    by_slot: dict[int, dict[str, Any]] = {}
    for kind in kinds:
        for slot, amount in _amounts(level, description, kind, grows):
            by_slot.setdefault(slot, {"slot_level": slot})[kind] = amount
    yield from by_slot.values()


def _amounts(level: int, description: str, kind: str, grows: re.Match[str]) -> Iterator[tuple[int, str]]:
    before = grows.string[: grows.start()][-40:]
    named = _NAMED_TYPE.search(f"{grows['type'] or before.rpartition('.')[2]} ")
    dice = canonical_dice(grows["dice"] or grows["extra"])
    base = _base(description, kind, dice, named["types"].lower() if named else None)
    added = _PARTS.fullmatch(dice or "")
    if base is None or added is None:
        return
    for slot, steps in _steps(level, grows["step"] or grows["each"]):
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
    steps = ((slot, (slot - level) // width) for slot in range(level + 1, _HIGHEST_SLOT + 1))
    return ((slot, often) for slot, often in steps if often)
