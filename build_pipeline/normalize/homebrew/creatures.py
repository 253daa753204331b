"""Homebrew monsters → drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.homebrew.items import (
    HomebrewCollection,
    Item,
    Key,
    flags,
    label,
    line,
    mapping,
    maps,
    text,
    within,
    words,
)
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from build_pipeline.normalize.text.stat_blocks.actions import action, trait
from build_pipeline.snapshot.orcbrew.field_types import STARTS_WITH_DICE, challenge_rating, whole
from build_pipeline.snapshot.orcbrew.references import srd_name
from server.dataset.schema import SKILLS
from server.dataset.vocabulary import SIZES

_TYPE: Final = re.compile(r"^(?P<type>[^(]+?)\s*(?:\((?P<subtype>[^()]*)\)?)?\s*$")
_SWARM: Final = re.compile(r"^swarm[\s-]of[\s-](?:\w+[\s-])?(?P<type>\w+?)s?$")
_DICE: Final = re.compile(r"(?P<count>\d{1,4})d(?P<die>\d{1,4})(?P<modifier>[+-]\d{1,5})?")
_MODE: Final = re.compile(r"(?:\b(?P<mode>walk|fly|swim|climb|burrow)\w*\s*)?(?P<feet>\d+)", re.IGNORECASE)
_METRES: Final = re.compile(r"\d\s*(?:m|м|met(?:er|re)s?)\b", re.IGNORECASE)
_REACTION: Final = re.compile(r"\(reaction\)|^reactions?\s*[:.-]\s*", re.IGNORECASE)
_BONUS: Final = re.compile(r"\(bonus action\)|^bonus actions?\s*[:.-]\s*", re.IGNORECASE)
_COLUMN_OF_TYPE: Final = {
    "action": "actions",
    "b-action": "bonus_actions",
    "bonus-action": "bonus_actions",
    "reaction": "reactions",
    "legendary-action": "legendary_actions",
    "lair-action": "lair_actions",
}
"""Type of a trait → the column it goes to; any other is a plain trait."""
_PROSE: Final = 2
"""A key with this many hyphens is a phrase rather than a language."""
_UNNAMED: Final = "Unnamed trait"
_STRINGS: Final = {
    "damage_vulnerabilities": ("damage-vulnerabilities", "damage-vulnerability"),
    "damage_resistances": ("damage-resistances", "damage-resistance"),
    "damage_immunities": ("damage-immunities", "damage-immunity"),
    "condition_immunities": ("condition-immunities", "condition-immunity"),
}
"""Column → (text field of files in the SRD's style, map of flags that OrcPub's monster builder writes)."""


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew monster."""

    def read(item: Item) -> Draft:
        return item.draft("creature", _facts(item, collection))

    return collection.read("monsters", read)


def _facts(item: Item, collection: HomebrewCollection) -> dict[str, Any]:
    fields = item.fields
    armor_class, armor_text = whole(fields.get("armor-class")), text(fields.get("armor-class"))
    notes = text(fields.get("armor-notes")) or (re.sub(r"^\W*\d+\W*|\)\s*$", "", armor_text) if armor_text else None)
    dice, points = _hit_points(fields.get("hit-points"))
    is_built = any(ability in fields for ability in ABILITY_OF)
    scores = {ability: within(fields.get(key), 0, 30) for key, ability in ABILITY_OF.items()}
    seen = line(fields.get("senses"))
    speed, senses = _speed(fields.get("speed")), stat_block.senses(seen) if seen else None
    unread = {"speed": speed, "senses": senses if senses and any(senses.values()) else None}
    lines = [
        f"**{field.title()}.** {told}"
        for field, found in unread.items()
        if not found and (told := line(fields.get(field)))
    ]
    return {
        "description": "\n\n".join(filter(None, (text(fields.get("description")), *lines))) or None,
        "size": _size(fields.get("size")),
        **_type(fields.get("type"), fields.get("subtypes")),
        "alignment": stat_block.alignment(line(fields.get("alignment"))),
        "armor_class": armor_class or None,
        "armor_description": stat_block.armor_description(notes, armor_class),
        "hit_points": points,
        "hit_dice": dice,
        "speed": speed,
        "ability_scores": scores if is_built else None,
        "saving_throws": _bonuses(fields.get("saving-throws"), ABILITY_OF) if is_built else None,
        "skills": _bonuses(fields.get("skills"), {s.replace("_", "-"): s for s in SKILLS}) if is_built else None,
        **_defences(fields, is_built=is_built),
        "senses": senses,
        "languages": _languages(item, collection),
        "challenge_rating": _challenge(fields.get("challenge"), is_given="challenge" in fields),
        **_actions(fields, is_built=is_built),
        "legendary_description": text(mapping(fields.get("legendary-actions")).get("description")),
    }


def _size(value: Any) -> str | None:
    size = value.strip().lower() if isinstance(value, str) else None
    return size if size in SIZES else None


def _type(value: Any, subtypes: Any) -> dict[str, str | None]:
    """Type and subtype: "humanoid (elf)", `:swarm-of-tiny-beasts`, subtypes as a set."""
    match = _TYPE.match(value.strip().lower()) if isinstance(value, str) else None
    if match is None or match["type"] == "other":
        return {"type": None, "subtype": None}
    named = [words(s) for s in subtypes if isinstance(s, str)] if isinstance(subtypes, list) else []
    subtype = ", ".join(named) or match["subtype"] or None
    swarm = _SWARM.match(match["type"])
    if swarm:
        return {"type": swarm["type"], "subtype": "swarm"}
    return {"type": words(match["type"]), "subtype": subtype}


def _hit_points(value: Any) -> tuple[str | None, int | None]:
    """(hit dice, hit points) from a map of dice, a number, or a text such as "22 (4d8 + 4)"; 0 counts as unknown."""
    if isinstance(value, str) and not isinstance(value, Key):
        dice = canonical_dice(value)
        rolled = _DICE.fullmatch(dice) if dice else None
        if rolled and STARTS_WITH_DICE.match(value):
            return dice, _mean(int(rolled["count"]), int(rolled["die"]), int(rolled["modifier"] or 0))
        return dice, whole(value) or None
    if not isinstance(value, dict):
        return None, whole(value) or None
    count, die, modifier = (whole(value.get(part)) or 0 for part in ("die-count", "die", "modifier"))
    mean = whole(value.get("mean")) or None
    if count <= 0 or die <= 0:
        return None, mean
    dice = f"{count}d{die}{modifier:+d}" if modifier else f"{count}d{die}"
    return dice, mean or _mean(count, die, modifier)


def _mean(count: int, die: int, modifier: int) -> int:
    return max(1, modifier + count * (die + 1) // 2)


def _speed(value: Any) -> dict[str, int | bool | None] | None:
    """Speeds from a text such as "40 ft., fly 80 ft. (hover)", a map, or a number of feet; unknown if in metres."""
    if isinstance(value, dict):
        return stat_block.speed(value, records_hover=False)
    printed = line(value)
    if printed is None:
        feet = whole(value)
        return stat_block.speed({"walk": feet}, records_hover=False) if feet is not None else None
    if _METRES.search(printed):
        return None
    modes: dict[str, Any] = {"hover": "hover" in printed.lower()}
    for match in _MODE.finditer(printed):
        modes.setdefault((match["mode"] or "walk").lower(), match["feet"])
    return stat_block.speed(modes, records_hover=False) if len(modes) > 1 else None


def _bonuses(value: Any, names: dict[str, str]) -> dict[str, int]:
    bonuses = {names[key.lower()]: whole(bonus) for key, bonus in mapping(value).items() if key.lower() in names}
    return {name: bonus for name, bonus in bonuses.items() if bonus is not None}


def _defences(fields: dict[str, Any], *, is_built: bool) -> dict[str, list[str] | None]:
    """Lists of damage types and conditions. Flags take precedence over a text; OrcPub writes only flags that are on."""
    props = mapping(fields.get("props"))
    lists: dict[str, list[str] | None] = {}
    for column, (text_field, flag_field) in _STRINGS.items():
        read = stat_block.conditions if column == "condition_immunities" else stat_block.damage_kinds
        members = read(line(props.get(flag_field))) or read(line(fields.get(text_field), "; "))
        lists[column] = members if members or is_built else None
    return lists


def _languages(item: Item, collection: HomebrewCollection) -> str | None:
    """Languages as text. Keys of known languages are looked up; any other key is prose that was turned into a key."""
    spoken = flags(mapping(item.fields.get("props")).get("language"))
    if not spoken:
        return line(item.fields.get("languages"))
    joined = ", ".join(_language(key, item, collection) for key in spoken)
    return joined[:1].upper() + joined[1:]


def _language(key: str, item: Item, collection: HomebrewCollection) -> str:
    if collection.find("languages", key, item) or srd_name("languages", key) or key.strip("-").count("-") < _PROSE:
        return collection.name("languages", key, item)
    return " ".join(srd_name("languages", word) or word for word in words(key).split())


def _challenge(value: Any, *, is_given: bool) -> float | None:
    """The challenge rating. If the field is absent it is 0, as OrcPub shows."""
    return challenge_rating(value) if is_given else 0.0


def _actions(fields: dict[str, Any], *, is_built: bool) -> dict[str, Any]:
    """Column → traits and actions. OrcPub has no reactions, so authors write "(Reaction)" into the name."""
    columns: dict[str, list[dict[str, Any]]] = {"traits": []}
    columns |= {column: [] for column in _COLUMN_OF_TYPE.values()}
    legendary = fields.get("legendary-actions")
    given = [
        *(("actions", part) for part in maps(fields.get("actions"))),
        *((_column(part), part) for part in maps(fields.get("traits"))),
        *(
            ("legendary_actions", p)
            for p in maps(legendary.get("actions") if isinstance(legendary, dict) else legendary)
        ),
    ]
    for column, part in given:
        name = label(part.get("name")) or _UNNAMED
        if column in {"reactions", "bonus_actions"}:
            name = _REACTION.sub("", _BONUS.sub("", name)).strip() or name
        described = text(part.get("description")) or text(part.get("summary"))
        if column == "traits":
            columns[column].append(trait(name, described))
        else:
            notes = text(part.get("notes"))
            columns[column].append(action(name, described, [notes] if notes else ()))
    return {column: rows or ([] if is_built and column != "lair_actions" else None) for column, rows in columns.items()}


def _column(part: dict[str, Any]) -> str:
    name, kind = label(part.get("name")) or "", part.get("type")
    column = _COLUMN_OF_TYPE.get(kind.lower()) if isinstance(kind, str) else None
    if column in {None, "actions"} and _REACTION.search(name):
        return "reactions"
    if column in {None, "actions"} and _BONUS.search(name):
        return "bonus_actions"
    return column or "traits"
