"""Homebrew equipment → drafts. OrcPub exports none, but some forks and other tools do.

They use the fields of OrcPub's built-in weapons, armor and magic items, or names close to the rulebook's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from build_pipeline.normalize.equipment.armor import SHIELD, armor_facts
from build_pipeline.normalize.equipment.weapons import weapon_facts
from build_pipeline.normalize.homebrew.items import (
    HomebrewCollection,
    Item,
    everything,
    flags,
    label,
    listed,
    mapping,
    text,
    words,
)
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.normalize.text.money import gold, pounds
from build_pipeline.snapshot.orcbrew.field_types import whole
from server.dataset.vocabulary import WEAPON_PROPERTIES

KINDS: Final = {"magic-items": "magic-item", "weapons": "weapon", "armor": "armor", "items": "adventuring-gear"}
"""Kind → entity type."""

_COLUMNS: Final = frozenset(
    (
        *("type", "category", "rarity", "attunement", "requires-attunement", "cost", "weight", "damage", "damage-type"),
        *("damage-die", "damage-die-count", "properties", "range", "melee?", "ranged?", "base-ac", "armor-class", "ac"),
        *("min-str", "stealth-disadvantage?", "max-dex-mod"),
        *WEAPON_PROPERTIES,
        *(f"{name}?" for name in WEAPON_PROPERTIES),
    )
)
"""Fields with a column of their own."""
_DAMAGE_TYPE: Final = re.compile(r"\d\)?\s+([a-z]+)", re.IGNORECASE)
_NO: Final = re.compile(r"\W*(?:no|none|false|not required)\W*", re.IGNORECASE)
_REQUIRED: Final = re.compile(r"^\W*(?:(?:requires\s+attunement|required|yes|true)\b\W*)?|\W+$", re.IGNORECASE)
_DEX_BY_CATEGORY: Final = {"light": " + Dex", "medium": " + Dex (max 2)"}
_ARMOR_CATEGORIES: Final = ("light", "medium", "heavy", SHIELD)


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew item."""
    for kind in KINDS:
        yield from collection.read(kind, _draft)


def _draft(item: Item) -> Draft:
    entity_type = KINDS[item.kind]
    return item.draft(entity_type, _facts(item, entity_type), parent=item.kind)


def _facts(item: Item, entity_type: str) -> dict[str, Any]:
    fields = item.fields
    type_text = label(fields.get("type")) or label(fields.get("category")) or ""
    category, bracket, _ = type_text.lower().partition(" (")
    is_weapon = entity_type == "weapon" or category == "weapon"
    is_armor = entity_type == "armor" or category in {"armor", SHIELD}
    weapon = _weapon(fields) if is_weapon else {}
    armor = _armor(fields) if is_armor else {}
    if item.kind in {"weapons", "armor"} or not category:
        category = SHIELD if armor.get("armor_category") == SHIELD else entity_type
    attunement = fields.get("attunement", fields.get("requires-attunement"))
    return {
        # No column holds the base item of "Weapon (longsword)".
        "description": everything(item, _COLUMNS - {"type"} if bracket else _COLUMNS),
        "item_category": category.replace(" ", "-"),
        "rarity": (label(fields.get("rarity")) or "").lower() or None,
        "requires_attunement": _is_attuned(attunement),
        "attunement_detail": _attunement(attunement),
        "cost_gp": _cost(fields.get("cost")),
        "weight_lb": _weight(fields.get("weight")),
        "is_magic": entity_type == "magic-item",
        "is_weapon": is_weapon,
        "is_armor": is_armor,
        **weapon,
        **armor,
    }


def _is_attuned(value: Any) -> bool | None:
    """Whether an item requires attunement: from a flag, a list of those who can attune, or a text such as "no"."""
    return None if value is None else bool(value) and not (isinstance(value, str) and _NO.fullmatch(value))


def _attunement(value: Any) -> str | None:
    """Who can attune, unless anyone can: from `[:wizard :sorcerer]`, or "requires attunement by a bard"."""
    who = [words(key) for key in flags(value) if key != "any"]
    if who:
        return f"by a {listed(who, 'or')}"
    told = text(value) if isinstance(value, str) and not _NO.fullmatch(value) else None
    return (_REQUIRED.sub("", told) or None) if told else None


def _cost(value: Any) -> float | None:
    """Price in gold pieces, from `{:num 25 :type :gp}`, "25 gp" or 25."""
    price = f"{value.get('num')} {value.get('type') or 'gp'}" if isinstance(value, dict) else value
    with suppress(ValueError):
        return gold(price)
    return None


def _weight(value: Any) -> float | None:
    with suppress(ValueError):
        return pounds(value)
    return None


def _weapon(fields: dict[str, Any]) -> dict[str, Any]:
    """The weapon columns; empty without damage, as for a magic weapon, whose damage is that of its base item."""
    damage = text(fields.get("damage")) or ""
    dice = _dice(fields) or canonical_dice(damage)
    if dice is None:
        return {}
    ranges = mapping(fields.get("range"))
    near, far = (whole(ranges.get(old)) or whole(ranges.get(new)) for old, new in (("min", "normal"), ("max", "long")))
    named = [words(name).lower() for name in flags(fields.get("properties"))]
    switched = [name for name in WEAPON_PROPERTIES if fields.get(name) or fields.get(f"{name}?")]
    reach = f"range {near}/{far}" if near and far else None
    details = {"thrown": reach, "ammunition": reach, "versatile": _dice(mapping(fields.get("versatile")))}
    type_text = label(fields.get("type")) or label(fields.get("category")) or ""
    dealt = _DAMAGE_TYPE.search(damage)
    found = weapon_facts(
        simple="simple" in type_text.lower(),
        ranged=_is_ranged(fields),
        dice=dice,
        damage_type=label(fields.get("damage-type")) or (dealt[1] if dealt else None),
        properties=[{"name": name, "detail": details.get(name)} for name in dict.fromkeys([*switched, *named])],
        ranges=(near, far),
    )
    names_category = any(category in type_text.lower() for category in ("simple", "martial"))
    return found if names_category else found | {"weapon_category": None, "is_simple": None}


def _is_ranged(fields: dict[str, Any]) -> bool | None:
    for name, ranged in (("ranged", True), ("melee", False)):
        if fields.get(name) or fields.get(f"{name}?"):
            return ranged
    return None


def _dice(fields: dict[str, Any]) -> str | None:
    die, count = whole(fields.get("damage-die")), whole(fields.get("damage-die-count")) or 1
    return f"{count}d{die}" if die else None


def _armor(fields: dict[str, Any]) -> dict[str, Any]:
    type_text = (label(fields.get("type")) or label(fields.get("category")) or "").lower()
    category = next((name for name in _ARMOR_CATEGORIES if name in type_text), None)
    base = next(filter(None, (whole(fields.get(field)) for field in ("base-ac", "armor-class", "ac"))), None)
    if category is None or base is None:
        return {"armor_category": category, "armor_class": base}
    cap = whole(fields.get("max-dex-mod"))
    return armor_facts(
        category=category,
        base=base,
        text=f"{base} + Dex (max {cap})" if cap else f"{base}{_DEX_BY_CATEGORY.get(category, '')}",
        strength=whole(fields.get("min-str")),
        stealth_disadvantage=fields.get("stealth-disadvantage?") is True,
    )
