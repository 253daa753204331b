"""Equipment: weapons, armor, magic items, gear, tools, mounts, vehicles, services and poisons of all sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.kept import kept
from build_pipeline.normalize.equipment import gear, magic_items
from build_pipeline.normalize.equipment.armory import Armory
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.normalize.text.items import facts as item_facts
from build_pipeline.normalize.text.items.descriptions import described
from build_pipeline.normalize.text.items.kinds import of_kind, text_of_kind
from build_pipeline.normalize.text.items.rarity import VARIES
from build_pipeline.normalize.text.items.spells import spells_cast_from
from build_pipeline.snapshot.raw import RawLayer

_THROWN: Final = re.compile(
    r"(?<!as if it had the )thrown[\W_]+property\s+(?:\(range (?P<near>\d+)/(?P<far>\d+)"
    r"|with a (?:normal )?range of (?P<normal>\d+) feet and a long range of (?P<long>\d+) feet)"
    r"|\b(?:throw it with|attack with this \w+, it has) a normal range of (?P<usual>\d+) feet and a maximum range of "
    r"(?P<most>\d+) feet",
    re.IGNORECASE,
)
_OTHER_DAMAGE: Final = re.compile(
    r"(?:^|(?<=\. ))(?!While\b|Until\b)[^.]*?\bdeals (?P<other>[a-z]+) damage instead of (?P<usual>[a-z]+)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Damage that the weapon always deals, not only while it burns."""
_DEALS: Final = re.compile(
    r"\b(?:this magic \w+|(?:has the (?P<properties>[a-z-]+(?: and [a-z-]+)*) )?properties and) deals "
    r"(?P<dice>\d+d\d+) (?P<type>bludgeoning|piercing|slashing) damage\b",
    re.IGNORECASE,
)
_HAS_FINESSE: Final = re.compile(r"\b(?:has|with) the finesse property\b", re.IGNORECASE)
_DOUBLED: Final = re.compile(r"\bnormal range (?:of this \w+ )?is doubled\b", re.IGNORECASE)
_LACKS: Final = re.compile(
    r"\bdoesn['’]t have the (?P<lacks>[a-z-]+) property(?:, and it doesn['’]t require (?P<more>[a-z]+))?"
)
_ATTUNED: Final = re.compile(r"\battun(?:e|ed|ing) to (?:the|this|it)\b", re.IGNORECASE)
_ATTUNED_IN_PART: Final = re.compile(r"\(requires attunement\)|\bmay attune\b", re.IGNORECASE)
"""Attunement for one property ("Giant's Bane (Requires Attunement)"), or to a part of the item."""
_ATTUNED_BY: Final = re.compile(
    r"\byou must be (?P<who>an? [^.,;]{3,60}?) to attune to\b|\bcan only be attuned to (?P<how>(?:by|when) [^.;]+)"
    r"|\bcan (?:attune to (?:this|the) \w+ only|only attune to (?:this|these|the) \w+) (?P<only>if [^.;]+)"
    r"|\byou cannot attune to (?:this|the) \w+ (?P<never>if [^.;]+)",
    re.IGNORECASE,
)
"""Who can attune to an item, or on what condition."""
_CATCH_ALL: Final = "wondrous-item"


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every equipment draft of every API."""
    armory = Armory(raw, problems)
    used: set[str] = set()
    for draft in _drafts(raw, armory, problems):
        used.update(draft.raw)
        yield draft
    for endpoint in ("weapons", "armor"):
        for obj in raw["open5e_v2", endpoint].values():
            if obj.id not in used:
                problems.add(obj.id, "no item refers to it")


def _drafts(raw: RawLayer, armory: Armory, problems: Problems) -> Iterator[Draft]:
    yield from gear.v2_items(raw, armory, problems)
    yield from gear.services(raw, problems)
    yield from gear.item_sets(raw, problems)
    yield from gear.v1_items(raw, problems)
    yield from gear.dnd5e_items(raw, problems)
    yield from gear.poisons(raw, problems)
    yield from magic_items.v2_magic_items(raw, armory, problems)
    yield from magic_items.v1_magic_items(raw, armory, problems)
    yield from magic_items.dnd5e_magic_items(raw, armory, problems)


def _more_specific(winner: str, loser: str) -> str:
    """The other source's category where the first has a catch-all: v2 files a potion under wondrous items."""
    if winner == gear.GEAR or (winner == _CATCH_ALL and loser != gear.GEAR):
        return loser
    return winner


def _either(winner: bool, loser: bool) -> bool:  # noqa: FBT001 - two values of one column
    return winner or loser


def _both(winner: bool, loser: bool) -> bool:  # noqa: FBT001
    return winner and loser


def _later(_winner: str, loser: str) -> str:
    return loser


MERGE_RULES: Final[dict[str, MergeRule]] = {
    "item_category": _more_specific,
    # v2 has one rarity for items printed with several, and "common" for some printed with another.
    "rarity": _later,
    # v2 requires attunement for two items that do not require it in the book.
    "requires_attunement": _both,
    "is_weapon": _either,
    "is_armor": _either,
}


@kept
def derive(_entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Facts that the text adds to the fields, and a description for weapons and armor that have none."""
    found = _thrown(facts) | (_attunement(facts) | _magic(facts) | _altered(facts) if facts.get("is_magic") else {})
    if facts.get("is_magic") or not (facts.get("is_weapon") or facts.get("is_armor")):
        return found
    return found if facts.get("description") else found | {"description": described(facts)}


def _magic(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts in a magic item's text: charges, spells, weight, price, and for armor its class and waived requirements."""
    whole = facts.get("description") or ""
    of_all, own = of_kind(facts["name"], whole)
    text = f"{of_all}\n\n{own or ''}"
    weight, price = item_facts.weight_lb(text), item_facts.price_gp(text)
    found: dict[str, Any] = {
        "charges": item_facts.charges(text),
        "spells": spells_cast_from(whole if own is None else text) or None,
    }
    own_text = None if facts.get("rarity") == VARIES else text_of_kind(facts["name"], whole)
    told = (("weight_lb", weight), ("cost_gp", price), ("description", own_text))
    found |= {column: value for column, value in told if value is not None}
    if facts.get("is_armor"):
        if printed := facts.get("armor_class_text"):
            found["armor_class_text"] = item_facts.armor_class_text(printed, text)
        elif told_class := item_facts.armor_class(text):
            found["armor_class"], found["armor_class_text"] = told_class
        no_strength, no_stealth_penalty = item_facts.waives_strength_and_stealth(text)
        found |= {"strength_required": None} if no_strength else {}
        found |= {"stealth_disadvantage": False} if no_stealth_penalty else {}
    return found


def _attunement(facts: dict[str, Any]) -> dict[str, Any]:
    """Attunement that only the text mentions: that it is required, or by whom."""
    text = facts.get("description") or ""
    who = None if facts.get("attunement_detail") else _ATTUNED_BY.search(text)
    detail = {"attunement_detail": _of_whom(who)} if who else {}
    mentioned = _ATTUNED.search(text) and not _ATTUNED_IN_PART.search(text)
    if facts.get("requires_attunement"):
        return detail
    return {"requires_attunement": True, **detail} if mentioned else {}


def _of_whom(match: re.Match[str]) -> str:
    """Who can attune: "by a dwarf", "only if you are bald", "not if you are bald"."""
    before = {"who": "by ", "how": "", "only": "only ", "never": "not "}
    said = next(f"{before[name]}{words}" for name, words in match.groupdict().items() if words)
    return re.sub("[*_]", "", said).lower()


def _thrown(facts: dict[str, Any]) -> dict[str, Any]:
    """The thrown property and the ranges of a weapon whose text says that it can be thrown."""
    thrown = _THROWN.search(facts.get("description") or "") if facts.get("is_weapon") else None
    if thrown is None:
        return {}
    normal, long = (int(feet) for feet in thrown.groups() if feet)
    properties = [p for p in facts.get("properties") or [] if p["name"] != "thrown"]
    properties.append({"name": "thrown", "detail": f"range {normal}/{long}"})
    return {"properties": sorted(properties, key=lambda p: p["name"]), "range": normal, "long_range": long}


def _dealt(deals: re.Match[str]) -> dict[str, Any]:
    """The damage of a weapon without a base item, and the properties that are named with it."""
    names = sorted(deals["properties"].lower().split(" and ")) if deals["properties"] else []
    found = {"damage_dice": deals["dice"], "damage_type": deals["type"].lower()}
    properties = [{"name": name, "detail": None} for name in names]
    return found | (
        {"properties": properties, "is_finesse": "finesse" in names, "is_light": "light" in names} if names else {}
    )


def _altered(facts: dict[str, Any]) -> dict[str, Any]:
    """The damage and properties of a magic weapon that has no base item, or differs from it."""
    properties, text = facts.get("properties"), facts.get("description") or ""
    if not facts.get("base_item") or properties is None:
        deals = _DEALS.search(text) if facts.get("is_weapon") and not facts.get("damage_dice") else None
        return _dealt(deals) if deals else {}
    found: dict[str, Any] = {}
    dealt = _OTHER_DAMAGE.search(text)
    if dealt and dealt["usual"].lower() == facts.get("damage_type"):
        found["damage_type"] = dealt["other"].lower()
    lacked = _LACKS.search(text)
    kept = [p for p in properties if lacked is None or p["name"] not in lacked.groups()]
    if _HAS_FINESSE.search(text) and not facts.get("is_finesse"):
        kept = sorted([*kept, {"name": "finesse", "detail": None}], key=lambda p: p["name"])
        found["is_finesse"] = True
    if (near := facts.get("range")) and _DOUBLED.search(text):
        found["range"] = 2 * near
        told = f"range {near}/", f"range {2 * near}/"
        kept = [p | {"detail": p["detail"] and p["detail"].replace(*told)} for p in kept]
    return found if kept == properties else found | {"properties": kept}
