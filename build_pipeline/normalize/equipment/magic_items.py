"""Magic items of Open5e v2, Open5e v1 and the D&D 5e API; a magic weapon has weapon facts, magic armor armor facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from build_pipeline.normalize.equipment.armory import DND5E_EQUIPMENT, Armory, BaseItem
from build_pipeline.normalize.equipment.gear import MAGIC_CATEGORIES, dnd5e_text, is_magic_equipment, v2_category
from build_pipeline.normalize.equipment.magic_drafts import (
    CATEGORIES,
    Header,
    add_lines,
    add_printed,
    category_slug,
    magic_draft,
    magic_facts,
)
from build_pipeline.normalize.equipment.weapons import Facts
from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.items.attunement import attunement_detail, limited_to
from build_pipeline.normalize.text.items.rarity import SOLD, VARIES, rarity, tabled_rarity
from build_pipeline.normalize.text.money import gold, pounds
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject

DND5E_MAGIC_ITEMS: Final = ("2014/magic-items", "2024/magic-items")

_RARITY_LINE: Final = re.compile(r"(?:Common|Uncommon|Very Rare|Rare|Legendary)\s*(?:\([^()]*\))?", re.IGNORECASE)
"""A separate line with the rarity of a variant; the header is that of its generic."""
_TYPE: Final = re.compile(r"(?P<type>[^(]+?)\s*(?:\((?P<base>.+)\))?")
_WRONG_BASE: Final = {"armor-of-resistance"}
"""Items of v1 whose type names the wrong base ("light", where the book has light, medium and heavy armor)."""
_TEXT_OF_ANOTHER: Final = {"srd_ioun-stone-absorption"}
"""Items of v2 with the text of a sibling; the D&D 5e API has their own."""
_PRICE_OF_ANOTHER: Final = {"srd-2024_spell-scroll"}
"""Items of v2 that cover all levels but have the price of the lowest."""


def v2_magic_items(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    """Drafts of /v2/magicitems and of the magical rows of /v2/items."""
    yield from read_each(raw["open5e_v2", "magicitems"].values(), problems, partial(_v2_magic_item, armory))
    magical = (obj for obj in raw["open5e_v2", "items"].values() if v2_category(obj) in MAGIC_CATEGORIES)
    yield from read_each(magical, problems, partial(_v2_magical_item, armory))


def _v2_magic_item(armory: Armory, obj: RawObject) -> Draft:
    data = obj.data
    facts = magic_facts(data["category"]["key"], data["desc"], rarity(data["rarity"]["name"]))
    if obj.key in _TEXT_OF_ANOTHER:
        facts["description"] = None
    facts |= {
        "cost_gp": gold(data["cost"]),
        "weight_lb": pounds(data["weight"]),
        "requires_attunement": data["requires_attunement"],
        "attunement_detail": attunement_detail(data["attunement_detail"]),
    }
    return _draft(obj, v2_document(data), facts, armory, referred=armory.of_v2(data))


def _v2_magical_item(armory: Armory, obj: RawObject) -> Draft:
    facts = magic_facts(v2_category(obj), obj.data["desc"], SOLD)
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
    facts = magic_facts(category_slug(printed), data["desc"], rarity(data["rarity"]))
    facts["requires_attunement"] = bool(data["requires_attunement"])
    facts["attunement_detail"] = attunement_detail(data["requires_attunement"])
    document, also = v1_document(data["document__slug"])
    draft = _draft(obj, document, facts, armory, phrase=phrase)
    draft.also = also
    add_printed(draft, data["rarity"], phrase)
    if tabled_rarity(facts["description"]) == VARIES != draft.facts["rarity"]:
        draft.facts["rarity"] = VARIES  # some books give the lowest or most frequent one of the kinds
        draft.from_text.add("rarity")
    return draft


def dnd5e_magic_items(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    """Drafts of the D&D 5e API's magic items of both years, including those listed among the equipment."""
    for endpoint in DND5E_MAGIC_ITEMS:
        objects = raw["dnd5e_api", endpoint]
        # A group with a variant of the group's own name ("Potion of Healing") is represented by that variant.
        variant_of = {
            obj.id: variant["index"]
            for obj in objects.values()
            for variant in obj.data["variants"]
            if variant["name"] == obj.data["name"] and variant["index"] in objects
        }
        groups = {
            variant["index"]: obj.id
            for obj in objects.values()
            for variant in obj.data["variants"]
            if variant["index"] in objects
        }
        single = (obj for obj in objects.values() if obj.id not in variant_of)
        yield from read_each(single, problems, partial(_dnd5e_magic_item, armory, groups))
    for endpoint in DND5E_EQUIPMENT:
        magical = (obj for obj in raw["dnd5e_api", endpoint].values() if is_magic_equipment(obj))
        yield from read_each(magical, problems, partial(_dnd5e_magic_equipment, armory))


def _dnd5e_magic_equipment(armory: Armory, obj: RawObject) -> Draft:
    category = "potion" if obj.data["name"].startswith("Potion") else "scroll"
    facts = magic_facts(category, dnd5e_text(obj.data), SOLD)
    facts |= {"cost_gp": gold(obj.data["cost"]), "weight_lb": pounds(obj.data.get("weight"))}
    return _draft(obj, dnd5e_document(obj.endpoint), facts, armory)


def _dnd5e_magic_item(armory: Armory, groups: Mapping[str, str], obj: RawObject) -> Draft:
    """A draft of one object, whose text starts with "Weapon (longsword), rare (requires attunement by a paladin)".

    `groups`: key of an object → id of the group of variants that it belongs to.
    """
    data = obj.data
    paragraphs = data["desc"] if isinstance(data["desc"], list) else data["desc"].split("\n")
    header = Header.read(paragraphs[0])
    body = [p.strip() for p in (paragraphs[1:] if header else paragraphs) if p.strip()]
    text = "\n\n".join(body[1:] if body and _RARITY_LINE.fullmatch(body[0]) else body)
    facts = magic_facts(_dnd5e_category(data, header), text, rarity(data["rarity"]["name"]))
    if "attunement" in data:
        facts["requires_attunement"] = data["attunement"]
        facts["attunement_detail"] = limited_to(data.get("limited-to"))
    elif header:
        facts |= header.facts()
    phrase = header.phrase if header else None
    draft = _draft(obj, dnd5e_document(obj.endpoint), facts, armory, phrase=phrase)
    draft.raw += (groups[obj.key],) if obj.key in groups else ()
    if header and "attunement" not in data:
        draft.from_text |= header.facts().keys()
    draft.keys += tuple(_v2_slugs(obj.key, variant=data["variant"]))
    bonuses = [v["name"] for v in data["variants"] if v["name"].endswith(("+1", "+2", "+3"))]
    if bonuses and "+" not in draft.name:  # a group named plain "Weapon", "Shield"
        draft.name += ", +1, +2, or +3"
    add_printed(draft, (header and header.rarity) or data["rarity"]["name"], phrase)
    if data["variants"]:
        add_lines(draft, ["Variants: " + ", ".join(v["name"] for v in data["variants"]) + "."])
    return draft


def _v2_slugs(index: str, *, variant: bool) -> Iterator[str]:
    """Slugs that v2 may use for an item: "Ioun Stone (Absorption)", "Spell Scroll (1st Level)", without "armor"."""
    if index.endswith("-armor"):
        yield index.removesuffix("-armor")
    if variant:
        yield index.replace("-of-", "-")
    if index.startswith("spell-scroll-"):
        yield f"{index}-level"


def _dnd5e_category(data: JsonObject, header: Header | None) -> str:
    group = data["equipment_category"]["index"]
    return header.category if header else category_slug(CATEGORIES.get(group, group.removesuffix("s")))


def _draft(
    obj: RawObject,
    document: str,
    facts: Facts,
    armory: Armory,
    *,
    referred: BaseItem | None = None,
    phrase: str | None = None,
) -> Draft:
    return magic_draft(
        facts,
        armory,
        source=obj.source,
        raw=(obj.id,),
        document=document,
        printed=obj.data["name"],
        key=obj.key,
        referred=referred,
        phrase=phrase,
    )
