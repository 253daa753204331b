"""`search_equipment` and `lookup_equipment`."""

from typing import Final

from server.library.messages import finer
from server.library.names.name_words import singulars
from server.library.requests.kinds import KINDS
from server.tools.parameters import names, token, words
from server.tools.tool import finder

_CATEGORIES: Final = {
    "magic-item": ("potion", "ring", "rod", "scroll", "staff", "wand", "wondrous-item"),
    "armor": ("shield",),
    "adventuring-gear": (
        *("equipment-pack", "food-and-drink", "mount", "poison", "service", "spellcasting-focus", "tack-and-harness"),
        *("tool", "trade-good", "vehicle"),
    ),
    "all": ("ammunition",),
}
"""Types → the item categories that they are divided into, as callers may write them."""
_TYPE_OF: Final = {category: each for each, categories in _CATEGORIES.items() for category in categories}


def _hint_for(value: str) -> str:
    """A hint for a refused type that is an item category, in the singular or plural."""
    spelt = (value, *singulars(value), f"{value}-item")  # "wondrous"
    category = next((each for each in spelt if each in _TYPE_OF), None)
    return finer("equipment", category.replace("-", " "), [_TYPE_OF[category]]) if category else ""


_TYPES: Final = tuple(name for name in KINDS["equipment"] if name)
_TYPE: Final = token(
    "type",
    "with magic ones",
    _TYPES,
    target="kind",
    default="all",
    hint_for=_hint_for,
)

SEARCH: Final = finder(
    "search_equipment",
    "Search equipment",
    "Find weapons, armor, magic items and gear by meaning and facts. Name known: lookup_equipment. "
    'E.g. search="lets me fly", rarity="rare"; type="weapon", is_finesse=true.',
    words("search", "E.g. lets me fly", target="search"),
    _TYPE,
)

LOOKUP: Final = finder(
    "lookup_equipment",
    "Look up equipment",
    "Get weapons, armor, magic items and gear by name. No name: "
    'search_equipment. E.g. name="longsword", type="weapon"; name="cloak of*".',
    names("Or pattern: *sword*"),
    _TYPE,
)
