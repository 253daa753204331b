"""The six abilities, by their abbreviations and by skills."""

from __future__ import annotations

from typing import Final

from server.dataset.schema import ABILITIES

ABILITY_OF: Final = {ability[:3]: ability for ability in ABILITIES}
"""Abbreviation → ability: `str` → `strength`."""
ABILITY_OF_SKILL: Final = {
    "acrobatics": "dexterity", "animal_handling": "wisdom", "arcana": "intelligence", "athletics": "strength",
    "culture": "intelligence", "deception": "charisma", "engineering": "intelligence", "history": "intelligence",
    "insight": "wisdom", "intimidation": "charisma", "investigation": "intelligence", "medicine": "wisdom",
    "nature": "intelligence", "perception": "wisdom", "performance": "charisma", "persuasion": "charisma",
    "religion": "intelligence", "sleight_of_hand": "dexterity", "stealth": "dexterity", "survival": "wisdom",
}  # fmt: skip
