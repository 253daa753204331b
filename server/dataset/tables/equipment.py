"""The table of equipment."""

from __future__ import annotations

from typing import Final

import polars as pl

from server.dataset.tables.column_types import COMMON, EQUIPMENT_TYPES, REFERENCE, SPELL_CAST
from server.dataset.tables.columns import Column, Table

_WEAPON: Final = ("weapon", "magic-item")
_ARMOR: Final = ("armor", "magic-item")
_MAGIC: Final = ("magic-item",)

EQUIPMENT: Final = Table(
    "equipment",
    "Weapons, armor, magic items, gear, mounts, vehicles and services.",
    EQUIPMENT_TYPES,
    (
        *COMMON,
        Column(
            "item_category",
            pl.String,
            "weapon, armor, shield, ring, wondrous-item, tools…; item-set for a kind of items, as Light Armor.",
            "v2",
            summary=True,
        ),
        Column(
            "cost_gp",
            pl.Float64,
            "Price in gold pieces; the books price few magic items.",
            "v2 items cost; dnd5e cost",
            summary=True,
            unit="gp",
        ),
        Column("weight_lb", pl.Float64, "Weight in pounds.", "v2 items weight; dnd5e weight", summary=True, unit="lb"),
        Column("is_magic", pl.Boolean, "Is magical.", "endpoint", summary=True, required=True),
        Column(
            "rarity",
            pl.String,
            "Rarity, lower case: `very rare`; null for mundane items.",
            "v2 rarity; v1 rarity",
            summary=True,
        ),
        Column("requires_attunement", pl.Boolean, "Requires attunement.", "v2; v1; text", summary=True),
        Column("attunement_detail", pl.String, "Who can attune to it: `by a wizard`.", "v2; v1; text", summary=True),
        Column("base_item", REFERENCE, "The mundane item that a magic item is made from.", "v2 weapon, armor"),
        Column(
            "bonus",
            pl.Int32,
            "Bonus in its name, or that its text gives it as a weapon, armor or shield: 2 for +2. The bonus of a ring "
            "or cloak is only in its text.",
            "name; text",
            _MAGIC,
            unit="bonus",
        ),
        Column(
            "charges",
            pl.Struct({"number": pl.Int32, "roll": pl.String, "regains": pl.String}),
            "Charges: `number`, or `roll` if it is rolled; `regains`: `1d6+1 daily at dawn`.",
            "text",
            _MAGIC,
        ),
        Column(
            "spells",
            pl.List(SPELL_CAST),
            "Spells cast from it: the cost of a casting (`2 charges`, `1/Day`, `At Will`), its level, and the spell's "
            "id in its edition.",
            "text",
            _MAGIC,
        ),
        Column("weapon_category", pl.String, "simple or martial.", "v2 weapons", _WEAPON, summary=True),
        Column("damage_dice", pl.String, "Damage: `1d8`.", "v2 weapons", _WEAPON, summary=True),
        Column(
            "damage_average",
            pl.Float64,
            "Average of `damage_dice`: 4.5 for `1d8`.",
            "damage_dice",
            _WEAPON,
            unit="points of damage",
        ),
        Column("damage_type", pl.String, "Damage type, lower case.", "v2 weapons", _WEAPON, summary=True),
        Column("versatile_dice", pl.String, "Damage with two hands.", "v2 properties", _WEAPON),
        Column(
            "versatile_average",
            pl.Float64,
            "Average of `versatile_dice`.",
            "versatile_dice",
            _WEAPON,
            unit="points of damage",
        ),
        Column(
            "properties",
            pl.List(pl.Struct({"name": pl.String, "detail": pl.String})),
            "Weapon properties, lower case, with their detail.",
            "v2 weapons",
            _WEAPON,
            choice=True,
        ),
        Column(
            "mastery", pl.String, "Weapon mastery, lower case.", "v2 properties of type Mastery", _WEAPON, choice=True
        ),
        Column("range", pl.Int32, "Normal range in feet.", "v2 weapons", _WEAPON, choice=True, unit="feet"),
        Column("long_range", pl.Int32, "Long range in feet.", "v2 weapons", _WEAPON, choice=True, unit="feet"),
        Column("is_simple", pl.Boolean, "Is a simple weapon.", "v2 weapons", _WEAPON, summary=True),
        Column(
            "is_ranged",
            pl.Boolean,
            "Is a ranged weapon, such as a bow or a dart; a melee weapon may be thrown too.",
            "v1 weapons",
            _WEAPON,
            summary=True,
        ),
        Column("armor_category", pl.String, "light, medium, heavy or shield.", "v2 armor", _ARMOR, summary=True),
        Column(
            "armor_class",
            pl.Int32,
            "Base armor class; a shield's bonus. Without the `bonus` of magic.",
            "v2 armor",
            _ARMOR,
            summary=True,
            unit="armor class",
        ),
        Column("armor_class_text", pl.String, "`14 + Dex (max 2)`.", "v2 armor", _ARMOR, choice=True),
        Column("strength_required", pl.Int32, "Strength score required.", "v2 armor", _ARMOR, unit="score"),
        Column("stealth_disadvantage", pl.Boolean, "Disadvantage on Stealth.", "v2 armor", _ARMOR),
        Column("is_weapon", pl.Boolean, "Has weapon facts (a magic weapon too).", response=False, required=True),
        Column("is_armor", pl.Boolean, "Has armor facts (magic armor, shields).", response=False, required=True),
        Column("is_finesse", pl.Boolean, "Has the finesse property.", "properties", _WEAPON, summary=True),
        Column("is_light", pl.Boolean, "Has the light property.", "properties", _WEAPON, summary=True),
    ),
)
