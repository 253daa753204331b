"""The sources' armor rows → the columns of armor and magic armor."""

from __future__ import annotations

from typing import Final

from build_pipeline.normalize.equipment.weapons import Facts
from build_pipeline.snapshot.raw import JsonObject

SHIELD: Final = "shield"


def v2_armor(row: JsonObject) -> Facts:
    """Armor columns of a row of /v2/armor, or of the same object inside an item."""
    # The 2024 shield is filed under heavy armor.
    category = SHIELD if row["name"].casefold() == SHIELD else row["category"]
    return armor_facts(
        category=category,
        base=row["ac_base"],
        text=row["ac_display"],
        strength=row["strength_score_required"],
        stealth_disadvantage=row["grants_stealth_disadvantage"],
    )


def v1_armor(row: JsonObject) -> Facts:
    """Armor columns of a row of /v1/armor that is armor; a shield's bonus is its flat modifier."""
    category = row["category"].lower().removesuffix(" armor")
    return armor_facts(
        category=category,
        base=row["plus_flat_mod"] if category == SHIELD else row["base_ac"],
        text=row["ac_string"],
        strength=row["strength_requirement"],
        stealth_disadvantage=row["stealth_disadvantage"],
    )


def dnd5e_armor(row: JsonObject) -> Facts:
    """Armor columns of armor among the D&D 5e API's equipment, of either year."""
    armor_class = row["armor_class"]
    text = str(armor_class["base"])
    if armor_class["dex_bonus"]:
        cap = armor_class.get("max_bonus")
        text += f" + Dex (max {cap})" if cap else " + Dex"
    category = row.get("armor_category") or next(
        c["index"].removesuffix("-armor")
        for c in row["equipment_categories"]
        if c["index"].endswith("-armor") or c["index"] in {"shield", "shields"}
    )
    return armor_facts(
        category=category.lower().removesuffix("s"),
        base=armor_class["base"],
        text=text,
        strength=row["str_minimum"],
        stealth_disadvantage=row["stealth_disadvantage"],
    )


def armor_facts(*, category: str, base: int, text: str, strength: int | None, stealth_disadvantage: bool) -> Facts:
    """The armor columns; a shield's armor class is the bonus that it gives."""
    return {
        "armor_category": category,
        "armor_class": base,
        "armor_class_text": f"+{base}" if category == SHIELD else text.replace(" modifier", ""),
        "strength_required": strength or None,
        "stealth_disadvantage": stealth_disadvantage,
    }
