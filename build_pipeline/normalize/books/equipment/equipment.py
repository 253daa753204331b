"""The books' price lists → drafts: weapons, armor, gear, tools, mounts, vehicles, trade goods, lodging and services."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from build_pipeline.normalize.books.drafts import where
from build_pipeline.normalize.books.entries import BookProblemError, rejoined
from build_pipeline.normalize.books.equipment import services
from build_pipeline.normalize.books.equipment.price_lists import (
    PricedItem,
    Read,
    Row,
    Texts,
    describe,
    descriptions,
    priced,
    priced_labels,
    rows,
    sold,
    weight_in,
)
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.equipment.armor import armor_facts
from build_pipeline.normalize.equipment.gear import GEAR, mundane_facts, mundane_type
from build_pipeline.normalize.equipment.weapons import weapon_facts
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.items.names import mundane_keys, natural_name
from build_pipeline.normalize.text.items.rarity import SOLD
from build_pipeline.normalize.text.money import gold
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import slugify

_CHAPTER: Final = "Equipment"
_FOCUS: Final = "spellcasting-focus"
_GROUPS: Final = {"ammunition": "ammunition", "arcane focus": _FOCUS, "druidic focus": _FOCUS, "holy symbol": _FOCUS}
"""Headings among the adventuring gear → category."""

_SOLD_MAGIC: Final = re.compile(r"(?P<name>Potion of Healing|Spell Scroll)\s*(?P<kind>\([^()]*\))?", re.IGNORECASE)
_OTHER_KEYS: Final = {
    "oil-flask": ("lamp-oil-flask",),
    "feed-per-day": ("animal-feed-1-day",),
    "stabling-per-day": ("stabling-1-day",),
    "spikes-iron-10": ("iron-spike", "iron-spikes"),
    "clothes-costume": ("costume-clothes", "costume"),
    "crossbow-bolts-20": ("bolts", "bolt"),
    "case-crossbow-bolt": ("case",),
    "tent-two-person": ("tent",),
    "mirror-steel": ("mirror", "steel-mirror"),
}
"""Slug of a row's name → the APIs' keys for the same thing, where the names differ too much to match."""

_PROPERTY: Final = re.compile(r"(?P<name>[A-Za-z-]+)(?:\s*\((?P<detail>[^()]*)\))?(?:,\s*|$)")
_DAMAGE: Final = re.compile(r"(?P<dice>\d+(?:d\d+)?)\s+(?P<type>\w+)")
_ARMOR_CLASS: Final = re.compile(r"\+?(?P<base>\d+)(?P<rest>.*)")
_STRENGTH: Final = re.compile(r"(?:Str\s+)?(?P<score>\d+)")
_VARIANT: Final = re.compile(
    r"(?P<name>[^,()]+?)\s*\((?P<price>[^(),]*\d\s*[CSEGP]P)(?:,\s*(?P<weight>[^()]*lb\.))?\)", re.IGNORECASE
)
_DIFFERS: Final = "Varies"
"""The price or weight of a tool whose variants each have their own."""
_OF_ALL_VARIANTS: Final = re.compile(r"^\*\*Variants:\*\*.*$| — \*\*Weight:\*\* Varies", re.MULTILINE)
"""Parts of a text that concern a tool's variants together and describe none of them."""
_ENTRY: Final = re.compile(r"\*\*(?P<name>\w+):\*\*\s*(?P<value>.*?)(?=\s*—\s*\*\*|\s*\n|\s*$)")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Everything for sale in the books; a row that cannot be read becomes a problem with its file and line."""
    for book in SRD_DOCUMENTS:
        chapter = [part for part in read_book(raw, book) if part.title == _CHAPTER]
        sections = [section for part in chapter for section in part.walk()]
        texts = descriptions(sections)
        for row in rows(sections):
            if read := _READERS.get(row.table):
                yield from _read_row(read, row, texts, book, problems)
        for section in sections:
            for item in (*_headed_tools(section), *_packs(section), *services.headed_lifestyles(section)):
                yield _draft(section, book, item)


def _read_row(read: Read, row: Row, texts: Texts, book: str, problems: Problems) -> Iterator[Draft]:
    try:
        found = list(read(row, texts))
    except ValueError as error:
        problems.add(row.section.raw.id, f"{where(row.section)}: {row.name}: {error}")
        return
    printed = () if row.table in services.NAMED_BY_GROUP else (row.name,)
    for item in found:
        draft = _draft(row.section, book, item, *printed)
        if item.text is None:  # the description is composed here, or made of the row's cells
            draft.from_text.add("description")
        yield draft


def _draft(section: Section, book: str, item: PricedItem, *printed: str) -> Draft:
    name, facts = item.name, item.facts
    entity_type = "magic-item" if facts["is_magic"] else mundane_type(facts["item_category"])
    slugs = (slugify(name), *map(slugify, printed))
    keys = [*mundane_keys(slugs[0], *printed, name), *(other for slug in slugs for other in _OTHER_KEYS.get(slug, ()))]
    raw = dict.fromkeys((section.raw.id, *([item.text.raw] if item.text else [])))
    return Draft(SOURCE, tuple(raw), entity_type, book, name, tuple(dict.fromkeys(keys)), facts=facts)


def _weapon(row: Row, texts: Texts) -> Iterator[PricedItem]:
    damage = _DAMAGE.match(row.cell("damage") or "")
    properties = [
        {"name": match["name"].lower(), "detail": match["detail"].lower() if match["detail"] else None}
        for match in _PROPERTY.finditer(row.cell("properties") or "")
    ]
    if not row.group.lower().startswith(("simple", "martial")):
        msg = f"it is listed under {row.group!r} instead of simple or martial weapons"
        raise BookProblemError(msg)
    text = describe(row, texts, whole_group=False)
    facts = sold("weapon", row, text) | weapon_facts(
        simple=row.group.lower().startswith("simple"),
        ranged="ranged" in row.group.lower(),
        dice=damage["dice"] if damage else None,
        damage_type=damage["type"] if damage else None,
        properties=properties,
        mastery=(row.cell("mastery") or "").lower() or None,
    )
    yield PricedItem(natural_name(row.name), facts, text)


def _armor(row: Row, texts: Texts) -> Iterator[PricedItem]:
    armor_class = _ARMOR_CLASS.fullmatch(row.cell("armor class (ac)") or "")
    if armor_class is None:
        msg = f"its armor class is {row.cell('armor class (ac)')!r}"
        raise BookProblemError(msg)
    category = row.group.lower().partition(" ")[0]
    strength = _STRENGTH.match(row.cell("strength") or "")
    text = describe(row, texts, whole_group=False)
    facts = sold("shield" if category == "shield" else "armor", row, text) | armor_facts(
        category=category,
        base=int(armor_class["base"]),
        text=armor_class["base"] + armor_class["rest"],
        strength=int(strength["score"]) if strength else None,
        stealth_disadvantage=row.cell("stealth") is not None,
    )
    name = natural_name(row.name)
    suit = category != "shield" and not name.endswith(("Armor", "Mail", "Shirt", "Breastplate", "Half Plate"))
    yield PricedItem(f"{name} Armor" if suit else name, facts, text)


def _gear(row: Row, texts: Texts) -> Iterator[PricedItem]:
    """Adventuring gear, including "Arcane Focus, varies" if a text describes it, though each kind has its own price."""
    text = describe(row, texts)
    if row.cell("cost") is None and text is None:
        return
    if _SOLD_MAGIC.match(row.name):
        yield from _sold_magic(row, texts)
        return
    category = "equipment-pack" if row.name.endswith(" Pack") else _GROUPS.get((row.group or row.name).lower(), GEAR)
    yield PricedItem(natural_name(row.name), sold(category, row, text), text)


def _sold_magic(row: Row, texts: Texts) -> Iterator[PricedItem]:
    """A magic item that shops sell; one that the chapter on magic items describes in full is read there."""
    text = describe(row, texts)
    if text is None or "magic item" not in text.markdown:
        return
    facts = sold("potion" if row.name.startswith("Potion") else "scroll", row, text)
    yield PricedItem(row.name, facts | {"is_magic": True, "rarity": SOLD}, text)


def _ammunition(row: Row, texts: Texts) -> Iterator[PricedItem]:
    name, amount = natural_name(row.name), row.cell("amount")
    storage, text = row.cell("storage"), texts.get("ammunition")
    facts = sold("ammunition", row, text, f"Usual storage: {storage}." if storage else None)
    yield PricedItem(f"{name} ({amount})" if amount else name, facts, text)


def _focus(row: Row, texts: Texts) -> Iterator[PricedItem]:
    """A spellcasting focus, whose name may have a note in brackets: "Amulet (worn or held)"."""
    name, _, note = row.name.partition(" (")
    kind = row.table.removesuffix("es").removesuffix("s")
    text = next((texts[key] for key in (kind, f"{kind}s") if key in texts), None)
    facts = sold(_FOCUS, row, text, f"It is {note.removesuffix(')')}." if note else None)
    yield PricedItem(natural_name(name), facts, text)


def _tool(row: Row, texts: Texts) -> Iterator[PricedItem]:
    if row.cell("cost") is not None:
        text = describe(row, texts)
        yield PricedItem(natural_name(row.name), sold("tools", row, text), text)


def _packs(section: Section) -> Iterator[PricedItem]:
    """Packs with their price after their name instead of in a table."""
    for name, price, text in priced_labels(section):
        if name.endswith(" Pack"):
            yield PricedItem(name, mundane_facts("equipment-pack", clean_text(text), gold(price), None))


def _headed_tools(section: Section) -> Iterator[PricedItem]:
    """A tool with its price in its heading; each of its variants, with its own price, is a tool as well."""
    name, price = priced(section.title) or ("", "")
    text = rejoined(section.text)
    entries = {match["name"]: match["value"] for match in _ENTRY.finditer(text)}
    if "Ability" not in entries:
        return
    if variants := entries.get("Variants"):
        shared = clean_text(_OF_ALL_VARIANTS.sub("", text))
        for match in _VARIANT.finditer(variants):
            heavy = weight_in(match["weight"])
            yield PricedItem(
                natural_name(match["name"].strip()), mundane_facts("tools", shared, gold(match["price"]), heavy)
            )
    cost = None if price == _DIFFERS else gold(price)
    weight = weight_in(None if entries.get("Weight") in {"—", _DIFFERS} else entries.get("Weight"))
    yield PricedItem(natural_name(name), mundane_facts("tools", clean_text(text), cost, weight))


_READERS: Final[Mapping[str, Read]] = {
    "weapons": _weapon,
    "armor": _armor,
    "adventuring gear": _gear,
    "ammunition": _ammunition,
    "arcane focuses": _focus,
    "druidic focuses": _focus,
    "holy symbols": _focus,
    "tools": _tool,
    **services.READERS,
}
"""Name of a table → the reader of its rows."""
