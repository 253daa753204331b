"""Descriptions of weapons and armor generated from their facts, for items without a useful one in any source."""

from __future__ import annotations

from typing import Any

from server.dataset.vocabulary import melee_or_ranged


def described(facts: dict[str, Any]) -> str | None:
    """A sentence or two stating the weapon or armor columns, or None if those are empty."""
    if facts.get("is_weapon"):
        return _weapon(facts)
    return _armor(facts) if facts.get("armor_class") is not None else None


def _weapon(facts: dict[str, Any]) -> str:
    sentence = " ".join(filter(None, ("A", facts.get("weapon_category"), melee_or_ranged(facts), "weapon")))
    if facts.get("damage_dice"):
        sentence += " that deals " + " ".join(filter(None, (facts["damage_dice"], facts.get("damage_type"), "damage")))
        if facts.get("versatile_dice"):
            sentence += f" ({facts['versatile_dice']} with two hands)"
    names = [p["name"] for p in facts.get("properties") or () if p["name"]]
    ranges = [facts.get("range"), facts.get("long_range")]
    sentences = [
        sentence,
        f"Properties: {', '.join(names)}" if names else None,
        f"Range: {'/'.join(str(feet) for feet in ranges if feet)} feet" if ranges[0] else None,
        f"Mastery: {facts['mastery']}" if facts.get("mastery") else None,
    ]
    return ". ".join(filter(None, sentences)) + "."


def _armor(facts: dict[str, Any]) -> str:
    category, armor_class = facts.get("armor_category"), facts.get("armor_class_text") or facts["armor_class"]
    if category == "shield":
        sentence = f"A shield: {armor_class} to armor class"
    else:
        sentence = f"{category.capitalize()} armor" if category else "Armor"
        sentence += f" with an armor class of {armor_class}"
    sentences = [
        sentence,
        f"Requires Strength {facts['strength_required']}" if facts.get("strength_required") else None,
        "Disadvantage on Stealth checks" if facts.get("stealth_disadvantage") else None,
    ]
    return ". ".join(filter(None, sentences)) + "."
