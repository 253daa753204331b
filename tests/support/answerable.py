"""How many headings of the books can be looked up by name, by part of the book."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from build_pipeline.normalize.books.tree import Section
from build_pipeline.tables import Record
from server.dataset.names import normalize_name, slugify

_NAMED: Final = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "features", "benefits")
_LABELS: Final = ("name", "group")
_DECORATION: Final = re.compile(
    r"^(?:Level \d+: |\w+ Subclass: |Feature: |Channel Divinity: )|\s*\[[^\]]+\]$|\s*\([^)]*\)$|\s*…$", re.IGNORECASE
)
_FRAME: Final = re.compile(
    r"|traits|(?:bonus |lair |legendary )?(?:re)?actions|hit points|proficiencies|equipment|uncategorized|classes"
    r"|class features|core \w+ traits|becoming an? .*|as a (?:level 1|multiclass) character|\w+ class features"
    r"|(?:dragonborn|dwarf|elf|gnome|half-elf|half-orc|halfling|human|tiefling) traits"
    r"|(?:barbarian|bard|cleric|druid|fighter|monk|paladin|ranger|rogue|sorcerer|warlock|wizard) features"
    r"|(?:monster|creature|nonplayer character|magic item|spell) descriptions"
)
"""Headings that every stat block, class, race or list has, which name nothing."""

PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "srd-2024": {
        "Legal": r"Legal",
        "Playing the Game": r"Playing the Game",
        "Character Creation": r"Character Creation",
        "Class spell lists": r"[^/]+/\w+ Spell List",
        "Classes": r"(?:Barbarian|Bard|Cleric|Druid|Fighter|Monk|Paladin|Ranger|Rogue|Sorcerer|Warlock|Wizard)(?:/|$)",
        "Character Origins": r"Character Origins",
        "Feats": r"Feats",
        "Equipment": r"Equipment",
        "Gaining and casting spells": r"Spells(?:/|$)",
        "Spells": r"Spell Descriptions",
        "Rules Glossary": r"Rules Glossary",
        "Gameplay Toolbox": r"Gameplay Toolbox",
        "Magic item rules": r"Magic Items(?:/|$)",
        "Magic items": r"Magic Items [A-Z]",
        "Stat block overview": r"Monsters(?:/|$)",
        "Monsters": r"Monsters [A-Z]",
        "Animals": r"Animals",
    },
    "srd-2014": {
        "Legal": r"Legal",
        "Races": r"Races",
        "Classes": r"Classes",
        "Using Ability Scores": r"Using Ability Scores",
        "Beyond 1st Level": r"Beyond 1st Level",
        "Feats": r"Feats",
        "Planes and pantheons": r"The Planes|Pantheons",
        "Adventuring": r"Adventuring",
        "Combat": r"Combat",
        "Spellcasting": r"Spellcasting",
        "Spells": r"Spell Lists/Spell Descriptions",
        "Class spell lists": r"Spell Lists",
        "Equipment": r"Equipment",
        "Magic items": r"Magic Items/(?:Magic Item Descriptions|Artifacts)",
        "Magic item rules": r"Magic Items",
        "Monsters": r"Monsters/Monster Descriptions|Miscellaneous Creatures|Nonplayer Characters",
        "Monster rules": r"Monsters",
    },
}
"""Book → part → a regular expression for the paths of its sections; the first that matches counts."""


def answerable_names(records: Iterable[Record]) -> set[str]:
    """Every name that a look-up finds: of entities, their keys, parts and tables, and headings in texts."""
    names: set[str] = set()
    for record in records:
        told = [record[label] for label in _LABELS if record.get(label)]
        names.update(record["keys"])
        told += [part["name"] for column in _NAMED for part in record.get(column) or () if part.get("name")]
        told += [table["title"] for table in record.get("tables") or () if table["title"]]
        texts = [
            record.get("description"),
            *(part["description"] for column in _NAMED for part in record.get(column) or ()),
        ]
        told += [heading for text in texts for heading in re.findall(r"(?m)^#+ (.+)$", text or "")]
        names.update(filter(None, (spelling for name in told for spelling in _spellings(name))))
    return names


def unanswered(book: str, parts: Iterable[Section], names: set[str]) -> dict[str, tuple[int, list[str]]]:
    """Part → (the number of its headings, those that no name matches)."""
    counts: defaultdict[str, int] = defaultdict(int)
    missing: defaultdict[str, list[str]] = defaultdict(list)
    for section in (section for part in parts for section in part.walk()):
        part = _part_of(book, section)
        if _FRAME.fullmatch(normalize_name(section.title)) or _is_letter_range(section):
            continue
        counts[part] += 1
        if not names & set(_spellings(section.title)):
            missing[part].append("/".join((*section.above(), section.title)))
    return {part: (counts[part], missing[part]) for part in counts}


def _part_of(book: str, section: Section) -> str:
    path = "/".join((*section.above(), section.title))
    return next(part for part, pattern in PARTS[book].items() if re.match(pattern, path))


def _is_letter_range(section: Section) -> bool:
    """Whether a heading is only a range of letters."""
    return section.parent is None and bool(re.search(r"[A-Z]–[A-Z]|\b[A-Z] and [A-Z]\b", section.title))


def _spellings(title: str) -> Iterator[str]:
    """A title as printed, without tags, prices and levels, and reordered at its comma; and singulars of these."""
    plain = _DECORATION.sub("", _DECORATION.sub("", title))
    noun, _, kind = plain.partition(", ")
    for name in (normalize_name(title), normalize_name(plain), normalize_name(f"{kind} {noun}")):
        yield name
        yield name.removesuffix("s")
        yield name.removesuffix("es")
    yield slugify(plain)
