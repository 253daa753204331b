"""Monsters of Open5e v1 → drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.creatures import open5e_words as words
from build_pipeline.normalize.creatures.defences import settled_defences
from build_pipeline.normalize.creatures.texts import Texts
from build_pipeline.normalize.merging.documents import v1_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from build_pipeline.normalize.text.stat_blocks.actions import action, split_wrongly, trait
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.schema import ABILITIES

_PASSIVE_PERCEPTION: Final = {"blackflag"}
"""Documents in which `perception` is passive Perception."""
_FIRST_ACTION: Final = re.compile(
    r"(?P<name>[A-Z]\w+(?: [A-Z]\w+)*)\. (?P<desc>(?!.*\blegendary actions?\b).+)", re.DOTALL
)
"""A legendary action where its introduction should be: "Quick Step. The newt steps quickly."."""


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every monster of v1."""
    monsters = raw["open5e_v1", "monsters"].values()
    hovering = {
        obj.data["document__slug"] for obj in monsters if obj.data.get("speed") and obj.data["speed"].get("hover")
    }
    texts = Texts(raw)
    yield from read_each(monsters, problems, lambda obj: _draft(obj, hovering, texts))


def v2_key(monster: JsonObject) -> str:
    """The v2 key of a v1 monster: the last part of `/v2/creatures/tob2_a-mi-kuk/`."""
    return str(monster.get("v2_converted_path")).strip("/").rpartition("/")[2]


def _draft(obj: RawObject, hovering: set[str], texts: Texts) -> Draft:
    data = obj.data
    slug = data["document__slug"]
    document, also = v1_document(slug)
    mend = texts.of(document, data["name"])
    kind, subtype = data["type"].lower(), (known(data["subtype"]) or "").lower()
    columns: dict[str, Any] = {}
    all_lore: list[str] = []
    introductions: list[str] = []
    first = _FIRST_ACTION.fullmatch(data["legendary_desc"] or "")
    for column in words.COLUMN_OF_TYPE.values():
        rows = [row for row in data[column] or () if known(row["name"])]
        if first and column == "legendary_actions":
            rows.insert(0, first.groupdict())
        mended, lore, legendary = split_wrongly(rows)
        columns[column] = [action(mend(row["name"]) or "", mend(row["desc"])) for row in mended] or None
        all_lore += lore
        introductions += legendary
    traits, _, _ = split_wrongly(row for row in data["special_abilities"] or () if known(row["name"]))
    mended_traits = [trait(mend(row["name"]) or "", mend(row["desc"])) for row in traits]
    senses = stat_block.senses(data["senses"])
    facts: dict[str, Any] = {
        "description": words.description(data["desc"], mend) or mend("\n\n".join(all_lore)),
        "size": data["size"].lower(),
        "type": None if kind == "swarm" else kind,
        "subtype": "swarm" if kind == "swarm" else subtype or None,
        "alignment": stat_block.alignment(data["alignment"]),
        "armor_class": data["armor_class"],
        "armor_description": stat_block.armor_description(data["armor_desc"], data["armor_class"]),
        "hit_points": data["hit_points"],
        "hit_dice": canonical_dice(data["hit_dice"]),
        "speed": stat_block.speed(data["speed"], records_hover=slug in hovering),
        "ability_scores": {ability: data[ability] for ability in ABILITIES},
        "saving_throws": {a: data[f"{a}_save"] for a in ABILITIES if data[f"{a}_save"] is not None},
        "skills": stat_block.skills(data["skills"]),
        **settled_defences(_defences(data), mended_traits),
        "senses": {**senses, "passive_perception": data["perception"]} if slug in _PASSIVE_PERCEPTION else senses,
        "languages": words.languages(data["languages"]),
        "challenge_rating": data["cr"],
        "traits": mended_traits or None,
        **columns,
        "legendary_description": clean_text(mend((not first and data["legendary_desc"]) or " ".join(introductions))),
        "group": known(data.get("group")),
        "page": data.get("page_no") or None,
        "environments": words.environments(data["environments"]),
    }
    keys = (obj.key, v2_key(data))
    return Draft("open5e_v1", (obj.id,), "creature", document, words.name(data["name"]), keys, also=also, facts=facts)


def _defences(data: JsonObject) -> dict[str, list[str]]:
    lists = {
        column: stat_block.damage_kinds(data[column])
        for column in ("damage_vulnerabilities", "damage_resistances", "damage_immunities")
    }
    return {**lists, "condition_immunities": stat_block.conditions(data["condition_immunities"])}
