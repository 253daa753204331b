"""Magic items of Open5e v2, Open5e v1 and the D&D 5e API; a magic weapon has weapon facts, magic armor armor facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.equipment.armory import DND5E_EQUIPMENT, Armory, BaseItem
from build_pipeline.normalize.equipment.gear import MAGIC_CATEGORIES, dnd5e_text, is_magic_equipment, v2_category
from build_pipeline.normalize.equipment.weapons import Facts
from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.attunement import attunement_detail, limited_to
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.item_names import item_keys, magic_name
from build_pipeline.normalize.text.money import gold, pounds
from build_pipeline.normalize.text.rarity import RARITIES, SOLD, VARIES, rarity
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.sentences import first_sentence

DND5E_MAGIC_ITEMS: Final = ("2014/magic-items", "2024/magic-items")

_KIND_OF: Final = {"weapon": "weapon", "armor": "armor", "shield": "armor"}
_CATEGORIES: Final = {
    "wondrous-items": "wondrous-item",
    "wondous-item": "wondrous-item",
    "other": "wondrous-item",
    "staffs": "staff",
}
_NEVER_ATTUNED: Final = {"potion", "scroll"}
_TYPE: Final = re.compile(r"(?P<type>[^(]+?)\s*(?:\((?P<base>.+)\))?")
_HEADER: Final = re.compile(
    r"(?P<type>Armor|Weapon|Potion|Ring|Rod|Scroll|Staff|Wand|Won?drous items?)\s*(?:\((?P<base>[^()]+)\))?"
    r"(?:,\s*(?P<rarity>[^()]*(?:\([^()]*\)[^()]*)*?))?\s*(?:\((?P<attunement>requires attunement[^()]*)\))?",
    re.IGNORECASE,
)
_AMMUNITION: Final = re.compile(r"\b(?:ammunition|arrows?|bolts?|bullets?)\b(?!-)", re.IGNORECASE)
_OPEN_CHOICE: Final = re.compile(r"\b(?:any|light|medium|heavy|simple|martial)\s*$", re.IGNORECASE)
_WIELDED: Final = re.compile(r"wielded as a (?:magic(?:al)? )?(?P<base>[a-z]+)", re.IGNORECASE)
_WRONG_BASE: Final = {"armor-of-resistance"}
"""Items of v1 whose type names the wrong base ("light", where the book has light, medium and heavy armor)."""
_PRICE_OF_ANOTHER: Final = {"srd-2024_spell-scroll"}
"""Items of v2 for all levels whose price is the least one's."""


def v2_magic_items(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    """Drafts of /v2/magicitems and of the magical rows of /v2/items."""
    yield from read_each(raw["open5e_v2", "magicitems"].values(), problems, partial(_v2_magic_item, armory))
    magical = (obj for obj in raw["open5e_v2", "items"].values() if v2_category(obj) in MAGIC_CATEGORIES)
    yield from read_each(magical, problems, partial(_v2_magical_item, armory))


def _v2_magic_item(armory: Armory, obj: RawObject) -> Draft:
    data = obj.data
    facts = _magic(data["category"]["key"], data["desc"], rarity(data["rarity"]["name"]))
    facts |= {
        "cost_gp": gold(data["cost"]),
        "weight_lb": pounds(data["weight"]),
        "requires_attunement": data["requires_attunement"],
        "attunement_detail": attunement_detail(data["attunement_detail"]),
    }
    return _draft(obj, v2_document(data), facts, armory, referred=armory.of_v2(data))


def _v2_magical_item(armory: Armory, obj: RawObject) -> Draft:
    facts = _magic(v2_category(obj), obj.data["desc"], SOLD)
    facts["cost_gp"] = None if obj.key in _PRICE_OF_ANOTHER else gold(obj.data["cost"])
    facts["weight_lb"] = pounds(obj.data["weight"])
    return _draft(obj, v2_document(obj.data), facts, armory)


def v1_magic_items(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    """Drafts of /v1/magicitems, whose type may name what the item is made from: "Weapon (longsword)"."""
    yield from read_each(raw["open5e_v1", "magicitems"].values(), problems, partial(_v1_magic_item, armory))


def _v1_magic_item(armory: Armory, obj: RawObject) -> Draft:
    data = obj.data
    match = _TYPE.fullmatch(data["type"])
    printed, phrase = (match["type"], match["base"]) if match else (data["type"], None)
    if obj.key in _WRONG_BASE:
        phrase = None
    facts = _magic(_slug(printed), data["desc"], rarity(data["rarity"]))
    facts["requires_attunement"] = bool(data["requires_attunement"])
    facts["attunement_detail"] = attunement_detail(data["requires_attunement"])
    document, also = v1_document(data["document__slug"])
    draft = _draft(obj, document, facts, armory, phrase=phrase)
    draft.also = also
    _add_printed(draft, data["rarity"], phrase)
    return draft


def dnd5e_magic_items(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    """Drafts of the D&D 5e API's magic items of both years, those listed among the equipment too."""
    for endpoint in DND5E_MAGIC_ITEMS:
        objects = raw["dnd5e_api", endpoint]
        # A group of variants of which one has the group's name ("Potion of Healing") is told by that variant.
        told_by = {
            obj.id: variant["index"]
            for obj in objects.values()
            for variant in obj.data["variants"]
            if variant["name"] == obj.data["name"] and variant["index"] in objects
        }
        groups = {index: group for group, index in told_by.items()}
        single = (obj for obj in objects.values() if obj.id not in told_by)
        yield from read_each(single, problems, partial(_dnd5e_magic_item, armory, groups))
    for endpoint in DND5E_EQUIPMENT:
        magical = (obj for obj in raw["dnd5e_api", endpoint].values() if is_magic_equipment(obj))
        yield from read_each(magical, problems, partial(_dnd5e_magic_equipment, armory))


def _dnd5e_magic_equipment(armory: Armory, obj: RawObject) -> Draft:
    category = "potion" if obj.data["name"].startswith("Potion") else "scroll"
    facts = _magic(category, dnd5e_text(obj.data), SOLD)
    facts |= {"cost_gp": gold(obj.data["cost"]), "weight_lb": pounds(obj.data.get("weight"))}
    return _draft(obj, dnd5e_document(obj.endpoint), facts, armory)


def _dnd5e_magic_item(armory: Armory, groups: Mapping[str, str], obj: RawObject) -> Draft:
    """A draft of one object, whose text starts with "Weapon (longsword), rare (requires attunement by a paladin)".

    `groups`: key of an object → id of the group of variants that it tells.
    """
    data = obj.data
    paragraphs = data["desc"] if isinstance(data["desc"], list) else data["desc"].split("\n")
    header = _HEADER.fullmatch(paragraphs[0].strip())
    text = "\n\n".join(p.strip() for p in (paragraphs[1:] if header else paragraphs))
    facts = _magic(_dnd5e_category(data, header), text, rarity(data["rarity"]["name"]))
    if "attunement" in data:
        facts["requires_attunement"] = data["attunement"]
        facts["attunement_detail"] = limited_to(data.get("limited-to"))
    elif header:
        facts["requires_attunement"] = bool(header["attunement"])
        facts["attunement_detail"] = attunement_detail(header["attunement"])
    phrase = header["base"] if header else None
    if rarity(phrase):  # "Weapon (Uncommon)" names no base
        phrase = None
    draft = _draft(obj, dnd5e_document(obj.endpoint), facts, armory, phrase=phrase)
    draft.raw += (groups[obj.key],) if obj.key in groups else ()
    draft.keys += tuple(_v2_slugs(obj.key, variant=data["variant"]))
    bonuses = [v["name"] for v in data["variants"] if v["name"].endswith(("+1", "+2", "+3"))]
    if bonuses and "+" not in draft.name:  # a group named plain "Weapon", "Shield"
        draft.name += ", +1, +2, or +3"
    _add_printed(draft, (header and header["rarity"]) or data["rarity"]["name"], phrase)
    if data["variants"]:
        _add_lines(draft, ["Variants: " + ", ".join(v["name"] for v in data["variants"]) + "."])
    return draft


def _v2_slugs(index: str, *, variant: bool) -> Iterator[str]:
    """What v2 may call a D&D 5e API item: "Ioun Stone (Absorption)", "Spell Scroll (1st Level)", without "armor"."""
    if index.endswith("-armor"):
        yield index.removesuffix("-armor")
    if variant:
        yield index.replace("-of-", "-")
    if index.startswith("spell-scroll-"):
        yield f"{index}-level"


def _dnd5e_category(data: JsonObject, header: re.Match[str] | None) -> str:
    group = data["equipment_category"]["index"]
    return _slug(header["type"] if header else _CATEGORIES.get(group, group.removesuffix("s")))


def _magic(category: str, text: str | None, how_rare: str | None) -> Facts:
    facts: dict[str, Any] = {
        "item_category": category,
        "description": clean_text(text),
        "is_magic": True,
        "rarity": how_rare,
    }
    if category in _NEVER_ATTUNED:
        facts["requires_attunement"] = False
    return facts


def _draft(
    obj: RawObject,
    document: str,
    facts: Facts,
    armory: Armory,
    *,
    referred: BaseItem | None = None,
    phrase: str | None = None,
) -> Draft:
    """A draft of a magic item, with the facts of its base item.

    Args:
        obj: the magic item.
        document: key of the document it stands in.
        facts: its own columns.
        armory: where base items are found.
        referred: the base item that a field of the object refers to.
        phrase: what its type names in brackets: `longsword` in "Weapon (longsword)".
    """
    name = magic_name(obj.data["name"])
    if facts["item_category"] == "weapon" and _AMMUNITION.search(f"{phrase or ''} {name}"):
        facts["item_category"] = "ammunition"
    if referred is None:
        named = _base_in_text(facts, document, name, phrase, armory)
    else:
        named = _misreferred(referred, name, armory)
    base = named or referred
    return Draft(
        source=obj.source,
        raw=(obj.id, *(base.raw if base else [])),
        entity_type="magic-item",
        document_key=document,
        name=name,
        keys=tuple(item_keys(obj.key, obj.data["name"], name)),
        facts=_with_base(facts, base),
        from_text={"base_item", *named.facts} if named else set(),
    )


def _misreferred(referred: BaseItem, name: str, armory: Armory) -> BaseItem | None:
    """The base item in the item's name, which is right: v2's Trident of the Vortex refers to a whip."""
    named = armory.mentioned(referred.kind, referred.document_key, name)
    return None if named is referred else named


def _with_base(facts: Facts, base: BaseItem | None) -> Facts:
    """An item's facts together with those of its base item, and what kind of item they make it."""
    if base is not None:
        facts = facts | base.facts | {"base_item": base.reference}
    category = _category(facts, base)
    return facts | {
        "item_category": category,
        "is_weapon": category == "weapon" or (base is not None and base.kind == "weapon"),
        "is_armor": category in {"armor", "shield"},
    }


def _base_in_text(facts: Facts, document: str, name: str, phrase: str | None, armory: Armory) -> BaseItem | None:
    """What an item is made from: by its type ("Weapon (mace)"), else its name, else the start of its text."""
    category = facts["item_category"]
    if category == "shield":
        return armory.mentioned("armor", document, category)
    if kind := _KIND_OF.get(category):
        if phrase:
            return armory.mentioned(kind, document, phrase)
        opening = first_sentence(facts["description"]) or ""
        return armory.mentioned(kind, document, name) or armory.mentioned(kind, document, opening)
    if category == "staff" and (match := _WIELDED.search(facts["description"] or "")):
        return armory.mentioned("weapon", document, match["base"])
    return None


def _category(facts: Facts, base: BaseItem | None) -> str:
    """The item category, set right by the base item: shields are filed under armor, one suit of mail under weapons."""
    category = str(facts["item_category"])
    if category not in _KIND_OF or base is None:
        return category
    return "shield" if base.facts.get("armor_category") == "shield" else base.kind


def _slug(printed: str) -> str:
    category = printed.strip().lower().replace(" ", "-")
    return _CATEGORIES.get(category, category)


def _add_printed(draft: Draft, printed_rarity: str, phrase: str | None) -> None:
    """Keep in the text what the columns cannot say: a rarity that varies, a base item that is open to choice."""
    lines = []
    if draft.facts["rarity"] == VARIES and any(r in printed_rarity.casefold() for r in RARITIES):
        lines.append(f"Rarity: {printed_rarity.strip()}.")
    if phrase and draft.facts.get("base_item") is None:
        noun = f" {draft.facts['item_category']}" if _OPEN_CHOICE.search(phrase) else ""
        lines.append(f"Made from: {phrase.strip()}{noun}.")
    _add_lines(draft, lines)


def _add_lines(draft: Draft, lines: list[str]) -> None:
    if lines:
        draft.facts["description"] = "\n\n".join(filter(None, [draft.facts["description"], *lines]))
