"""Monsters of the D&D 5e API → drafts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import dnd5e_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from build_pipeline.normalize.text.stat_blocks.actions import action, recharge, trait
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.schema import ABILITIES

_FORM: Final = re.compile(r"^(?P<name>[^,]+), [\w ]+ Form$")
_WITHOUT_ARMOR: Final = {"srd-2024"}
"""Books that do not print what an armor class comes from; the API says "natural" for all creatures."""


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every creature of the D&D 5e API, 2014 and 2024.

    The forms of a shapechanger ("Werebear, Bear Form") are separate objects in this API, but one stat block everywhere
    else and in the book: they become one creature, with the facts that all forms share and every form's actions.
    """
    for year in ("2014", "2024"):
        creatures: dict[str, list[RawObject]] = defaultdict(list)
        for obj in raw["dnd5e_api", f"{year}/monsters"].values():
            creatures[_creature_name(obj)].append(obj)
        first_forms = [forms[0] for forms in creatures.values()]
        yield from read_each(first_forms, problems, partial(_creature, creatures))


def _creature_name(obj: RawObject) -> str:
    name = str(obj.data.get("name"))
    form = _FORM.match(name)
    return form["name"] if form else name


def _creature(creatures: dict[str, list[RawObject]], first: RawObject) -> Draft:
    name = _creature_name(first)
    forms = sorted(creatures[name], key=lambda obj: obj.key)
    document = dnd5e_document(forms[0].endpoint)
    facts = _shared([_facts(obj.data) for obj in forms])
    if document in _WITHOUT_ARMOR:
        facts["armor_description"] = None
    ids, keys = tuple(obj.id for obj in forms), tuple(obj.key for obj in forms)
    return Draft("dnd5e_api", ids, "creature", document, name, keys, facts=facts)


def _shared(forms: list[dict[str, Any]]) -> dict[str, Any]:
    """Facts that all forms agree on; lists of traits and actions with the entries of all."""
    shared: dict[str, Any] = {}
    for column in forms[0]:
        values = [facts[column] for facts in forms]
        if column in {"traits", "actions", "reactions", "legendary_actions"}:
            entries = {row["name"]: row for value in values for row in value or ()}
            shared[column] = list(entries.values()) or None
        elif all(value == values[0] for value in values):
            shared[column] = values[0]
    return shared


def _facts(data: JsonObject) -> dict[str, Any]:
    armor = data["armor_class"][0]
    proficiencies = {row["proficiency"]["index"]: row["value"] for row in data["proficiencies"]}
    senses = ", ".join(f"{sense.replace('_', ' ')} {value}" for sense, value in data["senses"].items())
    return {
        "description": clean_text(data.get("desc")),
        "size": data["size"].lower(),
        "type": data["type"].lower(),
        "subtype": (known(data.get("subtype")) or "").lower() or None,
        "alignment": stat_block.alignment(data["alignment"]),
        "armor_class": armor["value"],
        "armor_description": _armor_description(armor),
        "hit_points": data["hit_points"],
        "hit_dice": canonical_dice(data["hit_points_roll"]),
        "speed": stat_block.speed(data["speed"]),
        "ability_scores": {ability: data[ability] for ability in ABILITIES},
        "saving_throws": {
            ABILITY_OF[index.removeprefix("saving-throw-")]: bonus
            for index, bonus in proficiencies.items()
            if index.startswith("saving-throw-")
        },
        "skills": stat_block.skills(
            {
                index.removeprefix("skill-").replace("-", "_"): bonus
                for index, bonus in proficiencies.items()
                if index.startswith("skill-")
            }
        ),
        "proficiency_bonus": data["proficiency_bonus"],
        **{
            f"damage_{kind}": stat_block.damage_kinds("; ".join(data[f"damage_{kind}"]))
            for kind in ("vulnerabilities", "resistances", "immunities")
        },
        "condition_immunities": stat_block.conditions(", ".join(row["name"] for row in data["condition_immunities"])),
        "senses": stat_block.senses(senses),
        "languages": clean_text(data["languages"]),
        "challenge_rating": float(data["challenge_rating"]),
        "experience_points": data["xp"],
        "traits": [trait(_name_with_usage(row), row["desc"]) for row in data["special_abilities"]] or None,
        **{
            column: [action(row["name"], row["desc"], _usage(row)) for row in data.get(column) or ()] or None
            for column in ("actions", "reactions", "legendary_actions")
        },
    }


def _armor_description(armor: JsonObject) -> str | None:
    """What the armor class comes from: "natural armor", or the names of the armor worn."""
    if armor["type"] == "natural":
        return "natural armor"
    return ", ".join(row["name"].lower() for row in armor.get("armor") or ()) or None


def _usage(row: JsonObject) -> Iterable[str]:
    usage = row.get("usage") or {}
    match usage.get("type"):
        case "recharge on roll":
            yield recharge(usage["min_value"])
        case "per day":
            yield f"{usage['times']}/Day"
        case "recharge after rest":
            yield f"Recharges after a {' or '.join(usage['rest_types'])} rest"


def _name_with_usage(row: JsonObject) -> str:
    usage = "; ".join(_usage(row))
    return f"{row['name']} ({usage})" if usage and "(" not in row["name"] else str(row["name"])
