"""Spells as Foundry's items, with an attack, a saving throw or healing that can be rolled where the facts tell one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.exports.foundry.documents import (
    ABILITIES,
    Document,
    activities,
    activity,
    damage,
    document,
    html,
)
from server.sheets.markdown import entry

if TYPE_CHECKING:
    from server.sheets.wording import Record

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
SHAPES: Final = {
    "cone": "cone",
    "cube": "cube",
    "cylinder": "cylinder",
    "emanation": "radius",
    "hemisphere": "sphere",
    "line": "line",
    "sphere": "sphere",
    "square": "square",
}
_PROPERTIES: Final = (("verbal", "vocal"), ("somatic", "somatic"), ("material", "material"))
_ACTIONS: Final = {"action": "action", "bonus action": "bonus", "reaction": "reaction"}
_TIMES: Final = frozenset({"turn", "round", "minute", "hour", "day", "week", "month", "year"})
_NUMBERED: Final = re.compile(r"(?:up to )?(?P<value>\d+) (?P<unit>[a-z ]+?)s?", re.IGNORECASE)
_DISTANCE: Final = re.compile(r"(?P<number>\d[\d,]*) (?P<unit>foot|feet|miles?)")
_DICE: Final = re.compile(r"(?P<number>\d+)d(?P<sides>\d+)(?:[+-]\d+)?")
_CANTRIP_STEP: Final = 5
"""The character level at which a cantrip first grows."""


def spell(record: Record) -> Document:
    """A spell as an item."""
    components = record.get("components") or {}
    properties = [key for name, key in _PROPERTIES if components.get(name)]
    properties += [name for name in ("ritual", "concentration") if record.get(name)]
    text = html(record.get("description")) + html(_higher_level(record))
    system = {
        "description": {"value": text, "chat": ""},
        "level": record.get("level") or 0,
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
        "activities": activities(_main_activity(record)),
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
    area = record.get("area_of_effect") or {}
    count = record.get("target_count")
    units = {"feet": "ft", "miles": "mi"}.get(area.get("unit") or "", "ft")
    return {
        "template": {
            "type": SHAPES.get(area.get("shape") or "", ""),
            "size": str(area["size"]) if area.get("size") else "",
            "units": units,
        },
        "affects": {"type": "creature" if count else "", "count": str(count) if count else ""},
    }


def _main_activity(record: Record) -> Document:
    """What is rolled: the attack, the saving throw, the healing, the damage; else there is nothing but casting it."""
    path, activation = (record["id"],), {"type": _activation(record)["type"], "override": False}
    dice = record.get("damage_dice")
    parts = [damage(dice, record.get("damage_types"), _growth(record))] if dice else []
    if record.get("attack_roll"):
        where = "melee" if (record.get("range") or "").startswith(("Self", "Touch")) else "ranged"
        attack = {"type": {"value": where, "classification": "spell"}}
        return activity("attack", path, activation, attack=attack, damage={"includeBase": False, "parts": parts})
    if record.get("saving_throw"):
        save = {"ability": [ABILITIES[record["saving_throw"]]], "dc": {"calculation": "spellcasting", "formula": ""}}
        on_save = "half" if record.get("save_effect") == "half" else "none"
        return activity("save", path, activation, save=save, damage={"onSave": on_save, "parts": parts})
    if record.get("heals"):
        return activity("heal", path, activation, healing=_healing(record["heals"]))
    if parts:
        return activity("damage", path, activation, damage={"parts": parts})
    return activity("utility", path, activation)


def _healing(told: str) -> Document:
    """Dice with the caster's modifier are a part that can be rolled; words are left to the text."""
    found = _DICE.match(told)
    part = damage(found[0] if found else told if told.isdigit() else None, ["healing"])
    return part | {"bonus": "@mod"} if found and "modifier" in told else part


def _growth(record: Record) -> int | None:
    """Dice more for each spell level, or at each step of a cantrip; None where they are not the same dice."""
    base = _DICE.fullmatch(record.get("damage_dice") or "")
    following = next(filter(None, (_next_damage(record, option) for option in record.get("casting_options") or ())), "")
    grown = _DICE.fullmatch(following)
    if not base or not grown or base["sides"] != grown["sides"]:
        return None
    more = int(grown["number"]) - int(base["number"])
    return more if more > 0 else None


def _next_damage(record: Record, option: dict[str, Any]) -> str | None:
    level = record.get("level") or 0
    at_next = option.get("slot_level") == level + 1 if level else option.get("character_level") == _CANTRIP_STEP
    damage_there: str | None = option.get("damage")
    return damage_there if at_next else None
