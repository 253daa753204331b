"""The weapons or suits of armor that a printed choice allows: "any axe or sword", "medium or heavy, but not hide"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Draft
from server.dataset.names import normalize_name
from server.dataset.schema import EQUIPMENT

OF_BASE: Final = (
    "base_item",
    *(c.name for c in EQUIPMENT.columns if c.entity_types in {("weapon", "magic-item"), ("armor", "magic-item")}),
)
"""Columns that an item takes from the weapon or armor it is made from."""

_NOT_CALLED_SO: Final = {"sword": {"rapier", "scimitar"}}
"""Noun → the weapons of that class whose names do not end in it."""
_WEIGHTS: Final = ("light", "medium", "heavy")
_EXCEPTION: Final = re.compile(r",?\s*\b(?:but\s+not|except(?:\s+for)?)\b(?P<excepted>.*)$", re.IGNORECASE)


def bases_of(phrase: str, bases: Iterable[Draft]) -> list[Draft]:
    """The base items that a phrase allows, of those given; none if it names ammunition.

    Args:
        phrase: what follows "Made from:".
        bases: the weapons and armor of a document, each once.
    """
    allowed, exception = (normalize_name(part) for part in without_exception(phrase))
    found = [base for base in bases if _is_allowed(base, allowed)]
    return [base for base in found if not _names(exception, base) and not is_ruled_out(base.facts, allowed)]


def without_exception(phrase: str) -> tuple[str, str]:
    """What a phrase allows, and what it excepts.

    >>> without_exception("medium or heavy, but not hide")
    ('medium or heavy', 'hide')
    """
    excepted = _EXCEPTION.search(phrase)
    return (phrase[: excepted.start()], excepted["excepted"].strip()) if excepted else (phrase, "")


def is_ruled_out(facts: Mapping[str, Any], phrase: str) -> bool:
    """Whether a phrase on a kind of weapon excludes a base item: "melee weapon", "that deals slashing damage"."""
    other_damage = "deals slashing damage" in phrase and facts.get("damage_type") != "slashing"
    return other_damage or ("melee weapon" in phrase and facts.get("is_ranged") is True)


def folded_base(name: str) -> str:
    """A base item's name as magic items have it: "Plate Armor" and "Plate" are one."""
    return normalize_name(name).removesuffix(" armor")


def _is_allowed(base: Draft, phrase: str) -> bool:
    name, is_armor = normalize_name(base.name), base.entity_type == "armor"
    if is_armor and base.facts.get("armor_category") not in _WEIGHTS:
        return False
    if re.search(r"\bany\b", phrase) or any(
        re.search(rf"\b{weight}\b(?! (?!or\b|armor\b)\w)", phrase) for weight in _WEIGHTS
    ):
        if is_armor:
            return bool(re.search(rf"\b{base.facts['armor_category']}\b", phrase))
        nouns = re.findall(r"\b(?:weapon|sword|axe|bow)\b", phrase.partition(" that ")[0])
        return any(noun == "weapon" or name.endswith(noun) or name in _NOT_CALLED_SO.get(noun, ()) for noun in nouns)
    return _names(phrase, base)


def _names(phrase: str, base: Draft) -> bool:
    """Whether a list names a base item: "half plate or plate" names both, "half plate armor" only one."""
    parts = (part.removeprefix("or ").removesuffix(" armor").strip() for part in re.split(r",|\bor\b", phrase))
    return folded_base(base.name) in parts
