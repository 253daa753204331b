"""Synonyms of parameters, tokens and values, to tell which is meant: by words first, then by letters."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz, process

if TYPE_CHECKING:
    from collections.abc import Iterable

_MIN_RATIO: Final = 60
"""Similarity (0..100) of letters from which two words are near each other."""
_MOVING: Final = {"burrow": "burrowing", "climb": "climbing", "fly": "flying", "swim": "swimming"}
SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("ac", "armour class"), ("armor class",)),
    **dict.fromkeys(("hp", "hit point", "health"), ("hit points",)),
    "minimum": ("min",),
    "maximum": ("max",),
    "challenge": ("cr",),
    "cr": ("challenge rating",),
    **dict.fromkeys(("book", "edition", "game system", "ruleset", "source", "system", "version"), ("documents",)),
    **dict.fromkeys(("category", "kind"), ("type", "rule type", "content types")),
    **dict.fromkeys(("biome", "habitat", "location", "terrain"), ("environment",)),
    "speed": ("speed", "movement"),
    "condition": ("inflicts", "rule"),
    **dict.fromkeys(("language", "skill"), ("rule",)),
    **dict.fromkeys(("save", "saving throw"), ("forces saves", "saving throw")),
    **dict.fromkeys(("spell save dc", "spell dc"), ("save dc",)),
    **dict.fromkeys(("xp", "experience"), ("experience points",)),
    **dict.fromkeys(("stat", "score"), ("ability scores",)),
    **dict.fromkeys(("hit die", "hd"), ("hit dice",)),
    **dict.fromkeys(("immunity", "immunities", "damage immunities", "condition immunities"), ("immune to",)),
    "immune": ("immune to", "immunities"),
    **dict.fromkeys(("resistance", "damage resistance"), ("resistant to",)),
    "resistant": ("resistant to", "resistances"),
    **dict.fromkeys(("vulnerability", "vulnerabilities", "damage vulnerabilities", "weakness"), ("vulnerable to",)),
    "vulnerable": ("vulnerable to", "vulnerabilities"),
    **dict.fromkeys(("price", "worth"), ("cost",)),
    "weigh": ("weight",),
    "lifespan": ("age",),
    "radius": ("area of effect",),
    "requirement": ("required", "prerequisite"),
    "multiclass": ("multiclassing",),
    **dict.fromkeys(("movement speed", "walking speed"), ("speed",)),
    **{gerund: (verb,) for verb, gerund in _MOVING.items()},
    **dict.fromkeys(("chapter", "heading"), ("section",)),
    "class": ("class", "class key", "subclass of", "character option"),
    **dict.fromkeys(("character level", "max level", "to level"), ("level",)),
    **dict.fromkeys(("species", "ancestry", "heritage"), ("race", "character option")),
    "subspecies": ("subrace",),
    **dict.fromkeys(("background", "feat", "race"), ("character option",)),
    **dict.fromkeys(("item", "magic item", "weapon", "armor"), ("equipment",)),
    **dict.fromkeys(("monster", "npc"), ("creature",)),
    "dungeon": ("ruins",),
    "underground": ("underdark",),
    "str": ("strength",),
    "dex": ("dexterity",),
    "con": ("constitution",),
    "int": ("intelligence",),
    "wis": ("wisdom",),
    "cha": ("charisma",),
}
"""Players' word or phrase, in the singular → the tools' words for it, of which only the valid ones count."""
_LONGEST_FIRST: Final = "|".join(sorted(SYNONYMS, key=len, reverse=True))
_PHRASE: Final = re.compile(rf"\b({_LONGEST_FIRST})(?:e?s)?\b")
_PLURAL: Final = re.compile(r"(?:ies|y|s)$")
_MOST_READINGS: Final = 16


def meant(value: str, valid: Iterable[str]) -> str | None:
    """The valid word that a value means: the same words in any order, or synonyms; otherwise similar letters.

    >>> meant("max_cr", ["cr", "cr_max", "hit_points_min"])
    'cr_max'
    >>> meant("hp_min", ["cr", "cr_min", "hit_points_min"])
    'hit_points_min'
    """
    plain = {each: _plain(each) for each in valid}
    if same := same_words(value, plain):
        return same
    near = (process.extractOne(each, plain, scorer=fuzz.ratio, score_cutoff=_MIN_RATIO) for each in readings(value))
    best = max(filter(None, near), key=lambda hit: hit[1], default=None)
    return best[2] if best else None


def same_words(value: str, valid: Iterable[str]) -> str | None:
    """The valid word that has the same words as a value, in any order, or synonyms of them.

    >>> same_words("Hit Die", ["hit_dice", "hit_points"]), same_words("hit", ["hit_dice"])
    ('hit_dice', None)
    """
    return next(iter(all_with_words(value, valid)), None)


def all_with_words(value: str, valid: Iterable[str]) -> list[str]:
    """All such valid words, those with the words as they are first."""
    bags = {each: _bag(_plain(each)) for each in valid}
    return [each for reading in map(_bag, readings(value)) for each, words in bags.items() if words == reading]


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def _bag(text: str) -> list[str]:
    """The words of a text without "of", sorted, singular and plural alike."""
    return sorted(_PLURAL.sub("", word) for word in re.findall(r"\w+", text) if word != "of")


def readings(value: str) -> list[str]:
    """A value as it is, in lower case, and with its phrases replaced by what they may mean."""
    text = _plain(value)
    pieces = _PHRASE.split(text)  # every second one is a phrase
    ways = [SYNONYMS[piece] if place % 2 else (piece,) for place, piece in enumerate(pieces)]
    read = ("".join(way) for way in islice(product(*ways), _MOST_READINGS))
    return list(dict.fromkeys((text, *read)))
