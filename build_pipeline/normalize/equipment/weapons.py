"""The sources' weapon rows → the columns of weapons and magic weapons."""

from __future__ import annotations

import re
from typing import Any, Final

from build_pipeline.normalize.text.dice import roll_or_number
from build_pipeline.snapshot.raw import JsonObject

Facts = dict[str, Any]
"""Column → value, as in `Draft.facts`."""

_PROPERTY: Final = re.compile(r"(?P<name>[^(]+?)\s*(?:\((?P<detail>.*)\))?")
_RANGE: Final = re.compile(r"(?<!\d)(\d+)/(\d+)")
_NOT_THE_WEAPONS: Final = {"monk"}
"""Properties that the D&D 5e API lists though they belong to a class."""


def v2_weapon(row: JsonObject) -> Facts:
    """Weapon columns of a row of /v2/weapons, or of the same object inside an item (which lacks the ranges)."""
    properties = []
    mastery = None
    for entry in row["properties"]:
        name = entry["property"]["name"].lower()
        if entry["property"]["type"] == "Mastery":
            mastery = name
        else:
            # "Special (Net)": the brackets repeat the weapon's name.
            detail = entry["detail"]
            properties.append({"name": name.partition(" (")[0], "detail": detail.lower() if detail else None})
    return weapon_facts(
        simple=row["is_simple"],
        dice=row["damage_dice"],
        damage_type=row["damage_type"]["name"] if row["damage_type"] else None,
        properties=properties,
        ranges=(row.get("range"), row.get("long_range")),
        mastery=mastery,
    )


def v1_weapon(row: JsonObject) -> Facts:
    """Weapon columns of a row of /v1/weapons, whose properties are texts: "thrown (range 20/60)"."""
    properties = []
    for text in row["properties"] or []:
        if match := _PROPERTY.fullmatch(text.strip()):
            detail = match["detail"]
            if detail and _RANGE.fullmatch(detail):
                detail = f"range {detail}"
            properties.append({"name": match["name"].lower(), "detail": detail})
    return weapon_facts(
        simple=row["category"].startswith("Simple"),
        ranged="Ranged" in row["category"],
        dice=row["damage_dice"],
        damage_type=row["damage_type"],
        properties=properties,
    )


def dnd5e_weapon(row: JsonObject) -> Facts:
    """Weapon columns of a weapon among the D&D 5e API's equipment, of either year."""
    damage = row.get("damage") or {}
    two_handed = (row.get("two_handed_damage") or {}).get("damage_dice")
    # The range of a melee weapon is its reach; a range proper has a long range too.
    reach = row.get("throw_range") or row.get("range") or {}
    ranges = (reach["normal"], reach["long"]) if reach.get("long") else (None, None)
    details = {"versatile": two_handed}
    if ranges[0]:
        details |= dict.fromkeys(("thrown", "ammunition"), f"range {ranges[0]}/{ranges[1]}")
    names = [p["index"] for p in row["properties"] if p["index"] not in _NOT_THE_WEAPONS]
    return weapon_facts(
        simple=is_simple(row),
        ranged=_is_ranged(row),
        dice=damage.get("damage_dice"),
        damage_type=(damage.get("damage_type") or {}).get("name"),
        properties=[{"name": n, "detail": details.get(n)} for n in names],
        ranges=ranges,
        mastery=(row.get("mastery") or {}).get("index"),
    )


def is_simple(row: JsonObject) -> bool:
    """Whether a weapon of the D&D 5e API is a simple one: 2014 has a field, 2024 a list of categories."""
    if "weapon_category" in row:
        return bool(row["weapon_category"] == "Simple")
    return any(c["index"] == "simple-weapons" for c in row["equipment_categories"])


def _is_ranged(row: JsonObject) -> bool:
    """Whether a weapon of the D&D 5e API is a ranged one: 2014 has a field, 2024 a list of categories."""
    if "weapon_range" in row:
        return bool(row["weapon_range"] == "Ranged")
    return any(c["index"] == "ranged-weapons" for c in row["equipment_categories"])


def weapon_facts(
    *,
    simple: bool,
    ranged: bool | None = None,
    dice: str | None,
    damage_type: str | None,
    properties: list[dict[str, str | None]],
    ranges: tuple[int | None, int | None] = (None, None),
    mastery: str | None = None,
) -> Facts:
    """The weapon columns; missing ranges are read from the properties' details, and damage of 0 becomes unknown.

    A weapon that shoots ammunition is a ranged one. Of others, such as the dart, only a source that says it is known.
    """
    dice = None if dice == "0" else roll_or_number(dice)
    names = {p["name"] for p in properties}
    normal, long = ranges
    for entry in properties:
        if not normal and (match := _RANGE.search(entry["detail"] or "")):
            normal, long = int(match[1]), int(match[2])
    if normal:
        for entry in properties:
            # Where a property's own range differs from the weapon's (2014 sling), the weapon's is right.
            if entry["detail"]:
                entry["detail"] = _RANGE.sub(f"{normal}/{long}", entry["detail"])
    return {
        "weapon_category": "simple" if simple else "martial",
        "is_simple": simple,
        "is_ranged": True if "ammunition" in names else ranged,
        "damage_dice": dice,
        "damage_type": damage_type.strip().lower() or None if dice and damage_type else None,
        "versatile_dice": next((roll_or_number(p["detail"]) for p in properties if p["name"] == "versatile"), None),
        "properties": sorted(properties, key=lambda p: str(p["name"])),
        "mastery": mastery,
        "range": normal or None,
        "long_range": long or None,
        "is_finesse": "finesse" in names,
        "is_light": "light" in names,
    }
