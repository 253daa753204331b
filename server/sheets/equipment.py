"""Weapons, armor, magic items and gear: the kind, the facts for play, price and weight, the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.dataset.record import Record
from server.dataset.vocabulary import melee_or_ranged
from server.sheets.markdown import facts, italic, plain, prose
from server.sheets.wording import capitalized, dice, follows_2024, money, pounds, titled

if TYPE_CHECKING:
    from collections.abc import Iterator


def body(record: Record) -> Iterator[str]:
    """The blocks of an item's sheet."""
    yield italic(_kind(record))
    cost, weight = record.get("cost_gp"), record.get("weight_lb")
    strength = record.get("strength_required")
    yield facts(
        ("Damage", _damage(record)),
        ("Properties", ", ".join(_property(part, record) for part in record.get("properties") or ())),
        ("Mastery", titled(record.get("mastery") or "")),
        ("Range", _range(record)),
        ("Armor Class", _armor_class(record)),
        ("Strength", None if strength is None else str(strength)),
        ("Stealth", "Disadvantage" if record.get("stealth_disadvantage") else None),
        ("Cost", None if cost is None else money(cost, capitals=follows_2024(record))),
        ("Weight", None if weight is None else pounds(weight)),
        colon=True,
    )
    yield prose(record.get("description"))


def _kind(record: Record) -> str:
    """`Weapon (longsword), rare (requires attunement by a paladin)`; titled in the books of 2024."""
    words = f"{_category(record)}{_base(record)}"
    words = ", ".join(filter(None, (words, record.get("rarity")))) + _attunement(record)
    return plain(titled(words) if follows_2024(record) else capitalized(words))


def _category(record: Record) -> str:
    """`martial melee weapon`, `medium armor`, `wondrous item`; a magic weapon's base item implies the finer words."""
    category = (record.get("item_category") or record["entity_type"]).replace("-", " ")
    if record.get("is_magic"):
        return str(category)
    finer = record.get("weapon_category") or record.get("armor_category")
    return " ".join(filter(None, (None if finer == category else finer, melee_or_ranged(record), category)))


def _base(record: Record) -> str:
    base = record.get("base_item")
    return f" ({base['name'].lower()})" if base else ""


def _attunement(record: Record) -> str:
    if not record.get("requires_attunement"):
        return ""
    return f" ({' '.join(filter(None, ('requires attunement', record.get('attunement_detail'))))})"


def _damage(record: Record) -> str | None:
    if not record.get("damage_dice"):
        return None
    kind = record.get("damage_type") or ""
    shown = f"{dice(record['damage_dice'])} {titled(kind) if follows_2024(record) else kind}".strip()
    two_handed = record.get("versatile_dice")
    in_property = any(part["name"] == "versatile" and part.get("detail") for part in record.get("properties") or ())
    return f"{shown} ({dice(two_handed)} with two hands)" if two_handed and not in_property else shown


def _property(part: dict[str, Any], record: Record) -> str:
    name = titled(part["name"]) if follows_2024(record) else part["name"]
    return plain(name) + (f" ({plain(part['detail'])})" if part.get("detail") else "")


def _range(record: Record) -> str | None:
    """The range, unless a property prints it."""
    near, far = record.get("range"), record.get("long_range")
    in_property = any("range" in (part.get("detail") or "") for part in record.get("properties") or ())
    if near is None or in_property:
        return None
    return f"{near}/{far} ft." if far else f"{near} ft."


def _armor_class(record: Record) -> str | None:
    text, number = record.get("armor_class_text"), record.get("armor_class")
    if text:
        return plain(text.replace("Dex", "Dex modifier"))
    return None if number is None else str(number)
