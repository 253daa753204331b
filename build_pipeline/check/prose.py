"""Rules that compare an entity's text with its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.check.rule import Rule, Verdict, World, parts
from build_pipeline.normalize.text.money import gold
from build_pipeline.tables import Record
from server.dataset.vocabulary import ABILITIES, DAMAGE_TYPES

_TYPES: Final = "|".join(DAMAGE_TYPES)
_DAMAGE: Final = re.compile(rf"(?<!\d)\d+d\d+(?:\s*[+\-−]\s*\d+)?\)?\s+(?P<type>{_TYPES})\s+damage", re.IGNORECASE)
_HIT: Final = re.compile(
    rf"hit:[*_\s]*(?:\d+\s*\()?(?P<dice>\d+d\d+(?:\s*[+\-−]\s*\d+)?)\)?\s+(?P<type>{_TYPES})\s+damage", re.IGNORECASE
)
_SAVE: Final = re.compile(
    r"(?:must|to)\s+(?:make|succeed on|roll)\s+an?\s+(?:DC \d+\s+)?"
    rf"(?P<ability>{'|'.join(ABILITIES)})\s+sav(?:e|ing)",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"^#{2,6} ", re.MULTILINE)
_ATTACK: Final = re.compile(r"\b(?:make|makes) an? (?:melee|ranged) spell attack\b", re.IGNORECASE)
_PRICE: Final = re.compile(r"worth (?:at least )?(?P<amount>\d[\d,]*)\+?\s*(?P<coin>cp|sp|gp)", re.IGNORECASE)
_ATTUNED: Final = re.compile(
    r"\byou (?:must )?attune to (?:this|the) \w+|\bwhile attuned to (?:this|it)\b", re.IGNORECASE
)


def _spell_damage(record: Record, _world: World) -> Iterator[Verdict]:
    types = record.get("damage_types")
    for match in _DAMAGE.finditer(record.get("description") or ""):
        kind = match["type"].lower()
        yield None if types and kind in types else f"{match[0]!r} in the text, damage_types {types}"


def _spell_save(record: Record, _world: World) -> Iterator[Verdict]:
    text = _HEADING.split(record.get("description") or "")[0]  # below are stat blocks of creatures
    if match := _SAVE.search(text):
        save = record.get("saving_throw")
        demanded = {m["ability"].lower() for m in _SAVE.finditer(text)}
        yield None if save in demanded else f"{match[0]!r} in the text, saving_throw {save}"


def _spell_attack(record: Record, _world: World) -> Iterator[Verdict]:
    if _ATTACK.search(record.get("description") or ""):
        yield None if record.get("attack_roll") else "a spell attack in the text, attack_roll false"


def _material_price(record: Record, _world: World) -> Iterator[Verdict]:
    components = record.get("components") or {}
    if match := _PRICE.search(components.get("material_description") or ""):
        price = gold(f"{match['amount']} {match['coin']}") or 0
        found = components.get("material_cost_gp")
        yield None if found and found >= price else f"{match[0]!r} in the material, cost {found}"


def _attack_damage(record: Record, _world: World) -> Iterator[Verdict]:
    for action in parts(record, "actions", "bonus_actions", "reactions", "legendary_actions"):
        if match := _HIT.search(action.get("description") or ""):
            dice = re.sub(r"\s|\)", "", match["dice"]).replace("−", "-").lower()
            damage = [d for attack in action.get("attacks") or () for d in attack["damage"] or ()]
            kind = match["type"].lower()
            fits = any(d["dice"] == dice and kind in (d["type"] or "").split(" or ") for d in damage)
            yield None if fits else f"{action['name']}: {match[0]!r} in the text, attacks deal {damage}"


def _attunement(record: Record, _world: World) -> Iterator[Verdict]:
    if record.get("is_magic") and _ATTUNED.search(record.get("description") or ""):
        yield None if record.get("requires_attunement") else "attunement in the text, requires_attunement not true"


def _concentration(record: Record, _world: World) -> Iterator[Verdict]:
    duration = record.get("duration")
    if duration is not None and record.get("concentration") is not None:
        instant = duration.lower().startswith("instantaneous") and record["concentration"]
        yield "instantaneous, but requires concentration" if instant else None


RULES: Final = (
    Rule("damage-types", "The column has the type of every damage roll of a spell.", "spells", _spell_damage),
    Rule("saves-in-text", "A spell's saving throw is one that its text calls for.", "spells", _spell_save),
    Rule("attacks-in-text", "A spell whose text makes an attack has an attack roll.", "spells", _spell_attack),
    Rule(
        "material-price",
        "Materials together cost at least the first price in their description.",
        "spells",
        _material_price,
    ),
    Rule("concentration", "An instantaneous spell needs no concentration.", "spells", _concentration),
    Rule("attack-damage", "Every hit in the text is an attack with that damage.", "creatures", _attack_damage),
    Rule("attunement-in-text", "An item whose text mentions attuning requires attunement.", "equipment", _attunement),
)
