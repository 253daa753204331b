"""Rows of the books' price lists that are not gear: mounts, vehicles, trade goods, food, lodging and services."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from build_pipeline.normalize.books.entries import rejoined
from build_pipeline.normalize.books.equipment.price_lists import PricedItem, Read, Row, Texts, describe, priced, sold
from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.equipment.gear import mundane_facts
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.items.names import natural_name
from build_pipeline.normalize.text.money import gold
from server.dataset.names import normalize_name

_SERVICE: Final = "service"
_DRAWN: Final = {"carriage", "cart", "chariot", "sled", "wagon"}
_NO_ITEM: Final = {"barding"}
"""Rows that price other items ("×4")."""

_PER: Final = re.compile(r"\s+\(?(?P<per>per \w+)\)?$", re.IGNORECASE)
_GOODS: Final = re.compile(r"(?:^|,?\s*\bor\s+)(?P<unit>1 lb\. of|1 sq\. yd\. of|one)\s+|,?\s*\bor\s+")
_UNITS: Final = {"1 lb. of": 1.0}
"""Unit of goods → its weight in pounds."""
_SHIP: Final = ("Speed", "Crew", "Passengers", "Cargo (Tons)", "AC", "HP", "Damage Threshold")
_LIFESTYLE: Final = re.compile(r"(?:Wretched|Squalid|Poor|Modest|Comfortable|Wealthy|Aristocratic)$")
_DAILY_PRICE: Final = re.compile(r"(?P<price>[\d,]+\s*[CSEGP]P)\s+per\s+Day", re.IGNORECASE)


def _mount(row: Row, _texts: Texts) -> Iterator[PricedItem]:
    """An animal, or two at the same price: "Donkey or mule"."""
    speed, load = row.cell("speed"), row.cell("carrying capacity")
    lines = (f"Speed: {speed}" if speed else None, f"Carrying capacity: {load}" if load else None)
    for name in row.name.split(" or "):
        yield PricedItem(natural_name(name), sold("mount", row, None, *lines))


def _tack(row: Row, texts: Texts) -> Iterator[PricedItem]:
    if row.name.lower() in _NO_ITEM:
        return
    per = _PER.search(row.name)
    name = f"{row.name[: per.start()]} ({per['per'].lower()})" if per else row.name
    name = f"{name} {row.group}" if row.group else name
    category = "vehicle" if row.name.lower() in _DRAWN else "tack-and-harness"
    text = describe(row, texts)
    yield PricedItem(natural_name(name), sold(_SERVICE if name.startswith("Stabling") else category, row, text), text)


def _ship(row: Row, texts: Texts) -> Iterator[PricedItem]:
    """A vessel; its text may describe several under another name: "Keelboats and rowboats are used on lakes"."""
    of_several = re.compile(rf"(?:\w+s\s+and\s+)?{re.escape(row.name)}s\b", re.IGNORECASE)
    text = describe(row, texts) or next((told for told in texts.values() if of_several.match(told.markdown)), None)
    facts = {column: row.cell(column.lower()) for column in _SHIP}
    lines = (f"{column}: {cell}" for column, cell in facts.items() if cell)
    yield PricedItem(natural_name(row.name), sold("vehicle", row, text, *lines), text)


def _goods(row: Row, _texts: Texts) -> Iterator[PricedItem]:
    """Goods at one price, which is the first column: "1 lb. of cinnamon or pepper, or one sheep" is three items."""
    price = gold(row.name)
    unit = None
    marks = list(_GOODS.finditer(row.cells["goods"]))
    ends = [*(mark.start() for mark in marks[1:]), len(row.cells["goods"])]
    for mark, end in zip(marks, ends, strict=True):
        unit = mark["unit"] or unit
        name = row.cells["goods"][mark.end() : end].strip(" ,")
        text = f"{unit} {name}.".capitalize() if unit == "one" else f"{unit} {name}."
        yield PricedItem(natural_name(name), mundane_facts("trade-good", text, price, _UNITS.get(unit or "")))


def _food(row: Row, _texts: Texts) -> Iterator[PricedItem]:
    """Food, drink and beds: "Modest" among the inn stays → "Lodging - Modest", among the meals → "Meal (Modest)"."""
    group = row.group.lower()
    if group.startswith("inn stay"):
        yield PricedItem(f"Lodging - {row.name}", sold(_SERVICE, row, None, "A stay at an inn.", "Price per day."))
    elif group.startswith("meal"):
        daily = "Price per day." if "per day" in group else None
        yield PricedItem(f"Meal ({row.name})", sold(_SERVICE, row, None, daily))
    elif group.startswith("wine"):
        kind, _, vessel = f"{row.name} {row.group.partition(' ')[2]}".strip().partition(" ")
        yield PricedItem(f"{kind} Wine {vessel}".strip(), sold("food-and-drink", row, None))
    else:
        noun, _, amount = row.name.partition(", ")
        if row.group:
            noun, amount = row.group, row.name.lower()
        name = f"{natural_name(noun)} ({amount})" if amount else natural_name(noun)
        yield PricedItem(name, sold("food-and-drink", row, None))


def _hireling(row: Row, texts: Texts) -> Iterator[PricedItem]:
    name, group = row.name, row.group.lower()
    if group == "coach cab":
        name = f"Coach Cab ({name.lower()})"
    elif group == "hireling":
        name = f"{name} Hireling"
    text = texts.get(normalize_name(name))
    per = (row.cell("cost", "pay") or "").partition(" per ")[2]
    described = clean_text([*([text.markdown] if text else []), *([f"Price per {per}."] if per else [])])
    yield PricedItem(natural_name(name), sold(_SERVICE, row, None) | {"description": described}, text)


def _spellcasting(row: Row, _texts: Texts) -> Iterator[PricedItem]:
    level = row.name.replace("–", "-")
    kind = f"Level {level}" if level[0].isdigit() else level
    found_in = row.cell("availability")
    lines = [f"Availability: {found_in}."] if found_in else []
    yield PricedItem(f"Spellcasting ({kind})", sold(_SERVICE, row, None, *lines))


def _lifestyle(row: Row, texts: Texts) -> Iterator[PricedItem]:
    text = describe(row, texts)
    yield PricedItem(f"Lifestyle - {row.name}", sold(_SERVICE, row, text, "Price per day."), text)


def headed_lifestyles(section: Section) -> Iterator[PricedItem]:
    """A lifestyle with its price in its heading: "Poor (2 SP per Day)", "Wretched (Free)"."""
    name, price = priced(section.title) or ("", "")
    if _LIFESTYLE.match(name):
        daily = _DAILY_PRICE.match(price)
        text = clean_text([rejoined(section.text), *(["Price per day."] if daily else [])])
        free = 0.0 if price.strip().lower() == "free" else None
        yield PricedItem(
            f"Lifestyle - {name}", mundane_facts(_SERVICE, text, gold(daily["price"]) if daily else free, None)
        )


NAMED_BY_GROUP: Final = {
    "trade goods", "food, drink, and lodging", "services", "hirelings", "spellcasting services", "lifestyle expenses"
}  # fmt: skip
"""Tables whose first column does not name what a row sells: a price, or "Modest" among the meals."""

READERS: Final[Mapping[str, Read]] = {
    "mounts and other animals": _mount,
    "tack, harness, and drawn vehicles": _tack,
    "waterborne vehicles": _ship,
    "airborne and waterborne vehicles": _ship,
    "trade goods": _goods,
    "food, drink, and lodging": _food,
    "services": _hireling,
    "hirelings": _hireling,
    "spellcasting services": _spellcasting,
    "lifestyle expenses": _lifestyle,
}
"""Name of a table → the reader of its rows."""
