"""Magic items of Open5e v2, Open5e v1 and the D&D 5e API; a magic weapon has weapon facts, magic armor armor facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.armory import Armory, BaseItem
from build_pipeline.normalize.attunement import attunement_detail, limited_to
from build_pipeline.normalize.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.draft import Draft
from build_pipeline.normalize.gear import MAGIC_CATEGORIES, v2_category
from build_pipeline.normalize.item_names import item_keys
from build_pipeline.normalize.money import gold, pounds
from build_pipeline.normalize.rarity import VARIES, rarity
from build_pipeline.normalize.text import clean_text
from build_pipeline.normalize.weapons import Facts
from build_pipeline.snapshot.raw import RawLayer, RawObject

_CATEGORY_OF: Final = {"wondrous-items": "wondrous-item", "staffs": "staff"}
_KIND_OF: Final = {"weapon": "weapon", "armor": "armor", "shield": "armor"}
_TYPE_WITH_BASE: Final = re.compile(r"(?P<type>[^(]+?)\s*(?:\((?P<base>.+)\))?")
_HEADER: Final = re.compile(
    r"(?P<type>Armor|Weapon|Potion|Ring|Rod|Scroll|Staff|Wand|Won?drous items?)\s*(?:\((?P<base>[^()]+)\))?"
    r"(?:,\s*(?P<rarity>[^()]*(?:\([^()]*\)[^()]*)*?))?\s*(?:\((?P<attunement>requires attunement[^()]*)\))?",
    re.IGNORECASE,
)
_WIELDED: Final = re.compile(r"wielded as a (?:magic(?:al)? )?(?P<base>[a-z]+)", re.IGNORECASE)


def v2_magic_items(raw: RawLayer, armory: Armory) -> Iterator[Draft]:
    """Drafts of /v2/magicitems and of the magical rows of /v2/items."""
    for obj in raw["open5e_v2", "magicitems"].values():
        data = obj.data
        category = data["category"]["key"]
        facts = _magic(category, data["desc"], rarity(data["rarity"]["name"]))
        facts |= {
            "cost_gp": gold(data["cost"]),
            "weight_lb": pounds(data["weight"]),
            "requires_attunement": data["requires_attunement"],
            "attunement_detail": attunement_detail(data["attunement_detail"]),
        }
        base = armory.of_v2(data)
        yield _draft(obj, v2_document(data), data["name"], facts, armory, base=base)
    for obj in raw["open5e_v2", "items"].values():
        category = v2_category(obj)
        if category in MAGIC_CATEGORIES:
            facts = _magic(category, obj.data["desc"], None)
            facts |= {"cost_gp": gold(obj.data["cost"]), "weight_lb": pounds(obj.data["weight"])}
            yield _draft(obj, v2_document(obj.data), obj.data["name"], facts, armory)


def v1_magic_items(raw: RawLayer, armory: Armory) -> Iterator[Draft]:
    """Drafts of /v1/magicitems, whose type may name what the item is made from: "Weapon (longsword)"."""
    for obj in raw["open5e_v1", "magicitems"].values():
        data = obj.data
        match = _TYPE_WITH_BASE.fullmatch(data["type"])
        printed, phrase = (match["type"], match["base"]) if match else (data["type"], None)
        document, also = v1_document(data["document__slug"])
        facts = _magic(_category(printed, phrase), data["desc"], rarity(data["rarity"]))
        facts["requires_attunement"] = bool(data["requires_attunement"])
        facts["attunement_detail"] = attunement_detail(data["requires_attunement"])
        draft = _draft(obj, document, data["name"], facts, armory, phrase=phrase)
        draft.also = also
        _add_printed(draft, data["rarity"], phrase)
        yield draft


def dnd5e_magic_items(raw: RawLayer, armory: Armory) -> Iterator[Draft]:
    """Drafts of the D&D 5e API's magic items of both years; their text starts with type, rarity and attunement."""
    for endpoint in ("2014/magic-items", "2024/magic-items"):
        for obj in raw["dnd5e_api", endpoint].values():
            data = obj.data
            paragraphs = data["desc"] if isinstance(data["desc"], list) else data["desc"].split("\n")
            header = _HEADER.fullmatch(paragraphs[0].strip())
            phrase = header["base"] if header else None
            if phrase and rarity(phrase):  # "Weapon (Uncommon)": no item of that name
                phrase = None
            text = "\n\n".join(p.strip() for p in (paragraphs[1:] if header else paragraphs))
            group = data["equipment_category"]["index"]
            category = _category(header["type"] if header else _CATEGORY_OF.get(group, group.removesuffix("s")), phrase)
            facts = _magic(category, text, rarity(data["rarity"]["name"]))
            if "attunement" in data:
                facts["requires_attunement"] = data["attunement"]
                facts["attunement_detail"] = limited_to(data.get("limited-to"))
            elif header:
                facts["requires_attunement"] = bool(header["attunement"])
                facts["attunement_detail"] = attunement_detail(header["attunement"])
            draft = _draft(obj, dnd5e_document(endpoint), data["name"], facts, armory, phrase=phrase)
            _add_printed(draft, (header and header["rarity"]) or data["rarity"]["name"], phrase)
            if data["variants"]:
                names = ", ".join(v["name"] for v in data["variants"])
                draft.facts["description"] = f"{draft.facts['description']}\n\nVariants: {names}."
            yield draft


def _magic(category: str, text: str, how_rare: str | None) -> Facts:
    facts: dict[str, Any] = {
        "item_category": category,
        "description": clean_text(text),
        "is_magic": True,
        "rarity": how_rare,
        "is_weapon": category == "weapon",
        "is_armor": category in {"armor", "shield"},
    }
    return facts


def _draft(
    obj: RawObject,
    document: str,
    name: str,
    facts: Facts,
    armory: Armory,
    *,
    base: BaseItem | None = None,
    phrase: str | None = None,
) -> Draft:
    from_text: set[str] = set()
    if base is None:
        base = _base_in_text(facts, document, name, phrase, armory)
        if base is not None:
            from_text = {"base_item", *base.facts}
    if base is not None:
        facts |= base.facts | {"base_item": base.reference, f"is_{base.kind}": True}
    return Draft(
        source=obj.source,
        raw=(obj.id, *(base.raw if base else [])),
        entity_type="magic-item",
        document_key=document,
        name=name.strip(),
        keys=item_keys(obj.key, name),
        facts=facts,
        from_text=from_text,
    )


def _base_in_text(facts: Facts, document: str, name: str, phrase: str | None, armory: Armory) -> BaseItem | None:
    """What an item is made from: by its type ("Weapon (mace)"), else its name, else its text."""
    category = facts["item_category"]
    if category == "shield":
        return armory.mentioned("armor", document, "shield")
    if kind := _KIND_OF.get(category):
        return armory.mentioned(kind, document, phrase or name)
    if category == "staff" and (match := _WIELDED.search(facts["description"] or "")):
        return armory.mentioned("weapon", document, match["base"])
    return None


def _category(printed: str, phrase: str | None) -> str:
    category = printed.strip().lower().replace(" ", "-")
    if category in {"wondrous-items", "wondous-item"}:
        return "wondrous-item"
    if category == "armor" and phrase and phrase.strip().casefold() == "shield":
        return "shield"
    if category == "weapon" and phrase and re.search("ammunition|arrow|bolt|bullet", phrase, re.IGNORECASE):
        return "ammunition"
    return category


def _add_printed(draft: Draft, printed_rarity: str, phrase: str | None) -> None:
    """Keep in the text what the columns cannot say: a rarity that varies, a base that is open to choice."""
    lines = []
    if draft.facts["rarity"] == VARIES and "(" in printed_rarity + "(" and printed_rarity.casefold() != VARIES:
        lines.append(f"Rarity: {printed_rarity.strip()}.")
    if phrase and draft.facts.get("base_item") is None:
        lines.append(f"Made from: {phrase.strip()}.")
    if lines:
        draft.facts["description"] = "\n\n".join([draft.facts["description"] or "", *lines]).strip()
