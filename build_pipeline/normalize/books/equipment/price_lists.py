"""The books' price lists: every row of a table with items for sale, with the group heading above it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.normalize.books.entries import rejoined
from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.equipment.gear import mundane_facts
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import labelled
from build_pipeline.normalize.text.money import gold, pounds
from build_pipeline.normalize.text.tables import Table, plain, tables_in, without_tables
from server.dataset.names import normalize_name

_PRICED: Final = re.compile(r"(?P<name>.+?)\s*\((?P<price>[^()]*(?:\d\s*[CSEGP]P|Varies|Free)[^()]*)\)", re.IGNORECASE)
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_NOTHING: Final = {"", "—", "-", "–", "varies", "*", "\\*", "\\"}
_LIFESTYLES: Final = "squalid|poor|modest|comfortable|wealthy|aristocratic"
_MEMBERS: Final = {
    group: re.compile(members, re.IGNORECASE)
    for group, members in {
        "ammunition": "arrows|blowgun needles|crossbow bolts|sling bullets",
        "arcane focus": "crystal|orb|rod|staff|wand",
        "druidic focus": "sprig|totem|wooden staff|yew wand",
        "holy symbol": "amulet|emblem|reliquary",
        "artisan's tools": r".*(?:supplies|tools|utensils)$(?<!navigator's tools)(?<!thieves' tools)",
        "gaming set": "dice|playing",
        "musical instrument": "bagpipes|drum|dulcimer|flute|lute|lyre|horn|pan flute|shawm|viol",
        "saddle": "exotic|military|pack|riding",
        "ale": "gallon|mug",
        "inn stay (per day)": _LIFESTYLES,
        "inn stay per day": _LIFESTYLES,
        "meals (per day)": _LIFESTYLES,
        "meal": _LIFESTYLES,
        "wine": "common|fine",
        "wine (bottle)": "common|fine",
        "coach cab": "between|within",
        "hireling": "skilled|untrained",
    }.items()
}
"""Group headings within tables → a pattern of their members, as a group may end without another heading."""
_COLUMNS: Final = {"weapons": {"damage", "properties"}, "armor": {"armor class (ac)"}}
"""Lists that a book may print as several tables → the columns that only they have."""
_PER: Final = re.compile(r"\s+(?P<per>per\s+\w+|minimum)$")
_OF_HIRELINGS: Final = re.compile(
    r"\b(?P<kind>Skilled|Untrained) hirelings [^\n]*?(?=\s+(?:Skilled|Untrained) hirelings [^\n]|\n|$)"
)
"""The part of a paragraph about one kind of hireling, up to the next kind."""
_NEXT: Final = re.compile(r"\s*^(?:#{2,6} |\\\*).*", re.MULTILINE | re.DOTALL)
"""A heading or a table's footnote after the text of a bold label, and everything after it."""
_QUOTED: Final = re.compile(r"^>[ ]?", re.MULTILINE)


Facts = dict[str, Any]
"""Column → value, as in `Draft.facts`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, with one item for sale.

    Attributes:
        table: the table's name, lower case.
        section: the section that the table is in.
        name: the first column.
        group: the group heading above the row, "" without one.
        cells: column (lower case) → cell, without cells that say nothing.
    """

    table: str
    section: Section
    name: str
    group: str
    cells: dict[str, str]

    def cell(self, *columns: str) -> str | None:
        """The cell of the first of the columns that the row has, or None."""
        return next((self.cells[column] for column in columns if column in self.cells), None)


@dataclass(frozen=True, slots=True)
class Text:
    """A book's text on an item for sale, or on a group of them.

    Attributes:
        markdown: the text.
        raw: raw id of its section.
    """

    markdown: str
    raw: str


Texts = Mapping[str, Text]
"""Normalised name → the text on it."""


@dataclass(frozen=True, slots=True)
class PricedItem:
    """An item for sale.

    Attributes:
        name: its name in the dataset.
        facts: its columns.
        text: the text that its description comes from, which may be in another section than its price.
    """

    name: str
    facts: Facts
    text: Text | None = None


Read = Callable[[Row, Texts], Iterable[PricedItem]]
"""A row and all descriptions → the items for sale in the row."""


def rows(sections: Iterable[Section]) -> Iterator[Row]:
    """The rows of all tables of the sections, in reading order."""
    for section in sections:
        for table in tables_in(_QUOTED.sub("", section.text)):
            yield from _rows(table, section)


def _rows(table: Table, section: Section) -> Iterator[Row]:
    header = [column.lower() for column in table.header]
    name_of_table, group = _list_of(set(header), (table.caption or section.title).removeprefix("Table: "))
    for name, *rest in table.rows:
        cells = {
            column: cell for column, cell in zip(header[1:], rest, strict=True) if cell.strip().lower() not in _NOTHING
        }
        if not any(cell.strip() for cell in rest):
            group = plain(name)
            continue
        members = _MEMBERS.get(group.lower())
        row_group = group if members is None or members.match(plain(name)) else ""
        yield Row(name_of_table, section, plain(name), row_group, cells)


def _list_of(columns: set[str], title: str) -> tuple[str, str]:
    """(list that a table is part of, group heading of its first rows): "Simple Melee Weapons" is part of weapons."""
    of_list = next((name for name, known in _COLUMNS.items() if known <= columns), None)
    return (title.lower(), "") if of_list in {None, title.lower()} else (str(of_list), title)


def descriptions(sections: Iterable[Section]) -> Texts:
    """The descriptions in sections, by the name in a priced heading or in a bold label."""
    found: dict[str, Text] = {}
    for section in sections:
        text = without_tables(rejoined(_QUOTED.sub("", section.text)))
        if match := _PRICED.fullmatch(section.title):
            found.setdefault(_key(match["name"]), Text(text, section.raw.id))
        for part in labelled(text)[1]:
            if part["name"] and part["description"]:
                described = _NEXT.sub("", part["description"])
                found.setdefault(_key(part["name"]), Text(described, section.raw.id))
        for match in _OF_HIRELINGS.finditer(text):
            found.setdefault(_key(f"{match['kind']} hireling"), Text(match[0], section.raw.id))
    return found


def priced_labels(section: Section) -> Iterator[tuple[str, str, str]]:
    """(name, price, text) of each item under a bold label with a price: "Burglar's Pack (16 gp)"."""
    for part in labelled(_QUOTED.sub("", section.text))[1]:
        if (match := _PRICED.fullmatch(part["name"] or "")) and part["description"]:
            yield match["name"], match["price"], part["description"]


def describe(row: Row, texts: Texts, *, whole_group: bool = True) -> Text | None:
    """The text on a row's item, by its name, the part before the comma ("Rope, hempen"), or its group."""
    group = (row.group, row.group.removesuffix("s")) if whole_group else ()
    candidates = (row.name, row.name.partition(",")[0], *group)
    return next((texts[key] for key in map(_key, candidates) if key in texts), None)


def _key(name: str) -> str:
    return normalize_name(_IN_BRACKETS.sub("", name))


def priced(title: str) -> tuple[str, str] | None:
    """(name, price) of a heading with a price: "Acid (25 GP)"; None where it has none."""
    match = _PRICED.fullmatch(title)
    return (match["name"], match["price"]) if match else None


def sold(category: str, row: Row, text: Text | None, *lines: str | None) -> Facts:
    """The columns of an item sold at the row's price; the lines are put below the text."""
    parts = [part for part in (text.markdown if text else None, *lines) if part]
    markdown = clean_text(parts) if parts else None
    price = row.cell("cost", "pay", "price/day")
    per = _PER.search(price) if price else None
    if per and markdown:
        markdown += f"\n\nPrice {per['per']}."
    return mundane_facts(
        category, markdown, gold(_PER.sub("", price)) if price else None, weight_in(row.cell("weight"))
    )


def weight_in(cell: str | None) -> float | None:
    """A weight, in pounds: "1-1/2 lb.", "58½ lb.", "5 lb. (full)"."""
    if cell is None:
        return None
    written = cell.partition("(")[0].replace("½", " 1/2").replace("¼", " 1/4").replace("-", " ").strip()
    whole, _, part = written.removesuffix("lb.").strip().rpartition(" ")
    return (pounds(whole) or 0) + (pounds(part) or 0) or None
