"""How a spell scales with the slot or the caster's level, parsed from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, TYPES, canonical_dice
from build_pipeline.normalize.text.numerals import NUMBER, number
from build_pipeline.normalize.text.spells.character_levels import at_character_levels
from build_pipeline.normalize.text.spells.named_slots import HIGHEST_SLOT, UNIT, at_named_slots
from build_pipeline.normalize.text.spells.slot_steps import levels_last, per_level, slots_above
from build_pipeline.normalize.text.spells.targeting import MADE, TARGET, counts_the_caster

_LABEL: Final = re.compile(
    r"^[*_]{2,4}(?:At Higher Levels|Using a Higher-Level Spell Slot|Cantrip Upgrade)[.:]?[*_]{2,4}[.:]?[ ]*",
    re.MULTILINE,
)
_CANTRIP_GROWS: Final = re.compile(
    r"(?:^(?:(?:This|The) spell(?:['’]s damage)?|Both damage rolls)\b|(?<=\. )The spell['’]s damage increases\b)"
    r"[^\n]*\bwhen you reach\b[^\n]*$",
    re.MULTILINE,
)
_KINDS: Final = re.compile(r"hit points?(?: regained)?|amount healed")
_OTHER_INCREASES: Final = r"(?:\s+\([^()]*\))?(?:(?:,|,?\s+and)\s+(?:the|its)\s(?:(?!\dd\d)[^.;])*?|—[^—.;]*—|,)?"
"""Increases of other things, between an increase and its levels: "by 1d6, and the radius by 5 feet, for each level"."""
_GROWS: Final = re.compile(
    rf"""
    \b(?P<what>
        (?:damage|healing|hit\ points?\ regained|amount\ healed)
          (?:\s+(?:dealt|done)\s+by\b|(?!\bby\b)[^.;]){{0,300}}?
      )\s+(?:both\s+|each\s+)?increases?\s+by\s+
      (?:(?P<first>{DICE})\s+and\s+(?P<second>the\s+[^.;]*?)\s+(?:increases\s+)?by\s+)?(?P<dice>{DICE}|\d+){_OTHER_INCREASES}
      {per_level(1)}
    | \b(?:deals?|takes?)\s+an\s+(?:extra|additional)\s+(?P<extra>{DICE})(?:\s+of)?\s+(?P<type>(?:{TYPES})\s+)?
      (?P<more>damage)(?:\s+to\s+\w+\s+\w+)?{per_level(2)}
    | \bincrease\s+(?:either\s+)?(?:the|this\s+spell['’]s)\s+(?P<all>[^.;]{{0,300}}?damage)\s+by\s+(?P<by>{DICE})
      {per_level(3)}
    | \bregains?\s+an\s+additional\s+(?P<more_healing>{DICE})\s+(?P<points>hit\s+points){per_level(4)}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FIRST_GROWS: Final = re.compile(
    rf"\b(?P<what>damage\b[^.;]{{0,300}}?\bwhen\s+it\s+appears)\s+increases\s+by\s+(?P<dice>{DICE})"
    rf",?\s+and\s+the\s+damage\b[^.;]{{0,300}}?\sincreases\s+by\s+{DICE}{per_level()}",
    re.IGNORECASE,
)
"""Of two increases the first, which is the main damage: "damage when it appears increases by 1d6, and the damage …"."""
_MAIN: Final = re.compile(r"\b(?:all|both|initial|when\s+it\s+appears)\b|^damage\s+of\s[^.;]*?\sand\s", re.IGNORECASE)
"""Words that show that the spell's main damage grows, whatever else it deals."""
_THINGS: Final = rf"(?P<things>{TARGET}|{MADE})\b"
_MORE_TARGETS: Final = re.compile(
    rf"""
    \b(?P<count>{NUMBER}|an?)\s+(?:additional|more|other|extra)\s+(?:[\w-]+\s+){{0,3}}?{_THINGS}
      (?:\s+(?!leaps)[\w',()]+){{0,14}}?{per_level(1)}
    | \+(?P<plus>\d)\s+{_THINGS.replace("things", "others")}{per_level(2)}
    | \bnumber\s+of\s+(?:\w+\s+)?{_THINGS.replace("things", "counted")}(?:\s+[\w'’]+){{0,8}}?(?:\s+increases)?\s+by
      \s+(?P<by>{NUMBER}){per_level(3)}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_APPEAR: Final = re.compile(rf"\b(?P<count>{NUMBER})\s+\w+\s+appear\s+in\s+your\s+hand\b", re.IGNORECASE)
_INSTEAD: Final = re.compile(r"\bdamage\b[^.]*,\s+or\s+[^.]*$|\beither\b[^.]*\bor\b[^.]*$", re.IGNORECASE)
"""Text before targets that replace extra damage or another gain."""
_MORE_LEAPS: Final = re.compile(
    rf"\b(?:one\s+additional|an\s+extra)\s+\w+\s+leaps\b[^.]*\btarget{per_level()}", re.IGNORECASE
)
"""Each leap adds a target: "one additional bolt leaps to another target"."""
_TARGETS_PER_LEVEL: Final = re.compile(
    rf"\b(?:targets?|affect|charm|choose|touch|select)\s+(?:up\s+to\s+)?(?P<count>{NUMBER})\s+"
    rf"(?!additional|more|other|extra)(?:\w+\s+){{0,3}}?{TARGET}(?:\s+[\w()]+){{0,10}}?{per_level()}",
    re.IGNORECASE,
)
_MORE_FROM_A_SLOT: Final = re.compile(
    rf"""
    \bslot\s+of\s+(?P<from>\d)(?:st|nd|rd|th)\s+level\s+or\s+higher,\s+you\s+(?:create|summon|conjure)\s+
    (?P<count>{NUMBER})\s+(?:additional|more)\s+(?:\w+\s+){{0,2}}(?P<things>\w+)\.
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MORE_AT_A_SLOT: Final = re.compile(
    rf"\btarget\s+(?P<count>{NUMBER})\s+additional\s+creatures?\s+when\s+you\s+cast\s+this\s+spell\s+with\s+an?\s+"
    r"(?P<from>\d)(?:st|nd|rd|th)-level\b",
    re.IGNORECASE,
)
_WIDENS: Final = re.compile(
    rf"""
    \b(?:radius|area|size|cone|cube|sphere|line)\b[^.;]{{0,300}}?\s+(?:increases?\s+)?by\s+(?:up\s+to\s+)?
      (?P<feet>\d+)\s+feet(?:\s+on\s+each\s+side)?{per_level(1)}
    | \badd\s+(?P<added>\d+)\s+feet\s+to\s+(?:the|its)\s[^.;]{{0,200}}?\b(?:radius|cone|cube|sphere|line|cylinder)\b
      [^.;]{{0,200}}?{per_level(2)}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RANGES: Final = re.compile(
    rf"\brange\b(?:\s+[\w ]{{1,60}})?\s+increases?\s+by\s+(?P<more>\d+)\s+"
    rf"(?:additional\s+)?(?P<unit>feet|miles?){_OTHER_INCREASES}{per_level()}",
    re.IGNORECASE,
)
_DISTANCE: Final = re.compile(r"(?<!\d)(?P<far>\d+)\s+(?P<unit>feet|miles?)")
_LONGER: Final = re.compile(
    rf"""
    \b(?:
      lasts?(?:\s+for)?
      | maintain\s+concentration\s+on\s+this\s+spell\s+for
      | duration\s+(?:increases|is\s+extended)\s+by
    )\s+(?:an?\s+additional\s+)?(?P<time>\d+\s+)?(?P<unit>{UNIT})
    (?:\s+longer(?:\s+and\s+the\s+[\w ]*damage\s+increases\s+by\s+{DICE})?)?{_OTHER_INCREASES}{per_level()}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TIME: Final = re.compile(rf"(?<!\d)(?P<time>\d+)\s+(?P<unit>{UNIT})")
_DAY: Final = 24
"""Hours in a day."""
_AT_MOST: Final = re.compile(rf"[^.]*\bto\s+a\s+maximum\s+of\s+(?P<count>{NUMBER})\b", re.IGNORECASE)
_NAMED_TYPE: Final = re.compile(rf"\b(?P<types>{TYPES})\s+(?:damage\b)?", re.IGNORECASE)
_ROLL: Final = re.compile(rf"(?P<dice>{DICE})(?=(?P<after>(?:(?!{DICE})[^.;]){{0,60}}))", re.IGNORECASE)
_LOSES: Final = re.compile(r"\bloses\s+$", re.IGNORECASE)
_EXTRA_DAMAGE: Final = re.compile(
    rf"\bdeals?\s+(?:an\s+)?extra\s+(?:{DICE}\s+)?(?:(?:{TYPES})\s+)?damage\b", re.IGNORECASE
)
"""Extra damage of a cantrip that deals none itself: the weapon's own damage is not part of the spell."""
_EXTRA: Final = re.compile(r"\b(?:an?\s+)?(?:additional|extra)\s+(?:\d+\s+\()?$", re.IGNORECASE)
_PARTS: Final = re.compile(r"(?P<count>\d+)d(?P<sides>\d+)(?P<bonus>[+-]\d+)?")


@dataclass(frozen=True, slots=True)
class Casting:
    """A spell cast at its own level; None for facts that are unknown or do not apply.

    Attributes:
        level: its level.
        description: its text.
        targets: how many targets it has.
        feet: the size of its area.
        damage: the dice of its main damage.
        heals: the hit points that it restores, in dice or as a number.
        duration: how long it lasts: "8 hours".
        range: how far it reaches: "60 feet".
    """

    level: int
    description: str
    targets: int | None = None
    feet: int | None = None
    damage: str | None = None
    heals: str | None = None
    duration: str | None = None
    range: str | None = None


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


def growth(usual: Casting, higher_level: str) -> Iterator[dict[str, Any]]:
    """The effect at each higher level: {slot_level or character_level, and damage, healing, targets and so on}.

    Only what can be computed from the text alone: "increases by 1d6 for each slot level above 3rd" for a spell that
    deals 8d6, or "5th level (2d6)". A slot can occur several times, each time with another column.

    Args:
        usual: the spell at its own level.
        higher_level: the text on higher levels.
    """
    if usual.level == 0:
        for reached in at_character_levels(higher_level or usual.description):
            extra = _EXTRA_DAMAGE.search(higher_level) if "damage" in reached and usual.damage is None else None
            yield reached | ({"description": _sentence(extra)} if extra else {})
        return
    higher_level = levels_last(higher_level)
    yield from _rolls(usual, higher_level)
    yield from _targets(usual, higher_level)
    if usual.feet and (wider := _WIDENS.search(higher_level)):
        for slot, steps in slots_above(usual.level, wider):
            yield {"slot_level": slot, "area_size": usual.feet + steps * int(wider["feet"] or wider["added"])}
    yield from _longer(usual, higher_level)
    yield from _farther(usual, higher_level)
    yield from at_named_slots(higher_level)


def things_made(usual: Casting, higher_level: str) -> int | None:
    """How many darts, orbs and the like the spell makes at its own level, if higher levels make more of them."""
    if more := _MORE_TARGETS.search(higher_level):
        things = more["things"] or more["others"] or more["counted"]
    elif more := _MORE_FROM_A_SLOT.search(higher_level):
        things = more["things"]
    else:
        return None
    return None if re.fullmatch(TARGET, things, re.IGNORECASE) else _made(things, usual)


def _targets(usual: Casting, higher_level: str) -> Iterator[dict[str, Any]]:
    leaps = _MORE_LEAPS.search(higher_level)
    if leaps and usual.targets:
        yield from (
            {"slot_level": slot, "targets": usual.targets + steps} for slot, steps in slots_above(usual.level, leaps)
        )
        return
    more, others = _MORE_TARGETS.search(higher_level), _TARGETS_PER_LEVEL.search(higher_level)
    if others and not more:
        of_caster = counts_the_caster(others[0])
        for slot, steps in slots_above(usual.level, others):
            yield {"slot_level": slot, "targets": steps * number(others["count"]) - of_caster}
    if once := _MORE_FROM_A_SLOT.search(higher_level):
        reached = _made(once["things"], usual) + number(once["count"])
        yield from ({"slot_level": slot, "targets": reached} for slot in range(int(once["from"]), HIGHEST_SLOT + 1))
    if (at_once := _MORE_AT_A_SLOT.search(higher_level)) and usual.targets:
        reached = usual.targets + number(at_once["count"])
        yield from ({"slot_level": slot, "targets": reached} for slot in range(int(at_once["from"]), HIGHEST_SLOT + 1))
    if more is None or _INSTEAD.search(higher_level, 0, more.start()):
        return
    things = more["things"] or more["others"] or more["counted"]
    first = usual.targets if re.fullmatch(TARGET, things, re.IGNORECASE) else _made(things, usual)
    counted = (more["count"] or more["plus"] or more["by"]).lower()
    count = 1 if counted in {"a", "an"} else number(counted)
    limit = _AT_MOST.match(higher_level, more.end())
    if first is None and not (usual.range or "").startswith("Self"):
        return
    first = first or 0  # a spell on its caster, which others can then share
    for slot, steps in slots_above(usual.level, more):
        reached = first + steps * count
        yield {"slot_level": slot, "targets": min(reached, number(limit["count"])) if limit else reached}


def _made(things: str, usual: Casting) -> int:
    """How many darts, orbs and the like the spell makes at its own level."""
    named = re.search(
        rf"\b(?P<count>{NUMBER})\s+(?:[\w-]+\s+){{0,3}}?{things.rstrip('s')}s\b", usual.description, re.IGNORECASE
    )
    counted = named or _APPEAR.search(usual.description)
    return number(counted["count"]) if counted else usual.targets or 1


def _longer(usual: Casting, higher_level: str) -> Iterator[dict[str, Any]]:
    """The duration by slot, where each level adds to it."""
    longer, lasts = _LONGER.search(higher_level), _TIME.fullmatch(usual.duration or "")
    if longer is None or lasts is None or longer["unit"].rstrip("s").lower() != lasts["unit"].rstrip("s"):
        return
    for slot, steps in slots_above(usual.level, longer):
        time, unit = int(lasts["time"]) + steps * int(longer["time"] or 1), lasts["unit"].rstrip("s")
        if unit == "hour" and time % _DAY == 0 and time > 2 * _DAY:
            time, unit = time // _DAY, "day"
        yield {"slot_level": slot, "duration": f"{time} {unit}s"}


def _farther(usual: Casting, higher_level: str) -> Iterator[dict[str, Any]]:
    """The range by slot, where each level adds to it."""
    farther, reaches = _RANGES.search(higher_level), _DISTANCE.fullmatch(usual.range or "")
    if farther is None or reaches is None or farther["unit"].rstrip("s") != reaches["unit"].rstrip("s"):
        return
    for slot, steps in slots_above(usual.level, farther):
        yield {"slot_level": slot, "range": f"{int(reaches['far']) + steps * int(farther['more'])} {farther['unit']}"}


def _rolls(usual: Casting, higher_level: str) -> Iterator[dict[str, Any]]:
    """Damage or healing by slot: the scaled roll, with dice added at every step."""
    grows = list(_FIRST_GROWS.finditer(higher_level)) or list(_GROWS.finditer(higher_level))
    if len(grows) != 1:
        return
    growing = grows[0].groupdict("")
    what = _KINDS.sub("healing", "".join(growing.get(name, "") for name in ("what", "more", "all", "points")).lower())
    by_slot: dict[int, dict[str, Any]] = {}
    for kind in (kind for kind in ("damage", "healing") if kind in what):
        for slot, told in _amounts(usual, kind, grows[0]):
            by_slot.setdefault(slot, {"slot_level": slot}).update(told)
    yield from by_slot.values()


def _amounts(usual: Casting, kind: str, grows: re.Match[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """(slot, {the amount; the sentence as `description` if the roll is not the main one})."""
    growing = grows.groupdict("")
    written = "".join(growing.get(name, "") for name in ("dice", "extra", "by", "more_healing"))
    if kind == "healing" and written.isdigit() and (usual.heals or "").isdigit():
        for slot, steps in slots_above(usual.level, grows):
            yield slot, {kind: str(int(usual.heals or 0) + steps * int(written))}
        return
    dice = canonical_dice(_of_main(usual, grows) if growing.get("first") else written)
    base = _base(usual, kind, dice, grows)
    added = _PARTS.fullmatch(dice or "")
    beside = f"{usual.damage}+" if base is None and kind == "damage" and _has_other_dice(usual, added) else ""
    if added is None or (base is None and not beside and not _is_of_a_weapon(usual, growing)):
        return
    count, bonus = (int(base["count"]), base["bonus"] or "") if base else (0, "")
    of_weapon = base is None and not beside
    is_another = kind == "damage" and (of_weapon or (base is not None and usual.damage not in {None, base[0]}))
    of_another = {"description": _sentence(grows)} if is_another else {}
    for slot, steps in slots_above(usual.level, grows):
        yield slot, {kind: f"{beside}{count + steps * int(added['count'])}d{added['sides']}{bonus}"} | of_another


def _sentence(match: re.Match[str]) -> str:
    """The whole sentence around a match."""
    text, stop = match.string, match.string.find(".", match.end()) + 1
    return text[text.rfind(". ", 0, match.start()) + 1 : stop or len(text)].strip()


def _has_other_dice(usual: Casting, added: re.Match[str] | None) -> bool:
    """Whether the spell's only roll uses other dice than those added to it: "4d6" and then "1d8"."""
    if added is None or usual.damage is None or usual.damage.endswith(f"d{added['sides']}"):
        return False
    return {canonical_dice(roll["dice"]) for roll in _ROLL.finditer(usual.description)} == {usual.damage}


def _is_of_a_weapon(usual: Casting, growing: Mapping[str, str]) -> bool:
    """Whether the extra damage is all that the spell deals: its weapon's own damage is not part of it."""
    return bool(growing.get("extra")) and usual.damage is None and not _ROLL.search(usual.description)


def _of_main(usual: Casting, grows: re.Match[str]) -> str | None:
    """Of two rolls, each added to another damage, the one with the main damage's dice, if only one has them."""
    sides = f"d{(usual.damage or '').partition('d')[2]}"
    same = [dice for dice in (grows["first"], grows["dice"]) if dice.endswith(sides)]
    return same[0] if len(same) == 1 else None


def _base(usual: Casting, kind: str, added: str | None, grows: re.Match[str]) -> re.Match[str] | None:
    """The one roll in the description that scales: with the same dice as those added, and of the named type.

    If there are several, the main one if the text says so.
    """
    before = grows.string[: grows.start()][-40:]
    growing = grows.groupdict("")
    named = None if growing.get("first") else _NAMED_TYPE.search(f"{growing.get('type') or before.rpartition('.')[2]} ")
    damage_types = re.split(r"\W+(?:and\W+|or\W+)?", named["types"].lower()) if named else [""]
    sides = (added or "").partition("d")[2]
    found: dict[str, re.Match[str]] = {}
    extra: set[str] = set()
    for roll in _ROLL.finditer(usual.description):
        after = roll["after"].lower()
        parts = _PARTS.fullmatch(canonical_dice(roll["dice"]) or "")
        if parts is None or parts["sides"] != sides:
            continue
        deals = "damage" in after or parts[0] == usual.damage or bool(_LOSES.search(usual.description, 0, roll.start()))
        if deals == (kind == "damage") and any(each in after for each in damage_types):
            found[parts[0]] = parts
            extra |= {parts[0]} if _EXTRA.search(usual.description, 0, roll.start()) else set()
    if len(found) > 1:  # damage added only in some cases does not grow
        found = {dice: parts for dice, parts in found.items() if dice not in extra}
    if len(found) == 1:
        return next(iter(found.values()))
    main = kind == "damage" and (_MAIN.search(before.rpartition(".")[2]) or _MAIN.search(grows[0]))
    return found.get(usual.damage or "") if main else None
