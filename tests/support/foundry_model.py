"""Field names and types of the data models of Foundry's dnd5e system (version 4), as far as exports use them.

From the models' definitions: actors of type `npc`; items of the types `weapon`, `equipment`, `consumable`, `tool`,
`loot`, `spell`, `feat`; the activities `attack`, `save`, `heal`, `damage`, `utility`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

Check = Callable[[Any], bool]


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def text(value: Any) -> bool:
    return isinstance(value, str)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def an_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9]{16}", value) is not None


def formula(value: Any) -> bool:
    """A formula of a roll, or nothing: dice, numbers and references to an actor's data."""
    return isinstance(value, str) and re.fullmatch(r"(?:[-+]?\s*(?:\d+d\d+|\d+|@[a-z.]+)\s*)*", value) is not None


def deterministic(value: Any) -> bool:
    """A formula of a field that takes no dice."""
    return formula(value) and re.search(r"\dd\d", value) is None


def nothing_or(check: Check) -> Check:
    return lambda value: value is None or check(value)


def one_of(*values: str) -> Check:
    return lambda value: value in values


def some_of(*values: str) -> Check:
    return lambda value: (
        (isinstance(value, list) and set(value) <= set(values) and len(set(value)) == len(value)) or value == []
    )


DAMAGE: Final = [
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
]
ABILITIES: Final = ["str", "dex", "con", "int", "wis", "cha"]
SKILLS: Final = {
    "acr": "dex",
    "ani": "wis",
    "arc": "int",
    "ath": "str",
    "dec": "cha",
    "his": "int",
    "ins": "wis",
    "itm": "cha",
    "inv": "int",
    "med": "wis",
    "nat": "int",
    "prc": "wis",
    "prf": "cha",
    "per": "cha",
    "rel": "int",
    "slt": "dex",
    "ste": "dex",
    "sur": "wis",
}
"""Skill → its ability, if an actor does not have the skill."""
HABITATS: Final = [
    *["any", "arctic", "coastal", "desert", "forest", "grassland", "hill", "mountain", "planar", "swamp"],
    *["underdark", "underwater", "urban"],
]
SIZES: Final = ["tiny", "sm", "med", "lg", "huge", "grg"]
CONDITIONS: Final = [
    "blinded",
    "charmed",
    "deafened",
    "diseased",
    "exhaustion",
    "frightened",
    "grappled",
    "incapacitated",
    "invisible",
    "paralyzed",
    "petrified",
    "poisoned",
    "prone",
    "restrained",
    "stunned",
    "unconscious",
]
TYPES: Final = [
    "aberration",
    "beast",
    "celestial",
    "construct",
    "dragon",
    "elemental",
    "fey",
    "fiend",
    "giant",
    "humanoid",
    "monstrosity",
    "ooze",
    "plant",
    "undead",
    "custom",
]
TIMES: Final = ["turn", "round", "minute", "hour", "day", "week", "month", "year"]
SOURCE: Final = {"custom": text, "book": text, "page": text, "license": text, "rules": one_of("2014", "2024")}
DAMAGE_TRAIT: Final = {
    "value": some_of(*DAMAGE),
    "bypasses": some_of("mgc", "sil", "ada"),
    "custom": text,
}
DAMAGE_PART: Final = {
    "number": nothing_or(count),
    "denomination": nothing_or(count),
    "bonus": formula,
    "types": some_of(*DAMAGE, "healing"),
    "custom": {"enabled": flag, "formula": formula},
    "scaling": {"mode": one_of("", "whole", "half"), "number": nothing_or(count), "formula": text},
}
ACTIVATION: Final = {
    "type": one_of("action", "bonus", "reaction", "legendary", "lair", "special", *TIMES),
    "value": nothing_or(count),
    "condition": text,
    "override": flag,
}
TARGET: Final = {
    "template": {
        "type": one_of("", *["cone", "cube", "cylinder", "line", "radius", "sphere", "square", "wall", "circle"]),
        "size": deterministic,
        "units": one_of("ft", "mi"),
    },
    "affects": {"type": one_of("", "creature"), "count": deterministic},
}
ACTIVITY: Final = {
    "_id": an_id,
    "type": one_of("attack", "save", "heal", "damage", "utility"),
    "activation": ACTIVATION,
    "target": TARGET,
    "consumption": {"targets": [{"type": one_of("itemUses"), "value": formula}]},
    "attack": {
        "ability": one_of("", "none", "spellcasting", *ABILITIES),
        "bonus": formula,
        "flat": flag,
        "type": {"value": one_of("melee", "ranged"), "classification": one_of("weapon", "spell", "unarmed")},
    },
    "damage": {"includeBase": flag, "onSave": one_of("half", "none", "full"), "parts": [DAMAGE_PART]},
    "save": {
        "ability": some_of(*ABILITIES),
        "dc": {"calculation": one_of("", "initial", "spellcasting", *ABILITIES), "formula": deterministic},
    },
    "healing": DAMAGE_PART,
}
USES: Final = {
    "max": deterministic,
    "spent": count,
    "recovery": [
        {
            "period": one_of("day", "dawn", "dusk", "recharge", "lr", "sr"),
            "type": one_of("recoverAll", "loseAll", "formula"),
            "formula": formula,
        }
    ],
}
DESCRIPTION: Final = {"value": text, "chat": text}
RANGE: Final = {
    "value": nothing_or(number),
    "long": nothing_or(number),
    "reach": nothing_or(number),
    "units": one_of("ft"),
}
PHYSICAL: Final = {
    "source": SOURCE,
    "description": DESCRIPTION,
    "quantity": count,
    "weight": {"value": number, "units": one_of("lb")},
    "price": {"value": number, "denomination": one_of("cp", "sp", "gp")},
    "rarity": one_of("", "common", "uncommon", "rare", "veryRare", "legendary", "artifact"),
    "attunement": one_of("", "required", "optional"),
    "identified": flag,
    "uses": USES,
    "activities": ACTIVITY,
}
ITEM: Final[dict[str, dict[str, Any]]] = {
    "weapon": PHYSICAL
    | {
        "type": {
            "value": one_of("simpleM", "simpleR", "martialM", "martialR", "natural"),
            "baseItem": text,
        },
        "damage": {"base": DAMAGE_PART, "versatile": DAMAGE_PART},
        "range": RANGE,
        "properties": some_of(
            *[
                "ada",
                "amm",
                "fin",
                "fir",
                "foc",
                "hvy",
                "lgt",
                "lod",
                "mgc",
                "rch",
                "rel",
                "ret",
                "sil",
                "spc",
                "thr",
                "two",
                "ver",
            ]
        ),
        "mastery": one_of("", *["cleave", "graze", "nick", "push", "sap", "slow", "topple", "vex"]),
        "magicalBonus": nothing_or(count),
        "equipped": flag,
        "proficient": nothing_or(number),
    },
    "equipment": PHYSICAL
    | {
        "type": {
            "value": one_of(
                *[
                    "clothing",
                    "ring",
                    "rod",
                    "trinket",
                    "vehicle",
                    "wand",
                    "wondrous",
                    "light",
                    "medium",
                    "heavy",
                    "natural",
                    "shield",
                ]
            ),
            "baseItem": text,
        },
        "armor": {"value": nothing_or(count), "dex": nothing_or(count), "magicalBonus": nothing_or(count)},
        "strength": nothing_or(count),
        "properties": some_of("mgc", "stealthDisadvantage"),
    },
    "consumable": PHYSICAL
    | {
        "type": {"value": one_of("ammo", "food", "poison", "potion", "scroll"), "subtype": text},
        "properties": some_of("mgc"),
    },
    "tool": PHYSICAL | {"type": {"value": text, "baseItem": text}, "properties": some_of("mgc")},
    "loot": PHYSICAL | {"type": {"value": one_of("gear"), "subtype": text}, "properties": some_of("mgc")},
    "feat": {
        "source": SOURCE,
        "description": DESCRIPTION,
        "type": {"value": one_of("monster"), "subtype": text},
        "uses": USES,
        "activities": ACTIVITY,
    },
    "spell": {
        "source": SOURCE,
        "description": DESCRIPTION,
        "level": lambda value: value is None or value in range(10),
        "school": one_of("", *["abj", "con", "div", "enc", "evo", "ill", "nec", "trs"]),
        "activation": ACTIVATION,
        "range": {"value": nothing_or(deterministic), "units": one_of("ft", "mi", "self", "touch", "any", "spec")}
        | {"special": text},
        "duration": {"value": deterministic, "units": one_of("inst", "perm", "disp", "spec", *TIMES), "special": text},
        "target": TARGET,
        "materials": {"value": text, "consumed": flag, "cost": number, "supply": number},
        "properties": some_of("vocal", "somatic", "material", "ritual", "concentration"),
        "preparation": {"mode": one_of("prepared"), "prepared": flag},
        "activities": ACTIVITY,
    },
}
NPC: Final = {
    "source": SOURCE,
    "abilities": {
        ability: {"value": count, "proficient": one_of(0, 1), "bonuses": {"check": formula, "save": formula}}
        for ability in ABILITIES
    },
    "attributes": {
        "ac": {"flat": nothing_or(count), "calc": one_of("flat")},
        "hp": {"value": count, "max": count, "formula": formula},
        "init": {"bonus": formula},
        "movement": dict.fromkeys(("walk", "fly", "swim", "climb", "burrow"), count)
        | {"units": one_of("ft"), "hover": flag},
        "senses": dict.fromkeys(("darkvision", "blindsight", "tremorsense", "truesight"), count)
        | {"units": one_of("ft"), "special": text},
    },
    "details": {
        "alignment": text,
        "type": {"value": one_of(*TYPES), "subtype": text, "swarm": one_of("", *SIZES), "custom": text},
        "cr": nothing_or(number),
        "habitat": {"value": [{"type": one_of(*HABITATS), "subtype": text}], "custom": text},
        "biography": {"value": text, "public": text},
    },
    "traits": {
        "size": one_of(*SIZES),
        **dict.fromkeys(("dv", "dr", "di"), DAMAGE_TRAIT),
        "ci": {"value": some_of(*CONDITIONS), "custom": text},
        "languages": {"value": some_of(), "custom": text},
    },
    "skills": {
        skill: {
            "value": one_of(0, 1, 2),
            "ability": one_of(*ABILITIES),
            "bonuses": {"check": formula, "passive": formula},
        }
        for skill in SKILLS
    },
    "resources": {
        "legact": {"value": count, "max": count},
        "legres": {"value": count, "max": count},
        "lair": {"value": flag, "initiative": nothing_or(count)},
    },
}


def violations(document: Mapping[str, Any]) -> list[str]:
    """The differences of an exported document from the data model: unknown fields, values of other types."""
    kind = document["type"]
    known = {"_id", "name", "type", "system", "flags", *({"items", "prototypeToken"} if kind == "npc" else ())}
    found = [f"{name} is not a field of a document" for name in document.keys() - known]
    if not an_id(document["_id"]) or not document["name"]:
        found.append(f"_id {document['_id']!r}, name {document['name']!r}")
    if kind == "npc":
        items = document["items"]
        found += [f"items[{each['name']}].{problem}" for each in items for problem in violations(each)]
        if len({each["_id"] for each in items}) != len(items):
            found.append("two items have one id")
    model = NPC if kind == "npc" else ITEM[kind]
    return [*found, *_violations(document["system"], model, "system")]


def _violations(value: Any, model: Any, path: str) -> Iterator[str]:
    if callable(model):
        if not model(value):
            yield f"{path} cannot be {value!r}"
    elif isinstance(model, list):
        for place, each in enumerate(value):
            yield from _violations(each, model[0], f"{path}[{place}]")
    elif path.endswith("activities"):
        for key, each in value.items():
            if key != each["_id"]:
                yield f"{path}: {each['_id']} is under {key}"
            yield from _violations(each, model, f"{path}.{each['type']}")
    else:
        for name, each in value.items():
            if name in model:
                yield from _violations(each, model[name], f"{path}.{name}")
            else:
                yield f"{path}.{name} is not a field"
