"""Where things are in the books: which sections are not rules, which name a family of rules, which are kept whole.

A path lists headings from the book's part down, each a pattern (`fnmatch`), and matches the section at that path. A
section not listed here is a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, TypeVar

from build_pipeline.normalize.books.tree import Section

Path = tuple[str, ...]
T = TypeVar("T")

_CLASSES: Final = (
    *("Barbarian", "Bard", "Cleric", "Druid", "Fighter", "Monk"),
    *("Paladin", "Ranger", "Rogue", "Sorcerer", "Warlock", "Wizard"),
)
_RACES: Final = ("Dragonborn", "Dwarf", "Elf", "Gnome", "Half-Elf", "Half-Orc", "Halfling", "Human", "Tiefling")

NO_RULES: Final[Mapping[str, Sequence[Path]]] = {
    "srd-2024": (
        *((name,) for name in _CLASSES),
        ("Spell Descriptions*",),
        ("Magic Items A–Z*", "*"),  # its own text says how items are described
        ("Magic Items [I-Q]–[A-Z]*",),
        ("Monsters [A-Z]–[A-Z]*",),
        ("Animals",),
    ),
    "srd-2014": (
        ("Classes",),
        *(("Races", name) for name in _RACES),
        ("Beyond 1st Level", "Backgrounds", "Acolyte"),
        ("Feats", "Grappler"),
        ("Spell Lists", "Spell Descriptions"),
        ("Magic Items", "Magic Item Descriptions"),
        ("Magic Items", "Artifacts"),
        ("Monsters", "Monster Descriptions"),
        ("Miscellaneous Creatures", "Creature Descriptions"),
        ("Nonplayer Characters", "Nonplayer Character Descriptions"),
    ),
}
"""Sections that are not rules and have none below them: spells, stat blocks, items, classes and the like have their own
readers."""

LISTS: Final[Mapping[str, Mapping[Path, str]]] = {
    "srd-2024": {
        ("Character Origins", "Character Backgrounds", "Background Descriptions"): "background",
        ("Character Origins", "Character Species", "Species Descriptions"): "race",
        ("Feats", "* Feats"): "feat",
        ("Equipment", "Tools", "Artisan's Tools"): "adventuring-gear",
        ("Equipment", "Tools", "Other Tools"): "adventuring-gear",
        ("Equipment", "Adventuring Gear", "Item Descriptions"): "adventuring-gear",
        ("Gameplay Toolbox", "Poison", "Sample Poisons"): "adventuring-gear",
    },
    "srd-2014": {},
}
"""Rules whose subsections are things of another type, which the rule only names → that type."""

WHOLE: Final[Mapping[str, Sequence[Path]]] = {
    "srd-2024": (("*", "* Spell List"),),
    "srd-2014": (("Spell Lists", "* Spells"), ("Monsters", "Monster Descriptions", "Half-Dragon Template")),
}
"""Sections that form one rule with everything below them, however long, even inside `NO_RULES`."""

_CONTAGIONS: Final = ("Gameplay Toolbox", "Curses and Magical Contagions", "Magical Contagions", "Example Contagions")

TAGGED: Final[Mapping[str, Mapping[Path, str]]] = {
    "srd-2024": {
        (*_CONTAGIONS, "*"): "disease",
        ("Gameplay Toolbox", "Environmental Effects", "*"): "environmental effect",
        ("Gameplay Toolbox", "Traps", "Example Traps", "*"): "trap",
    },
    "srd-2014": {
        ("Combat", "Actions in Combat", "*"): "action",
        ("Spellcasting", "Casting a Spell", "Areas of Effect", "*"): "area of effect",
        ("Adventuring", "Conditions", "*"): "condition",
        ("Adventuring", "Traps", "Sample Traps", "*"): "trap",
        ("Adventuring", "Diseases", "Sample Diseases", "*"): "disease",
    },
}
"""Families of rules that the book names by the heading above them rather than in brackets."""

FOLDED: Final[Mapping[str, Sequence[Path]]] = {
    "srd-2024": (),
    "srd-2014": tuple(
        ("Using Ability Scores", "Ability Checks", "Skills", ability)
        for ability in ("Strength", "Dexterity", "Intelligence", "Wisdom", "Charisma")
    ),
}
"""Headings that only divide a list: they stay in the text of the rule above them."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words in bold at the start of the paragraphs that explain them.

    Attributes:
        entity_type: the type of the things they name.
        printed: a template for the name of such a thing, with `{}` for the word.
        plural: whether the text has the plural of the name.
        rules: a pattern for words that are rules nevertheless.
    """

    entity_type: str
    printed: str = "{}"
    plural: bool = False
    rules: str = ""


RUN_INS: Final[Mapping[str, Mapping[Path, Words]]] = {
    "srd-2024": {
        ("Character Creation", "Step 4: Alignment", "The Nine Alignments"): Words("alignment"),
        ("Monsters", "Parts of a Stat Block", "Creature Type"): Words("rule", plural=True),
    },
    "srd-2014": {
        ("Using Ability Scores", "Using Each Ability", "*", "* Checks"): Words("skill", rules="Other * Checks"),
        ("Beyond 1st Level", "Alignment"): Words("alignment"),
        ("Combat", "Damage and Healing", "Damage Rolls", "Damage Types"): Words("damage-type"),
        ("Spellcasting", "What Is a Spell?", "Rituals", "The Schools of Magic"): Words("magic-school"),
        ("Equipment", "Weapons", "Weapon Properties"): Words("weapon-property"),
        ("Equipment", "Weapons", "Weapon Properties", "Special Weapons"): Words("weapon-property", "Special ({})"),
        ("Monsters", "Monster Construction", "Type"): Words("rule", plural=True),
    },
}
"""Texts that explain words of a vocabulary, or the creature types."""

_CONSTRUCTION: Final = ("Monsters", "Monster Construction")
_ABILITIES: Final = ("Using Ability Scores", "Using Each Ability")

MOVED: Final[Mapping[str, Mapping[Path, Path]]] = {
    "srd-2024": {
        ("Character Creation", "Step ?: *"): ("Character Creation", "Create Your Character"),
        ("Playing the Game", "Combat", "*", "Ending Combat", "Playing on a Grid"): ("Playing the Game", "Combat"),
        ("Playing the Game", "Damage and Healing", "*", "Resting"): ("Playing the Game", "Damage and Healing"),
        ("Magic Items", "Activating a Magic Item", "*", "Spells Cast from Items"): (
            "Magic Items",
            "Activating a Magic Item",
        ),
    },
    "srd-2014": {
        (*_ABILITIES, "Dexterity", "Initiative", "Hiding"): (*_ABILITIES, "Dexterity"),
        ("Combat", "Movement and Position", "*", "Interacting with Objects Around You"): (
            "Combat",
            "Movement and Position",
        ),
        ("Combat", "Making an Attack", "Melee Attacks", "*", "Contests in Combat"): (
            "Combat",
            "Making an Attack",
            "Melee Attacks",
        ),
        ("Spellcasting", "*", "*", "*", "Casting in Armor"): ("Spellcasting", "What Is a Spell?"),
        ("Spellcasting", "*", "*", "The Schools of Magic"): ("Spellcasting", "Casting a Spell"),
        ("Monsters", "*", "Size", "Modifying Creatures"): ("Monsters",),
        (*_CONSTRUCTION, "Type", "Alignment"): _CONSTRUCTION,
        (*_CONSTRUCTION, "Actions", "Reactions"): _CONSTRUCTION,
        ("Combat", "Making an Attack", "Ranged Attacks in Close Combat"): (
            "Combat",
            "Making an Attack",
            "Ranged Attacks",
        ),
    },
}
"""Sidebars placed where there was room, and sections whose heading has another level in the first conversion → the rule
to which they belong according to the second conversions and the APIs."""

ABBREVIATIONS: Final[Mapping[str, Path]] = {"srd-2024": ("Rules Glossary", "Glossary Conventions")}
"""Where a book lists the abbreviations of its terms, in pairs of columns."""

ALSO_CALLED: Final[Mapping[str, Mapping[Path, str]]] = {
    "srd-2024": {("*", "Damage and Healing", "*", "Stabilizing a Character"): "stabilize"},
    "srd-2014": {("*", "Damage and Healing", "*", "Stabilizing a Creature"): "stabilize"},
}
"""Headings → the verb that other rules use for their subject."""

VOCABULARIES: Final[Mapping[str, Mapping[Path, str]]] = {
    "srd-2024": {
        ("Equipment", "Weapons", "Properties", "*"): "weapon-property",
        ("Equipment", "Weapons", "Mastery Properties", "*"): "weapon-property",
    },
    "srd-2014": {
        ("Adventuring", "Conditions", "*"): "condition",
        ("Using Ability Scores", "Using Each Ability", "*"): "ability-score",
    },
}
"""Sections that define words of the game's vocabularies → the entity type of those words."""


def path_of(section: Section) -> Path:
    """The headings down to a section, its own last."""
    return (*section.above(), section.title)


def matches_any(path: Path, patterns: Iterable[Path]) -> bool:
    """Whether one of the patterns matches the path."""
    return any(_matches(pattern, path) for pattern in patterns)


def first_match(path: Path, patterns: Mapping[Path, T]) -> T | None:
    """The value of the first pattern that matches the path, or None."""
    return next((value for pattern, value in patterns.items() if _matches(pattern, path)), None)


def _matches(pattern: Path, path: Path) -> bool:
    return len(pattern) == len(path) and all(
        fnmatchcase(title, part) for title, part in zip(path, pattern, strict=True)
    )
