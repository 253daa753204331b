"""Bonuses that Foundry's dnd5e system computes for an exported actor of type `npc`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foundry_model import SKILLS


def modifier(actor: Mapping[str, Any], ability: str) -> int:
    """An ability's modifier as the system computes it: a missing score is 10."""
    return int((actor["system"]["abilities"][ability].get("value", 10) - 10) // 2)


def proficiency(actor: Mapping[str, Any]) -> int:
    """The proficiency bonus as the system computes it: 0 without a challenge rating."""
    rating = actor["system"]["details"]["cr"]
    return 0 if rating is None else int((max(rating, 1) + 7) // 4)


def saving_throw(actor: Mapping[str, Any], ability: str) -> int:
    """The bonus of a saving throw."""
    told = actor["system"]["abilities"][ability]
    return modifier(actor, ability) + told["proficient"] * proficiency(actor) + int(told["bonuses"]["save"] or 0)


def skill(actor: Mapping[str, Any], key: str) -> int:
    """The bonus of a check: a skill without an ability uses Dexterity."""
    told = actor["system"]["skills"].get(key, {"value": 0, "ability": SKILLS[key]})
    bonus = int(told.get("bonuses", {}).get("check") or 0)
    return modifier(actor, told.get("ability", "dex")) + told["value"] * proficiency(actor) + bonus


def passive(actor: Mapping[str, Any], key: str) -> int:
    """The score of a passive check."""
    bonuses = actor["system"]["skills"].get(key, {}).get("bonuses", {})
    return 10 + skill(actor, key) + int(bonuses.get("passive") or 0)
