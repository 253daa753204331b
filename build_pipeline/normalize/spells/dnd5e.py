"""Spells of the D&D 5e API → drafts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from build_pipeline.normalize.merging.documents import dnd5e_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.spells.casting_options import dnd5e_options
from build_pipeline.normalize.spells.fields import (
    class_names,
    school_name,
    sized_area,
    spell_components,
    spell_duration,
    spell_range,
)
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.vocabulary import canonical_casting_time


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every spell, with the class lists that name it."""
    for obj in raw["dnd5e_api", "2014/classes-spells"].values():
        if not obj.data["results"]:
            problems.add(obj.id, "the class has no spells")
    yield from read_each(raw["dnd5e_api", "2014/spells"].values(), problems, lambda obj: _from_dnd5e(obj, raw))


def _from_dnd5e(obj: RawObject, raw: RawLayer) -> Draft:
    data = obj.data
    lists = raw["dnd5e_api", "2014/classes-spells"].values()
    listing = [row for row in lists if any(spell["index"] == obj.key for spell in row.data["results"])]
    damage: JsonObject = data.get("damage") or {}
    by_level = damage.get("damage_at_slot_level") or damage.get("damage_at_character_level") or {}
    facts: dict[str, Any] = {
        "description": clean_text(data["desc"]),
        "level": data["level"],
        "school": school_name(data["school"]["name"]),
        "casting_time": canonical_casting_time(data["casting_time"]),
        "range": spell_range(data["range"]),
        "duration": spell_duration(data["duration"], concentration=data["concentration"]),
        "concentration": data["concentration"],
        "ritual": data["ritual"],
        "components": spell_components(
            tuple(letter in data["components"] for letter in "VSM"), clean_text(data.get("material"))
        ),
        "higher_level": clean_text(data["higher_level"]),
        "classes": class_names([c["name"] for c in data["classes"]] + [row.key for row in listing]),
        "damage_dice": canonical_dice(next(iter(by_level.values()), None)),
        "damage_types": [damage["damage_type"]["name"].lower()] if "damage_type" in damage else None,
        "saving_throw": ABILITY_OF[data["dc"]["dc_type"]["index"]] if data.get("dc") else None,
        "save_effect": {"none": "none", "half": "half"}.get((data.get("dc") or {}).get("dc_success", "")),
        "area_of_effect": sized_area(**data["area_of_effect"]) if data.get("area_of_effect") else None,
        "casting_options": dnd5e_options(data),
    }
    ids = (obj.id, *(row.id for row in listing))
    return Draft("dnd5e_api", ids, "spell", dnd5e_document(obj.endpoint), data["name"], (obj.key,), facts=facts)
