"""The gear, goods and kinds of items that facts, lists and tables name: equipment, packs, prices, item sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.glossary_terms import GOODS_TYPES
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.mentions.mention import Mention, each_of
from build_pipeline.normalize.text.numerals import NUMBER
from build_pipeline.normalize.text.tables import tables_in
from server.dataset.schema import EQUIPMENT_TYPES

_GEAR: Final = ("adventuring-gear",)
_MAGIC_ITEM: Final = ("magic-item",)
_CREATURE: Final = ("creature",)
_MEMBERS: Final = re.compile(r"Includes: (?P<names>[^\n]+)\.$")
_CHOSEN_FROM: Final = re.compile(r",? or |, ")
_MADE_FROM: Final = re.compile(r"^Made from: (?P<names>.+?)(?:,? (?i:but not|except)\b[^\n]*)?\.$", re.MULTILINE)
_BRACKETS: Final = re.compile(r"\s*\(.*")
_KIND_WITH_RARITY: Final = re.compile(
    r"(?:^\W*|(?<=[.!?] ))(?P<name>[A-Z][^.()|\n]{2,60}?)[*_]* \((?:Common|Uncommon|Rare|Very Rare|Legendary)\)",
    re.MULTILINE,
)
"""The beginning of a paragraph on one kind of an item: "**Black Mud Buckle** (Uncommon). When you …"."""
_PACK: Final = "equipment-pack"
_INCLUDES: Final = re.compile(r"\b(?:includes|contains(?: the following items)?|the pack also has)\b:?", re.IGNORECASE)
_CRAFTED: Final = re.compile(r"^(?:\*\*Craft:\*\*|Usual storage:) (?P<names>[^\n]+)", re.MULTILINE)
"""The items that tools make, and those that ammunition is kept in."""
_IN_A_PACK: Final = re.compile(r"\bfound in an? (?P<pack>[a-z]+['’]s pack)\b")
_EXCEPTED: Final = re.compile(r" \(except [^()]*\)")
_PRICED: Final = re.compile(r"\**(?:Cost|Price|Weight)\b")
"""The heading of a column that only tables of goods have."""
_DIGIT: Final = re.compile(r"\d")
_PACKED: Final = ("starting_equipment", "equipment", "tool_proficiencies")
"""Columns of options that list gear and tools."""
_CHOICE: Final = re.compile(r"\(\W{0,4}[A-Za-z]\W{0,4}\)|\((?P<kind>[^()]*)\)(?=\s*(?:[,;.\n]|and\b|or\b|$))")
"""A choice's letter, or the specific kind of a thing: "Arcane Focus (orb)"; other brackets are followed by a noun."""
_PACKED_APART: Final = re.compile(
    r"""
    [,;:.\n*]
    | \b(?:
        and | or | with | containing | either | bearing | carved | collecting | embossed | emblazoned | engraved
        | etched | filled | inscribed | made | marked | stamped
      )\b
    """,
    re.VERBOSE,
)
_HELD_APART: Final = re.compile(r",(?!\d)|[;:.\n*]|\b(?:and|strapped)\b")
_MAP_CASES: Final = re.compile(r"\bcases? for maps and scrolls\b", re.IGNORECASE)
_TO_BE_ENDED: Final = re.compile(r"^\W*(?P<kind>[A-Z]\w+ of) ?(?:…|\.\.\.)")
"""A column heading that the cells complete: "Potion of …"."""
_SHOWN: Final = {"Contents", "Creature", "Golem", "Illusion", "Ooze", "Summoned Elemental"}
"""The headings of columns of creatures that an item summons, shows, holds or makes."""
_HOW_MANY: Final = re.compile(rf"^(?:(?:an?|the|one|your|days(?: of)?|[\d,]+|{NUMBER})\s+)+", re.IGNORECASE)
_SEVERAL: Final = re.compile(r"^(?P<one>\w+)s(?= of )")
_ALSO_CALLED: Final = {
    "belt pouch": "pouch",
    "bottle of black ink": "ink (1-ounce bottle)",
    "bottle of ink": "ink (1-ounce bottle)",
    "tinker tools": "tinker's tools",
    "deck of cards": "playing card set",
    "deck of playing cards": "playing card set",
    "set of dice": "dice set",
    "set of bone dice": "dice set",
}
"""A background's name for gear → the gear's own name."""


def goods(entity: Entity) -> Iterator[Mention]:
    """The goods in a rule's tables, without brackets in their names.

    A row without a price heads those below it: "Squalid" below "Meals (per day)" is a meal, "Common" below "Wine" is
    common wine. A row without numbers is a kind of goods, not a magic item: "Ammunition".
    """
    for table in tables_in(entity.facts.get("description") or "") if entity.entity_type == "rule" else ():
        if any(map(_PRICED.match, table.header)):
            heading = ""
            for name, *cells in table.rows:
                item = _BRACKETS.sub("", name).strip("*_ ")
                if not any(cells):
                    heading = item.removesuffix("s")
                kinds = EQUIPMENT_TYPES if _DIGIT.search(" ".join(cells)) else GOODS_TYPES
                yield Mention((f"{heading} ({item})", f"{item} {heading}", item), kinds)


def members(facts: Mapping[str, Any]) -> Iterator[Mention]:
    """The things that an item set includes, and those that a magic item may be made from."""
    text = facts.get("description") or ""
    listed = _MEMBERS.search(text) if facts.get("item_category") == "item-set" else None
    if listed:
        yield from (Mention((name,), EQUIPMENT_TYPES) for name in listed["names"].split(", "))
    for made in _MADE_FROM.finditer(text) if facts.get("is_magic") else ():
        yield from (Mention((name,), GOODS_TYPES) for name in _CHOSEN_FROM.split(made["names"]))


def tabled_kinds(facts: Mapping[str, Any]) -> Iterator[Mention]:
    """The kinds of a magic item that begin its paragraphs or are named in its tables, and creatures in its tables."""
    for kind in _KIND_WITH_RARITY.finditer(facts.get("description") or "") if facts.get("is_magic") else ():
        yield Mention((kind["name"],), _MAGIC_ITEM)
    for table in tables_in(facts.get("description") or "") if facts.get("is_magic") else ():
        for row in table.rows:
            for heading, cell in zip(table.header, row, strict=False):
                if heading.strip("*_ ") in _SHOWN and cell:
                    yield Mention((cell.strip("*_ "), f"{cell} {heading}"), _CREATURE, each_of(cell))
                yield from _kind_in_cell(heading, cell.strip("*_ "))


def _kind_in_cell(heading: str, cell: str) -> Iterator[Mention]:
    """A magic item by its whole name, or by the words that complete the heading: "Potion of …", "Greater healing"."""
    if " of " in cell:
        yield Mention((cell,), _MAGIC_ITEM)
    elif (begun := _TO_BE_ENDED.match(heading)) and cell:
        yield Mention((f"{begun['kind']} {cell}",), _MAGIC_ITEM)


def packed(facts: Mapping[str, Any]) -> Iterator[Mention]:
    """Gear and tools that an option gives or trains, that a pack holds or that tools make, and an item's pack.

    "(a) a set of common clothes or (b) 2 Daggers"; in a pack, "Map or Scroll Case" is one thing.
    """
    tools = (facts.get("proficiencies") or {}).get("tools")
    for listed in filter(None, (tools, *(facts.get(column) for column in _PACKED))):
        yield from _gear_in(_PACKED_APART.split(_CHOICE.sub(r";\g<kind>;", listed)))
    text = _EXCEPTED.sub("", facts.get("description") or "") if facts.get("item_category") else ""
    pack = _MAP_CASES.sub("map or scroll case", _INCLUDES.sub(";", text)) if facts.get("item_category") == _PACK else ""
    for listed in (pack, *(match["names"] for match in _CRAFTED.finditer(text))):
        yield from _gear_in(_HELD_APART.split(listed))
    yield from (Mention((match["pack"],), _GEAR) for match in _IN_A_PACK.finditer(text))


def _gear_in(parts: Iterable[str]) -> Iterator[Mention]:
    for part in parts:
        if name := _HOW_MANY.sub("", part.strip(" -")):
            of_what = _HOW_MANY.sub("", name.rpartition(" of ")[2])
            other = _ALSO_CALLED.get(name.lower(), name)
            names = (name, other, _SEVERAL.sub(r"\g<one>", name), of_what, name.partition(" of ")[0])
            yield Mention(names, EQUIPMENT_TYPES)
