"""Equipment as Foundry items: weapons, armor and other worn items, consumables, tools, loot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.exports.foundry.documents import Document, activities, activity, damage, document, html, recovery

if TYPE_CHECKING:
    from server.dataset.record import Record

PROPERTIES: Final = {
    "ammunition": "amm",
    "finesse": "fin",
    "heavy": "hvy",
    "light": "lgt",
    "loading": "lod",
    "reach": "rch",
    "special": "spc",
    "thrown": "thr",
    "two-handed": "two",
    "versatile": "ver",
}
RARITIES: Final = {
    "common": "common",
    "uncommon": "uncommon",
    "rare": "rare",
    "very rare": "veryRare",
    "legendary": "legendary",
    "artifact": "artifact",
}
_KINDS: Final = {
    "ring": ("equipment", "ring"),
    "rod": ("equipment", "rod"),
    "wand": ("equipment", "wand"),
    "staff": ("equipment", "trinket"),
    "wondrous-item": ("equipment", "wondrous"),
    # Magic for any weapon or armor: the record does not say for which one.
    "weapon": ("equipment", "trinket"),
    "armor": ("equipment", "trinket"),
    "potion": ("consumable", "potion"),
    "scroll": ("consumable", "scroll"),
    "poison": ("consumable", "poison"),
    "ammunition": ("consumable", "ammo"),
    "food-and-drink": ("consumable", "food"),
    "tools": ("tool", ""),
}
"""Category → type of item, and kind within the type; any other category is loot."""
_REGAINED: Final = re.compile(
    r"(?P<amount>all|\d+(?:d\d+(?:[+-]\d+)?)?) (?:(?:daily|each day|each|every|at|in the twilight before|during an?|"
    r"whenever you finish an?) )*(?P<time>dawn|sunrise|dusk|sunset|midnight|short or long rest|long rest)\b"
)
_PERIODS: Final = {
    "dawn": "dawn",
    "sunrise": "dawn",
    "dusk": "dusk",
    "sunset": "dusk",
    "midnight": "day",
    "short or long rest": "sr",
    "long rest": "lr",
}
"""Time at which charges are regained → period; any other time is left to the text."""
_DEXTERITY: Final = re.compile(r"\+ Dex(?: \(max (\d+)\))?")


def item(record: Record) -> Document:
    """A piece of equipment as an item of the type that fits it."""
    kind, own = _kind(record)
    return document(record, kind, _common(record) | own)


def _kind(record: Record) -> tuple[str, Document]:
    """Foundry's type of item, and the fields specific to that type."""
    category = record.get("item_category") or ""
    if record.get("weapon_category"):
        return "weapon", _weapon(record)
    if record.get("armor_category"):
        return "equipment", _armor(record)
    kind, own = _KINDS.get(category, ("loot", "gear"))
    return kind, {
        "type": {"value": own, "baseItem": ""} if kind in ("equipment", "tool") else {"value": own, "subtype": ""}
    }


def _common(record: Record) -> Document:
    return {
        "description": {"value": html(record.get("description")), "chat": ""},
        "quantity": 1,
        "weight": {"value": record.get("weight_lb") or 0, "units": "lb"},
        "price": _price(record.get("cost_gp")),
        "rarity": RARITIES.get(record.get("rarity") or "", ""),
        "attunement": "required" if record.get("requires_attunement") else "",
        "identified": True,
        "properties": ["mgc"] if record.get("is_magic") else [],
        "uses": _uses(record.get("charges") or {}),
        "activities": {},
    }


def _uses(charges: dict[str, Any]) -> Document:
    """The number of charges, and when they are regained; a number that is rolled is left to the text."""
    number = charges.get("number")
    regained = _REGAINED.match(charges.get("regains") or "") if number else None
    return {
        "max": str(number) if number else "",
        "spent": 0,
        "recovery": [_recovery(regained["amount"], _PERIODS[regained["time"]])] if regained else [],
    }


def _recovery(amount: str, period: str) -> Document:
    return recovery(period) if amount == "all" else recovery(period, "formula", amount)


def _price(gold: float | None) -> Document:
    """A price in the largest coin that needs no fraction."""
    copper = round((gold or 0) * 100)
    for coin, worth in (("gp", 100), ("sp", 10)):
        if copper % worth == 0:
            return {"value": copper // worth, "denomination": coin}
    return {"value": copper, "denomination": "cp"}


def _weapon(record: Record) -> Document:
    names = {part["name"] for part in record.get("properties") or ()}
    where = "R" if record.get("is_ranged") else "M"
    properties = sorted(PROPERTIES[name] for name in names if name in PROPERTIES)
    kinds = [record["damage_type"]] if record.get("damage_type") else []
    weapon: dict[str, Any] = {
        "type": {"value": f"{record['weapon_category']}{where}", "baseItem": ""},
        "damage": {"base": damage(record.get("damage_dice"), kinds)},
        "range": _range(record, melee=where == "M", reach="reach" in names),
        "properties": [*properties, *(["mgc"] if record.get("is_magic") else [])],
        "mastery": record.get("mastery") or "",
        "magicalBonus": record.get("bonus"),
        "activities": activities(
            activity(
                "attack",
                (record["id"],),
                {"type": "action", "value": 1},
                attack={"type": {"value": "melee" if where == "M" else "ranged", "classification": "weapon"}},
                damage={"includeBase": True, "parts": []},
            )
        ),
    }
    if record.get("versatile_dice"):
        weapon["damage"]["versatile"] = damage(record["versatile_dice"], kinds)
    return weapon


def _range(record: Record, *, melee: bool, reach: bool) -> Document:
    near, far = record.get("range"), record.get("long_range")
    flies = far is not None or not melee
    return {
        "value": near if flies else None,
        "long": far,
        "reach": (10 if reach else 5) if melee else None,
        "units": "ft",
    }


def _armor(record: Record) -> Document:
    category = record["armor_category"]
    noisy = ["stealthDisadvantage"] if record.get("stealth_disadvantage") else []
    return {
        "type": {"value": category, "baseItem": ""},
        "armor": {"value": record.get("armor_class"), "dex": _dexterity(record), "magicalBonus": record.get("bonus")},
        "strength": record.get("strength_required"),
        "properties": [*noisy, *(["mgc"] if record.get("is_magic") else [])],
    }


def _dexterity(record: Record) -> int | None:
    """The printed maximum of the Dexterity modifier; None if it is unlimited, and for shields."""
    told = record.get("armor_class_text")
    if not told or record["armor_category"] == "shield":
        return None
    if found := _DEXTERITY.search(told):
        return int(found[1]) if found[1] else None
    return 0
