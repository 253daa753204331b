"""The game's small fixed vocabularies, and one canonical spelling for each of their values.

The builder writes the canonical spellings, the server accepts other spellings too.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

YES_NO: Final = {"yes": True, "true": True, "no": False, "false": False}
"""Words for yes and no, in lower case."""

ABILITIES: Final = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
DAMAGE_TYPES: Final = (
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
)
WEAPON_DAMAGE_TYPES: Final = ("bludgeoning", "piercing", "slashing")
"""The damage types of mundane weapons: what some books call damage from weapons."""
SCHOOLS: Final = (
    "abjuration",
    "conjuration",
    "divination",
    "enchantment",
    "evocation",
    "illusion",
    "necromancy",
    "transmutation",
)
SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""From the smallest to the largest."""
TITANIC: Final = "titanic"
"""Larger than any size in the rules; only in one publisher's books."""
CREATURE_TYPES: Final = (
    "aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant", "humanoid",
    "monstrosity", "ooze", "plant", "undead",
)  # fmt: skip
CONDITIONS: Final = (
    "blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated", "invisible", "paralyzed",
    "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious",
)  # fmt: skip
"""The conditions in both editions' rules; other publishers have more."""
WEAPON_PROPERTIES: Final = (
    "ammunition", "finesse", "heavy", "light", "loading", "reach", "special", "thrown", "two-handed", "versatile",
)  # fmt: skip
MASTERIES: Final = ("cleave", "graze", "nick", "push", "sap", "slow", "topple", "vex")
ABILITY_OF_SKILL: Final = {
    "acrobatics": "dexterity", "animal_handling": "wisdom", "arcana": "intelligence", "athletics": "strength",
    "culture": "intelligence", "deception": "charisma", "engineering": "intelligence", "history": "intelligence",
    "insight": "wisdom", "intimidation": "charisma", "investigation": "intelligence", "medicine": "wisdom",
    "nature": "intelligence", "perception": "wisdom", "performance": "charisma", "persuasion": "charisma",
    "religion": "intelligence", "sleight_of_hand": "dexterity", "stealth": "dexterity", "survival": "wisdom",
}  # fmt: skip
"""Skill → its ability; culture and engineering are Level Up's."""
WIZARDS: Final = (
    "bigby", "daern", "drawmij", "evard", "heward", "leomund", "melf", "mordenkainen", "nolzur", "nystul", "otiluke",
    "otto", "quaal", "rary", "tasha", "tenser",
)  # fmt: skip
"""Wizards whose names the System Reference Documents leave out of the names of their spells and items."""
RENAMED_SPELLS: Final = {
    "Bigby's Hand": "Arcane Hand",
    "Mordenkainen's Sword": "Arcane Sword",
    "Nystul's Magic Aura": "Arcanist's Magic Aura",
}
"""Spells for which the System Reference Documents do more than leave out the wizard's name.

They are a 5th-level evocation, a 7th-level one and a 2nd-level illusion for wizards, as under the wizards' names; no
other open spell of that level and school has the rest of the name.
"""
PLACES: Final = {
    **dict.fromkeys(("cavern", "caverns"), "caves"),
    **dict.fromkeys(("beach", "coastal", "seashore", "seaside", "shore"), "coast"),
    **dict.fromkeys(("wood", "woodland", "woodlands", "woods"), "forest"),
    **dict.fromkeys(("meadow", "meadows", "prairie", "savanna", "savannah", "steppe"), "grassland"),
    **dict.fromkeys(("sea", "seas"), "ocean"),
    **dict.fromkeys(("town", "towns", "village", "villages"), "settlement"),
    **dict.fromkeys(("bog", "bogs", "fen", "mire"), "swamp"),
    "mountainous": "mountain",
    **dict.fromkeys(("crypt", "crypts"), "tomb"),
    "undersea": "underwater",
    **dict.fromkeys(("cities", "city"), "urban"),
}
"""Players' words for environments → the books'. Listed is only what means the same and is no book's own word."""

EXPERIENCE_BY_CHALLENGE: Final[dict[float, int]] = {
    0: 10, 0.125: 25, 0.25: 50, 0.5: 100, 1: 200, 2: 450, 3: 700, 4: 1100, 5: 1800, 6: 2300, 7: 2900, 8: 3900,
    9: 5000, 10: 5900, 11: 7200, 12: 8400, 13: 10000, 14: 11500, 15: 13000, 16: 15000, 17: 18000, 18: 20000,
    19: 22000, 20: 25000, 21: 33000, 22: 41000, 23: 50000, 24: 62000, 25: 75000, 26: 90000, 27: 105000,
    28: 120000, 29: 135000, 30: 155000,
}  # fmt: skip
"""Experience points by challenge rating, as printed in the rules."""

CHALLENGE_RATINGS: Final = tuple(EXPERIENCE_BY_CHALLENGE)
_MAX_DENOMINATOR: Final = 100
"""Highest denominator of a challenge rating written as a fraction."""

_TIME: Final = re.compile(
    r"(?:(?P<count>\d+)\s*-?\s*)?"
    r"(?P<unit>bonus(?:[\s-]*action)?|action|reaction|round|min(?:ute)?|h(?:ou)?r|day|week|turn)s?\b"
)
_UNITS: Final = {"bonus": "bonus action", "min": "minute", "hr": "hour"}
"""Units by the first letters of their abbreviations."""


def melee_or_ranged(weapon: Mapping[str, Any]) -> str:
    """The word for how a weapon is used, by its column `is_ranged`; empty if that is unknown."""
    is_ranged = weapon.get("is_ranged")
    if is_ranged is None:
        return ""
    return "ranged" if is_ranged else "melee"


def challenge_rating_text(rating: float) -> str:
    """A challenge rating as printed: 0.25 → "1/4", 10.0 → "10"; a query may compare with any number.

    >>> challenge_rating_text(1 / 3), challenge_rating_text(0.3), challenge_rating_text(0.1234)
    ('1/3', '3/10', '0.1234')
    """
    fraction = Fraction(rating).limit_denominator(_MAX_DENOMINATOR)
    return str(fraction) if float(fraction) == rating else f"{rating:g}"


def proficiency_bonus(rating: float) -> int:
    """The proficiency bonus of a creature with this challenge rating."""
    return max(2, 2 + (int(rating) - 1) // 4) if rating >= 1 else 2


def canonical_casting_time(text: str) -> str:
    """The canonical spelling of a casting time, in lower case.

    >>> [canonical_casting_time(t) for t in ("Action", "bonus-action", "10minutes", "1 reaction, which you take when")]
    ['1 action', '1 bonus action', '10 minutes', '1 reaction']
    >>> [canonical_casting_time(t) for t in ("bonus", "10 min", "1 hr")]
    ['1 bonus action', '10 minutes', '1 hour']
    """
    folded = " ".join(text.casefold().split())
    match = _TIME.match(folded)
    if not match:
        return folded
    count = int(match["count"] or 1)
    unit = next((unit for short, unit in _UNITS.items() if match["unit"].startswith(short)), match["unit"])
    return f"{count} {unit}{'' if count == 1 else 's'}"
