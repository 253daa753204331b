"""Shared by the readers of magic items: the printed line of type and rarity, the base item, the draft."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.normalize.equipment.armory import HOME, Armory, BaseItem
from build_pipeline.normalize.equipment.open_bases import without_exception
from build_pipeline.normalize.equipment.weapons import Facts
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.items.attunement import attunement_detail
from build_pipeline.normalize.text.items.facts import magic_bonus
from build_pipeline.normalize.text.items.names import item_keys, magic_name
from build_pipeline.normalize.text.items.rarity import RARITIES, VARIES, own_rarity, rarity
from server.dataset.sentences import first_sentence

_KIND_OF: Final = {"weapon": "weapon", "armor": "armor", "shield": "armor"}
CATEGORIES: Final = {
    "wondrous-items": "wondrous-item",
    "wondous-item": "wondrous-item",
    "other": "wondrous-item",
    "staffs": "staff",
}
_WIELDED_TOO: Final = {"ammunition", "staff", "rod"}
"""Categories other than weapons whose items are used to attack."""
_NEVER_ATTUNED: Final = {"potion", "scroll"}
_HEADER: Final = re.compile(
    r"(?P<type>Armor|Weapon|Potion|Ring|Rod|Scroll|Staff|Wand|Won?drous items?)\s*(?:\((?P<base>[^()]+)\))?"
    r"(?:,\s*(?P<rarity>[^()]*(?:\([^()]*\)[^()]*)*?))?\s*(?:\((?P<attunement>requires attunement[^()]*)\))?",
    re.IGNORECASE,
)
_AMMUNITION: Final = re.compile(r"\b(?:ammunition|arrows?|bolts?|bullets?)\b(?!-)", re.IGNORECASE)
_OPEN_CHOICE: Final = re.compile(r"\b(?:any|light|medium|heavy|simple|martial)\s*$", re.IGNORECASE)
_HELD: Final = re.compile(r"\b[Ww]hile holding the (?P<base>[a-z]+(?: [a-z]+)?)")
_WIELDED: Final = re.compile(
    r"\b(?:(?:wielded|used|functions|appears) as a|this) (?:magic(?:al)? )?(?P<base>[a-z]+)(?! that deals\b)",
    re.IGNORECASE,
)
_SHIELD: Final = re.compile(r"\bshield\b", re.IGNORECASE)
_WEIGHT: Final = re.compile(r"\bThis (light|medium|heavy) armor\b")
PRINTED_RARITY: Final = re.compile(r"^Rarity: (?P<printed>.+)\.$", re.MULTILINE)
PRINTED_BASE: Final = re.compile(r"^Made from: (?P<printed>.+)\.$", re.MULTILINE)
_ADDED: Final = re.compile(r"\n\n(?:Made from|Rarity|Variants): [^\n]*")
"""Lines that readers append to a text."""
_WIELDED_AS: Final = {"staff", "rod", "wand"}
"""Categories whose items may be weapons as well."""


@dataclass(frozen=True, slots=True)
class Header:
    """The line under an item's name: "Weapon (longsword), rare (requires attunement by a paladin)".

    Attributes:
        category: the item category.
        phrase: the text in brackets after the type: the base item or a choice of them.
        rarity: the rarity as printed, which may name several.
        attunement: the printed requirement of attunement; None if the item needs none.
    """

    category: str
    phrase: str | None
    rarity: str | None
    attunement: str | None

    @classmethod
    def read(cls, line: str) -> Header | None:
        """Parse a line; None if it is not a header."""
        match = _HEADER.fullmatch(line.strip())
        if match is None:
            return None
        phrase = None if rarity(match["base"]) else match["base"]  # "Weapon (Uncommon)" names no base
        return cls(category_slug(match["type"]), phrase, match["rarity"], match["attunement"])

    def facts(self) -> Facts:
        """The columns about attunement."""
        return {
            "requires_attunement": bool(self.attunement),
            "attunement_detail": attunement_detail(self.attunement),
        }


def magic_facts(category: str, text: str | None, rarity_text: str | None) -> Facts:
    """The columns that every magic item has."""
    facts: dict[str, Any] = {
        "item_category": category,
        "description": clean_text(text),
        "is_magic": True,
        "rarity": rarity_text,
    }
    if category in _NEVER_ATTUNED:
        facts["requires_attunement"] = False
    return facts


def magic_draft(
    facts: Facts,
    armory: Armory,
    *,
    source: str,
    raw: tuple[str, ...],
    document: str,
    printed: str,
    key: str,
    referred: BaseItem | None = None,
    phrase: str | None = None,
) -> Draft:
    """A draft of a magic item, with the facts of its base item.

    Args:
        facts: its own columns.
        armory: where base items are found.
        source: the source that has it.
        raw: ids of its raw objects.
        document: key of the document that it is in.
        printed: its name as printed.
        key: the source's key for it.
        referred: the base item that a field of the object refers to.
        phrase: the text in brackets after its type: `longsword` in "Weapon (longsword)".
    """
    name = magic_name(printed)
    own = own_rarity(name, facts["description"])
    read = {"bonus", *(["rarity"] if own not in {None, facts["rarity"]} else [])}
    facts["rarity"] = own or facts["rarity"]
    if facts["item_category"] == "weapon" and referred is None and _AMMUNITION.search(f"{phrase or ''} {name}"):
        facts["item_category"] = "ammunition"
    if referred is None:
        named = _base_in_text(facts, document, name, phrase, armory)
    else:
        named = _misreferred(referred, name, facts["description"] or "", armory)
    base = named or referred
    taken = base.taken(source) if base else {}
    weight = facts.get("weight_lb")
    facts = _with_base(facts, base)
    if not facts["is_weapon"] and _wielded_as(facts, HOME, armory):  # a book of other rules may list no weapons
        facts["is_weapon"] = True
        read.add("is_weapon")
    if base is None and (worn := _worn_as(name, facts)):
        facts |= worn
        read |= worn.keys()
    facts["bonus"] = _bonus(name, facts)
    if base and facts["weight_lb"] != weight and source not in base.weight_sources:
        taken["weight_lb"] = base.weight_sources[0]
    if named:
        read |= {"base_item", *named.facts, *(["weight_lb"] if facts["weight_lb"] != weight else [])}
    return Draft(
        source=source,
        raw=(*raw, *(base.raw if base else [])),
        entity_type="magic-item",
        document_key=document,
        name=name,
        keys=tuple(item_keys(key, printed, name)),
        facts=facts,
        from_text=read,
        taken=taken,
    )


def _misreferred(referred: BaseItem, name: str, text: str, armory: Armory) -> BaseItem | None:
    """The base item in the item's name, or held in its text, if not `referred`: v2 has a trident refer to a whip."""
    held = _HELD.search(text)
    named = armory.mentioned(referred.kind, referred.document_key, name) or (
        armory.mentioned(referred.kind, referred.document_key, held["base"]) if held else None
    )
    return None if named is referred else named


def _with_base(facts: Facts, base: BaseItem | None) -> Facts:
    """An item's facts together with those of its base item, and the kind of item that they make it.

    An item weighs what its base weighs, unless its own text says otherwise: v2 repeats its errors (darts of a pound).
    """
    if base is not None:
        weight = base.weight or facts.get("weight_lb")
        facts = facts | base.facts | {"base_item": base.reference, "weight_lb": weight}
    category = _category(facts, base)
    return facts | {
        "item_category": category,
        "is_weapon": category == "weapon" or (base is not None and base.kind == "weapon"),
        "is_armor": category in {"armor", "shield"},
    }


def _bonus(name: str, facts: Facts) -> int | None:
    wielded = facts["is_weapon"] or facts["item_category"] in _WIELDED_TOO
    return magic_bonus(name, facts["description"] or "", is_weapon=wielded, is_armor=facts["is_armor"])


def _base_in_text(facts: Facts, document: str, name: str, phrase: str | None, armory: Armory) -> BaseItem | None:
    """The base item of an item: from its type ("Weapon (mace)"), else its name, else the start of its text."""
    category = facts["item_category"]
    phrase = without_exception(phrase)[0] if phrase else None
    if category == "shield":
        return armory.mentioned("armor", document, category)
    if kind := _KIND_OF.get(category):
        if phrase:
            return armory.mentioned(kind, document, phrase)
        opening = first_sentence(facts["description"]) or ""
        return armory.mentioned(kind, document, name) or armory.mentioned(kind, document, opening)
    return _wielded_as(facts, document, armory)


def _wielded_as(facts: Facts, document: str, armory: Armory) -> BaseItem | None:
    """The weapon that a staff, rod or wand is wielded as, according to its text."""
    wielded = _WIELDED.finditer(facts["description"] or "") if facts["item_category"] in _WIELDED_AS else ()
    return next(filter(None, (armory.mentioned("weapon", document, match["base"]) for match in wielded)), None)


def _worn_as(name: str, facts: Facts) -> Facts:
    """Columns of armor without a base item, from its name or the start of its text; some books file shields there."""
    opening = first_sentence(facts["description"] or "") or ""
    if facts["item_category"] != "armor":
        return {}
    if _SHIELD.search(f"{name} {opening}"):
        return {"item_category": "shield", "armor_category": "shield"}
    weight = _WEIGHT.search(opening)
    return {"armor_category": weight[1]} if weight else {}


def _category(facts: Facts, base: BaseItem | None) -> str:
    """The item category, corrected by the base item: shields are filed under armor, one suit of mail under weapons."""
    category = str(facts["item_category"])
    if category not in _KIND_OF or base is None:
        return category
    return "shield" if base.facts.get("armor_category") == "shield" else base.kind


def category_slug(printed: str) -> str:
    """The item category for a printed type: "Wondrous item" → `wondrous-item`."""
    category = printed.strip().lower().replace(" ", "-")
    return CATEGORIES.get(category, category)


def add_printed(draft: Draft, printed_rarity: str, phrase: str | None) -> None:
    """Keep in the text what the columns cannot express: a rarity that varies, a base item that is open to choice."""
    lines = []
    if draft.facts["rarity"] == VARIES and any(r in printed_rarity.casefold() for r in RARITIES):
        lines.append(f"Rarity: {printed_rarity.strip()}.")
    if phrase and draft.facts.get("base_item") is None:
        noun = f" {draft.facts['item_category']}" if _OPEN_CHOICE.search(phrase) else ""
        lines.append(f"Made from: {phrase.strip()}{noun}.")
    add_lines(draft, lines)


def add_lines(draft: Draft, lines: list[str]) -> None:
    """Append paragraphs to a draft's description."""
    if lines:
        draft.facts["description"] = "\n\n".join(filter(None, [draft.facts["description"], *lines]))


def printed_text(draft: Draft) -> str:
    """A draft's description without the lines that a reader appended."""
    return _ADDED.sub("", draft.facts.get("description") or "")
