"""The spells of a class: by spell level, with the slots to cast them, and the effect of a higher slot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.library.request import Request
from server.play.advancement import numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.library.facts import Row
    from server.library.library import Library

COLUMNS: Final = (
    *("id", "name", "document_key", "level", "school", "casting_time", "concentration", "ritual"),
    *("components", "casting_options", "description", "higher_level"),
)
CANTRIP: Final = 0

_SLOTS: Final = re.compile(r"Spell Slots (?P<level>\d)(?:st|nd|rd|th)")
_PACT_SLOTS: Final = "Spell Slots"
_PACT_LEVEL: Final = "Slot Level"
ARCANUM: Final = "Mystic Arcanum"
_FIRST_ARCANUM: Final = 6
"""The spell level of the feature's first gain; each later gain is one level higher."""
_ORDINAL: Final = re.compile(r"(?P<level>\d)(?:st|nd|rd|th)?")
_DICE: Final = re.compile(
    r"(?P<dice>\d+d\d+)(?P<bonus>\s*(?:\+|plus)\s*your\b)?(?:[+\s\d]*\s(?P<type>\w+) damage\b)?", re.IGNORECASE
)
"""Dice in a text, with a bonus from the caster and the type of damage."""
_AT_SLOT: Final = frozenset({"slot_level", "character_level"})


def slots(source: Row, level: int) -> dict[int, int]:
    """Spell slots of a class at a level: slot level → number of slots; empty if it has none."""
    row = numbers(source, level)
    found = {int(named["level"]): row[name] for name in row if (named := _SLOTS.fullmatch(name))}
    pact = _ORDINAL.fullmatch(row.get(_PACT_LEVEL) or "")
    if pact and _PACT_SLOTS in row:
        found[int(pact["level"])] = row[_PACT_SLOTS]
    return {of: int(number) for of, number in sorted(found.items()) if (number or "").isdecimal()}


def arcana(source: Row, level: int) -> list[int]:
    """The levels of a class's spells that need no slot, one spell for each: a warlock's Mystic Arcanum."""
    gained = next((each["levels"] or () for each in source["features"] or () if each["name"] == ARCANUM), ())
    return [_FIRST_ARCANUM + place for place, at in enumerate(sorted(gained)) if at <= level]


def spells_of(library: Library, source: Row, documents: Sequence[str] | None) -> list[Row]:
    """The spells of a class, by level and name: those in `documents`, or in its own book if that is None."""
    fence = (source["document_key"],) if documents is None else tuple(documents)
    request = Request("spell", filters={"class_key": source["name"]}, documents=fence)
    found = {row["name"].casefold(): row for row in reversed(library.facts.passing(request, COLUMNS))}
    return sorted(found.values(), key=lambda row: (row["level"], row["name"].casefold()))


def by_level(spells: Iterable[Row], levels: Iterable[int], of_slots: Mapping[int, int], slot: int | None) -> list[Any]:
    """The spells of some levels: for each `level`, `slots` (null if that is not known), `count` and `spells`.

    Args:
        spells: from `spells_of`.
        levels: the spell levels to list.
        of_slots: slot level → number of slots.
        slot: the level of the slot that the spells are cast with; those that it improves get `with_slot`.
    """
    listed = {level: [_spell(row, slot) for row in spells if row["level"] == level] for level in levels}
    return [
        {"level": level, "slots": of_slots.get(level), "count": len(found), "spells": found}
        for level, found in listed.items()
        if found
    ]


def _spell(row: Row, slot: int | None) -> dict[str, Any]:
    """The facts that help to choose a spell; flags only if true."""
    cost = (row["components"] or {}).get("material_cost_gp")
    facts = {
        "name": row["name"],
        "id": row["id"],
        "school": row["school"],
        "casting_time": row["casting_time"],
        "concentration": row["concentration"] or None,
        "ritual": row["ritual"] or None,
        "material_cost_gp": cost,
        "with_slot": _with_slot(row, slot),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _with_slot(row: Row, slot: int | None) -> dict[str, Any] | None:
    """What a slot above the spell's level changes; None if it changes nothing.

    The book's own words are given as `higher_level` if no numbers were read from them, or if the dice are not all of
    the damage: those dice are then `part_of_damage`.
    """
    if slot is None or slot <= row["level"]:
        return None
    options = [each for each in row["casting_options"] or () if each["slot_level"] is not None]
    if not options:
        return {"higher_level": row["higher_level"]} if row["higher_level"] else None
    option: dict[str, Any] = next((each for each in options if each["slot_level"] == slot), {})
    changed = {name: value for name, value in option.items() if value is not None and name not in _AT_SLOT}
    if "damage" in changed and _has_further_damage(row):
        changed = {"part_of_damage": changed.pop("damage"), **changed, "higher_level": row["higher_level"]}
    return changed or None


def _has_further_damage(row: Row) -> bool:
    """Whether a spell's text has several dice expressions, several types of damage, or a bonus to the dice."""
    found = [match.groupdict() for match in _DICE.finditer(row["description"] or "")]
    dice, types = ({each[name] for each in found if each[name]} for name in ("dice", "type"))
    return len(dice) > 1 or len(types) > 1 or any(each["bonus"] for each in found)
