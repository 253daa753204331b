"""Mundane equipment: weapons, armor, gear, tools, packs, mounts, vehicles, services, poisons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from build_pipeline.normalize.equipment.armor import v1_armor
from build_pipeline.normalize.equipment.armory import DND5E_EQUIPMENT, NOT_ARMOR, Armory, dnd5e_kind
from build_pipeline.normalize.equipment.weapons import Facts, v1_weapon
from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.items.names import mundane_keys, natural_name
from build_pipeline.normalize.text.money import gold, pounds
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject

GEAR: Final = "adventuring-gear"
_FOCUS: Final = "spellcasting-focus"

MAGIC_CATEGORIES: Final = {"potion", "scroll", "wondrous-item"}
"""Categories of /v2/items (a list of mundane items) whose items are magical nevertheless."""

_CATEGORIES: Final = {
    "land-vehicle": "vehicle",
    "waterborne-vehicle": "vehicle",
    # A wand, rod or staff of /v2/items is a focus; the magical ones are in /v2/magicitems.
    "wand": _FOCUS,
    "rod": _FOCUS,
    "staff": _FOCUS,
    "ring": GEAR,
}
_MISFILED: Final = {
    "srd-2024_airship": "vehicle",
    **dict.fromkeys(
        (f"srd-2024_{item}" for item in ("antitoxin", "backpack", "case-map-or-scroll", "climbers-kit", "healers-kit")),
        GEAR,
    ),
}
"""Items of v2 whose category is plainly wrong: key → right category."""

_WRONG_WEIGHT: Final = {"srd-2024_dart"}
"""Items of v2 whose weight is not the book's; the D&D 5e API has it."""

_TWICE: Final = {"srd_acid-vial": "srd_acid"}
"""Items of v2 → a duplicate of them in v2 that says less."""

_MISSPELT: Final = {"srd_essense-of-either": "Essence of Ether"}

_DND5E_CATEGORIES: Final = {
    "ammunition": "ammunition",
    "equipment-packs": "equipment-pack",
    "arcane-foci": _FOCUS,
    "druidic-foci": _FOCUS,
    "holy-symbols": _FOCUS,
    "tools": "tools",
    "other-tools": "tools",
    "Mounts and Other Animals": "mount",
    "Waterborne Vehicles": "vehicle",
    "Tack, Harness, and Drawn Vehicles": "tack-and-harness",
}
"""The D&D 5e API's categories that are more specific than adventuring gear."""

_MAGIC_NAME: Final = re.compile(r"(?:Potion of|Spell Scroll)\b")
"""Magic items that the D&D 5e API lists among the equipment because shops sell them."""

_NO_TEXT: Final = re.compile(r"An? [\w' -]{3,30}\.?|Two-handed unless mounted")
"""The APIs' descriptions of most weapons and armor: only the name, or a note on a property."""

_OTHER_NAMES: Final = {"tent-two-person": "tent", "oil-flask": "lamp-oil-flask"}
"""Keys of the D&D 5e API → the key of the same item in v2, where the names differ too much to match."""


def v2_items(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    """Drafts of the mundane rows of /v2/items."""
    items = raw["open5e_v2", "items"]
    duplicates = {less for more, less in _TWICE.items() if more in items}
    mundane = (obj for obj in items.values() if v2_category(obj) not in MAGIC_CATEGORIES and obj.key not in duplicates)
    yield from read_each(mundane, problems, partial(_v2_item, armory, items))


def v2_category(obj: RawObject) -> str:
    """The item category of a row of /v2/items."""
    category = str(obj.data["category"]["key"])
    if category == "weapon" and not obj.data["weapon"]:
        return GEAR  # acid, nets, torches: thrown things, not weapons in the tables
    return _MISFILED.get(obj.key) or _CATEGORIES.get(category, category)


def _v2_item(armory: Armory, items: Mapping[str, RawObject], obj: RawObject) -> Draft:
    data = obj.data
    document = v2_document(data)
    category = v2_category(obj)
    base = armory.of_v2(data)
    if category == "shield" or data["name"].casefold() == "shield":
        category = "shield"
        base = base or armory.named("armor", document, data["name"])
    text = data["desc"]
    if category not in {"weapon", "armor", "shield"}:
        base = None
    elif text and _NO_TEXT.fullmatch(text):
        text = None
    weight = None if obj.key in _WRONG_WEIGHT else pounds(data["weight"])
    facts = mundane_facts(category, text, gold(data["cost"]), weight)
    name = _MISSPELT.get(obj.key, natural_name(data["name"]))
    same = [items[_TWICE[obj.key]].id] if _TWICE.get(obj.key) in items else []
    draft = _draft(obj, document, name, facts | (base.facts if base else {}), raw=(*same, *(base.raw if base else ())))
    draft.taken = base.taken(obj.source) if base else {}
    return draft


def v1_items(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Drafts of /v1/weapons and /v1/armor; rows of armor that are not items become problems."""
    weapons, armor = raw["open5e_v1", "weapons"].values(), raw["open5e_v1", "armor"].values()
    yield from read_each(weapons, problems, lambda obj: _v1_item(obj, "weapon", v1_weapon(obj.data)))
    yield from read_each(armor, problems, partial(_v1_armor, problems))


def _v1_armor(problems: Problems, obj: RawObject) -> Draft | None:
    category = obj.data["category"]
    if category in NOT_ARMOR:
        problems.add(obj.id, f"not an item but a way to calculate armor class ({category.lower()})")
        return None
    return _v1_item(obj, "shield" if category == "Shield" else "armor", v1_armor(obj.data))


def _v1_item(obj: RawObject, category: str, facts: Facts) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    name = natural_name(data["name"])
    mundane = mundane_facts(category, None, gold(data["cost"]), pounds(data["weight"]))
    draft = _draft(obj, document, name, mundane | facts)
    draft.also = also
    return draft


def dnd5e_items(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Drafts of the D&D 5e API's equipment of both years."""
    for endpoint in DND5E_EQUIPMENT:
        mundane = (obj for obj in raw["dnd5e_api", endpoint].values() if not is_magic_equipment(obj))
        yield from read_each(mundane, problems, _dnd5e_item)


def is_magic_equipment(obj: RawObject) -> bool:
    """Whether a row of the D&D 5e API's equipment is a magic item."""
    return bool(_MAGIC_NAME.match(obj.data["name"]))


def _dnd5e_item(obj: RawObject) -> Draft:
    data, document = obj.data, dnd5e_document(obj.endpoint)
    kind = dnd5e_kind(data)
    category = kind[0] if kind else _dnd5e_category(data)
    facts = mundane_facts(category, None, gold(data["cost"]), pounds(data.get("weight")))
    if kind:
        facts |= kind[1](data)
        if facts.get("armor_category") == "shield":
            facts["item_category"] = "shield"
    text = dnd5e_text(data)
    facts["description"] = None if kind and text and _NO_TEXT.fullmatch(text) else text
    draft = _draft(obj, document, natural_name(data["name"]), facts)
    if obj.key in _OTHER_NAMES:
        draft.keys += (_OTHER_NAMES[obj.key],)
    return draft


def _dnd5e_category(data: JsonObject) -> str:
    groups = [data.get("gear_category"), data.get("equipment_category"), *data.get("equipment_categories", [])]
    names = [data.get("vehicle_category"), *(g["index"] for g in groups if g)]
    return next((_DND5E_CATEGORIES[n] for n in names if n in _DND5E_CATEGORIES), GEAR)


def dnd5e_text(data: JsonObject) -> str | None:
    """The description, with the facts that have no column: what is in a pack, a mount's speed, a tool's uses."""
    paragraphs = [*data.get("desc", []), *data.get("description", []), *data.get("special", []), *data.get("notes", [])]
    if quantity := data.get("quantity"):
        paragraphs.append(f"Sold by {quantity}.")
    if speed := data.get("speed"):
        unit = "feet per round" if speed["unit"] == "ft/round" else speed["unit"]
        paragraphs.append(f"Speed: {speed['quantity']:g} {unit}.")
    if capacity := data.get("capacity"):
        paragraphs.append(f"Carrying capacity: {capacity}")
    if ability := data.get("ability"):
        paragraphs.append(f"Ability: {ability['name']}.")
    if uses := data.get("utilize"):
        paragraphs.append("Utilize: " + "; ".join(f"{u['name']} (DC {u['dc']['dc_value']})" for u in uses) + ".")
    if craft := data.get("craft"):
        paragraphs.append("Craft: " + ", ".join(c["name"] for c in craft) + ".")
    if contents := data.get("contents"):
        paragraphs.append("Contains: " + ", ".join(_counted(c) for c in contents) + ".")
    return clean_text(paragraphs) if paragraphs else None


def _counted(content: JsonObject) -> str:
    name = natural_name(content["item"]["name"])
    return name if content["quantity"] == 1 else f"{content['quantity']} × {name}"


def services(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Drafts of /v2/services: lodging, hirelings, spellcasting."""
    yield from read_each(raw["open5e_v2", "services"].values(), problems, _service)


def _service(obj: RawObject) -> Draft:
    data = obj.data
    detail = data["detail"]
    text = data["desc"] or ""
    if detail:
        text += f"\n\nPrice {'per ' + detail.removeprefix('1 ') if detail[0].isdigit() else detail}."
    return _draft(obj, v2_document(data), data["name"], mundane_facts("service", text, gold(data["cost"]), None))


def poisons(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Drafts of the D&D 5e API's poisons of 2024."""
    yield from read_each(raw["dnd5e_api", "2024/poisons"].values(), problems, _poison)


def _poison(obj: RawObject) -> Draft:
    data = obj.data
    text = f"{data['description']}\n\nPoison type: {data['type']}."
    facts = mundane_facts("poison", text, gold(data["cost"]), None)
    return _draft(obj, dnd5e_document(obj.endpoint), data["name"], facts)


def item_sets(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Drafts of /v2/itemsets: packs, and groups of items with a text of their own ("Holy Symbols")."""
    items = raw["open5e_v2", "items"]
    yield from read_each(raw["open5e_v2", "itemsets"].values(), problems, partial(_item_set, items))


def _item_set(items: Mapping[str, RawObject], obj: RawObject) -> Draft:
    data = obj.data
    document = v2_document(data)
    # A set belongs to one document, but also lists members from others.
    members = [
        natural_name(item["name"])
        for item in data["items"]
        if (listed := items.get(item["key"])) and v2_document(listed.data) == document
    ]
    category = "equipment-pack" if data["name"].endswith(" Pack") else "item-set"
    text = data["desc"] or ""
    if category == "item-set" and members:
        text += "\n\nIncludes: " + ", ".join(members) + "."
    return _draft(obj, document, natural_name(data["name"]), mundane_facts(category, text, None, None))


def mundane_facts(category: str, text: str | None, cost: float | None, weight: float | None) -> Facts:
    """The facts of a mundane item: its text, its price in gold pieces, its weight in pounds."""
    return {
        "item_category": category,
        "description": clean_text(text),
        "cost_gp": cost,
        "weight_lb": weight,
        "is_magic": False,
        "requires_attunement": False,
        "is_weapon": category == "weapon",
        "is_armor": category in {"armor", "shield"},
    }


def mundane_type(category: str) -> str:
    """The entity type of mundane items of a category."""
    if category == "shield":
        return "armor"
    return category if category in {"weapon", "armor"} else GEAR


def _draft(obj: RawObject, document: str, name: str, facts: Facts, *, raw: Iterable[str] = ()) -> Draft:
    printed = obj.data["name"]
    keys = mundane_keys(obj.key, printed, name)
    return Draft(
        source=obj.source,
        raw=tuple(dict.fromkeys([obj.id, *raw])),
        entity_type=mundane_type(facts["item_category"]),
        document_key=document,
        name=name,
        keys=tuple(keys),
        facts=facts,
    )
