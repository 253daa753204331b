"""Spells as Foundry items, with an attack, a saving throw or healing to roll if the record states one."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from server.dataset.vocabulary import DAMAGE_TYPES
from server.exports.foundry.documents import (
    ABILITIES,
    Document,
    activities,
    activity,
    damage,
    document,
    html,
    target,
)
from server.sheets.markdown import entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.dataset.record import Record

SCHOOLS: Final = {
    "abjuration": "abj",
    "conjuration": "con",
    "divination": "div",
    "enchantment": "enc",
    "evocation": "evo",
    "illusion": "ill",
    "necromancy": "nec",
    "transmutation": "trs",
}
_PROPERTIES: Final = (("verbal", "vocal"), ("somatic", "somatic"), ("material", "material"))
_ACTIONS: Final = {"action": "action", "bonus action": "bonus", "reaction": "reaction"}
_TIMES: Final = frozenset({"turn", "round", "minute", "hour", "day", "week", "month", "year"})
_NUMBERED: Final = re.compile(r"(?:up to )?(?P<value>\d+) (?P<unit>[a-z ]+?)s?", re.IGNORECASE)
_DISTANCE: Final = re.compile(r"(?P<number>\d[\d,]*) (?P<unit>foot|feet|miles?)")
_DICE: Final = re.compile(r"(?P<number>\d+)d(?P<sides>\d+)(?:[+-]\d+)?")
_TYPE: Final = "|".join(sorted(DAMAGE_TYPES))
_ROLL: Final = re.compile(
    r"(?P<dice>\d+d\d+(?: ?[+-] ?\d+)?)(?: points of| extra| additional)? "
    rf"(?P<types>(?:{_TYPE})(?:(?:,? or |, )(?:{_TYPE}))*) damage",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(r",? (?:and|plus) ")
"""The words between two rolls that are dealt at once."""
_CANTRIP_STEP: Final = 5
"""The character level at which a cantrip first grows."""

Roll = tuple[str, set[str]]
"""Dice, and the types of damage; if there are several, the roller chooses one."""


def spell(record: Record) -> Document:
    """A spell as an item."""
    components = record.get("components") or {}
    properties = [key for name, key in _PROPERTIES if components.get(name)]
    properties += [name for name in ("ritual", "concentration") if record.get(name)]
    text = html(record.get("description")) + html(_higher_level(record))
    system = {
        "description": {"value": text, "chat": ""},
        "level": record.get("level"),
        "school": SCHOOLS.get(record.get("school") or "", ""),
        "activation": _activation(record),
        "range": _range(record),
        "duration": _duration(record),
        "target": _target(record),
        "materials": {
            "value": components.get("material_description") or "",
            "consumed": bool(components.get("material_consumed")),
            "cost": components.get("material_cost_gp") or 0,
            "supply": 0,
        },
        "properties": properties,
        "preparation": {"mode": "prepared", "prepared": False},
        "activities": activities(*_activities(record)),
    }
    return document(record, "spell", system)


def _higher_level(record: Record) -> str | None:
    told = record.get("higher_level")
    return entry("At Higher Levels", told) if told else None


def _activation(record: Record) -> Document:
    found = _NUMBERED.fullmatch(record.get("casting_time") or "")
    unit = found["unit"] if found else ""
    condition = record.get("reaction_condition") or ""
    if found and (unit in _ACTIONS or unit in _TIMES):
        return {"type": _ACTIONS.get(unit, unit), "value": int(found["value"]), "condition": condition}
    return {"type": "special", "value": None, "condition": condition or record.get("casting_time") or ""}


def _range(record: Record) -> Document:
    told = record.get("range") or ""
    start = told.partition(" (")[0]
    if start in ("Self", "Touch"):
        return {"units": start.lower(), "value": None, "special": ""}
    if start == "Unlimited":
        return {"units": "any", "value": None, "special": ""}
    if distance := _DISTANCE.fullmatch(told):
        units = "mi" if distance["unit"].startswith("mile") else "ft"
        return {"units": units, "value": distance["number"].replace(",", ""), "special": ""}
    return {"units": "spec", "value": None, "special": told}


def _duration(record: Record) -> Document:
    told = record.get("duration") or ""
    if told == "Instantaneous":
        return {"units": "inst", "value": ""}
    if told.startswith(("Permanent", "Until dispelled")):
        return {"units": "perm" if told.startswith("Permanent") else "disp", "value": ""}
    found = _NUMBERED.fullmatch(told)
    if found and found["unit"] in _TIMES:
        return {"units": found["unit"], "value": found["value"]}
    return {"units": "spec", "value": "", "special": told}


def _target(record: Record) -> Document:
    count = record.get("target_count")
    affects = {"type": "creature" if count else "", "count": str(count) if count else ""}
    return target(record.get("area_of_effect") or {}) | {"affects": affects}


def _activities(record: Record) -> Iterator[Document]:
    """The rolls: the attack, the saving throw, the healing or the damage; if there are none, only casting it."""
    path, activation = (record["id"],), {"type": _activation(record)["type"], "override": False}
    of_attack, of_save = _damage(record)
    if record.get("attack_roll"):
        where = "melee" if (record.get("range") or "").startswith(("Self", "Touch")) else "ranged"
        attack = {"type": {"value": where, "classification": "spell"}}
        yield activity("attack", path, activation, attack=attack, damage={"includeBase": False, "parts": of_attack})
    if record.get("saving_throw"):
        save = {"ability": [ABILITIES[record["saving_throw"]]], "dc": {"calculation": "spellcasting", "formula": ""}}
        on_save = "half" if record.get("save_effect") == "half" else "none"
        yield activity("save", path, activation, save=save, damage={"onSave": on_save, "parts": of_save})
    if record.get("attack_roll") or record.get("saving_throw"):
        return
    if record.get("heals"):
        yield activity("heal", path, activation, healing=_healing(record["heals"]))
    elif of_save:
        yield activity("damage", path, activation, damage={"parts": of_save})
    else:
        yield activity("utility", path, activation)


def _damage(record: Record) -> tuple[list[Document], list[Document]]:
    """The parts of damage of the attack, and those of the saving throw or other source.

    If a spell has both, the attack deals the first damage, and the saving throw the damage after it in its sentence.
    """
    told = _typed_rolls(record)
    dice = record.get("damage_dice")
    first = [place for place, (_, rolls) in enumerate(told) if rolls[0][0] == dice]
    dealt = told[first[0]][1] if first else []
    if dice and not dealt[1:]:  # a single roll, which may deal one of several types
        types = {kind for place in first for kind in told[place][1][0][1] if not told[place][1][1:]}
        dealt = [(dice, types or set(record.get("damage_types") or ()))]
    parts = _parts(record, dealt)
    if not (record.get("attack_roll") and record.get("saving_throw")):
        return parts, parts
    behind = next((place for place, (start, _) in enumerate(told) if _is_behind_save(record, start)), None)
    if behind is None:
        return parts, []
    return [] if behind in first[:1] else parts, _parts(record, told[behind][1])


def _is_behind_save(record: Record, place: int) -> bool:
    text = (record.get("description") or "")[:place].lower()
    return f"{record['saving_throw']} saving throw" in text[text.rfind(".") + 1 :]


def _typed_rolls(record: Record) -> list[tuple[int, list[Roll]]]:
    """The rolls of typed damage in the text: the offset of each group, and the rolls dealt at once."""
    text, end = record.get("description") or "", 0
    told: list[tuple[int, list[Roll]]] = []
    for found in _ROLL.finditer(text):
        roll = (found["dice"].replace(" ", ""), set(re.findall(_TYPE, found["types"].lower())))
        before = told[-1][1] if told and _TOGETHER.fullmatch(text, end, found.start()) else []
        # The same type again is dealt later, as by something that keeps burning.
        if before and before[-1][1] != roll[1]:
            before.append(roll)
        else:
            told.append((found.start(), [roll]))
        end = found.end()
    return told


def _parts(record: Record, rolls: Sequence[Roll]) -> list[Document]:
    """The rolls as parts of damage. Only the first that can grow does, unless the text says that they grow together."""
    growth = [_growth(record, roll) for roll, _ in rolls]
    growing = [place for place, more in enumerate(growth) if more]
    if not _grow_together(record, [rolls[place][1] for place in growing]):
        growing = growing[:1]
    return [
        damage(roll, types, growth[place] if place in growing else None) for place, (roll, types) in enumerate(rolls)
    ]


def _grow_together(record: Record, types: Sequence[set[str]]) -> bool:
    """Whether the text names them together: `The Fire damage and the Radiant damage increase`."""
    told = (record.get("higher_level") or "").lower()
    return all(
        re.search(rf"(?:{'|'.join(one)}) (?:damage )?and (?:the )?(?:{'|'.join(next_)})", told)
        for one, next_ in pairwise(types)
    )


def _healing(told: str) -> Document:
    """Healing as a part to roll: dice, with the caster's modifier, or a number; words are left to the text."""
    found = _DICE.match(told)
    part = damage(found[0] if found else told if told.isdigit() else None, ["healing"])
    return part | {"bonus": "@mod"} if found and "modifier" in told else part


def _growth(record: Record, dice: str) -> int | None:
    """Additional dice per spell level, or per step of a cantrip; None if they do not grow or are different dice."""
    base = _DICE.fullmatch(dice)
    options = record.get("casting_options") or ()
    following: dict[str, Any] = next((each for each in options if each.get("damage") and _is_next(record, each)), {})
    grown = _DICE.fullmatch(following.get("damage") or "")
    if not base or not grown or base["sides"] != grown["sides"]:
        return None
    if following.get("description") and dice == record.get("damage_dice"):
        return None  # a description says that another roll grows
    more = int(grown["number"]) - int(base["number"])
    return more if more > 0 else None


def _is_next(record: Record, option: dict[str, Any]) -> bool:
    level = record.get("level")
    if level is None:
        return False
    return bool(option.get("slot_level") == level + 1 if level else option.get("character_level") == _CANTRIP_STEP)
