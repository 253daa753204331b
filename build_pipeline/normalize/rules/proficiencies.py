"""Proficiencies, which only the D&D 5e API has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import dnd5e_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.item_names import natural_name
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.schema import ABILITIES

_YEARS: Final = ("2014", "2024")
_TOOLS: Final = "tools"
_TOOL_CATEGORIES: Final = {
    "artisans-tools": "artisan's tools",
    "gaming-sets": "gaming sets",
    "musical-instruments": "musical instruments",
}
"""Category of the tools that a proficiency is with → the proficiency's category."""


def proficiency_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every proficiency of both editions, with a description of who grants it."""
    for year in _YEARS:
        objects = raw["dnd5e_api", f"{year}/proficiencies"].values()
        yield from read_each(objects, problems, partial(_draft, raw, _choices(raw, year)))


def _draft(raw: RawLayer, chosen: dict[str, list[str]], obj: RawObject) -> Draft:
    data = obj.data
    name = data["name"].removeprefix("Tool: ")
    target = data["reference"]["name"]
    granting = {part: [entry["name"] for entry in data.get(part, [])] for part in ("classes", "races", "backgrounds")}
    facts = {
        "rule_type": "proficiency",
        "description": _description(data, name, granting, chosen[obj.key]),
        "category": _category(data, raw["dnd5e_api", f"{obj.endpoint.partition('/')[0]}/equipment"]),
        "classes": [name.lower() for name in granting["classes"]],
        "races": [name.lower() for name in granting["races"]] if "races" in data else None,
        "related": [target, *granting["backgrounds"]],
    }
    document = dnd5e_document(obj.endpoint)
    printed = name if ": " in name else natural_name(name)
    return Draft(obj.source, (obj.id,), "proficiency", document, printed, (obj.key,), facts=facts)


def _category(data: JsonObject, equipment: Mapping[str, RawObject]) -> str:
    """The proficiency's category; kits are no artisan's tools, and gaming sets and supplies are not just tools."""
    kind = str(data["type"].lower())
    tool = equipment.get(data["reference"]["index"])
    categories = [c["index"] for c in tool.data.get("equipment_categories", ())] if tool else []
    told = next((_TOOL_CATEGORIES[index] for index in categories if index in _TOOL_CATEGORIES), None)
    if told is None and (kind == "other" or data["name"].endswith(" Kit")):
        return _TOOLS
    return told or kind


def _choices(raw: RawLayer, year: str) -> dict[str, list[str]]:
    """Key of a proficiency → the classes that offer it as a choice."""
    chosen: dict[str, list[str]] = defaultdict(list)
    for obj in raw["dnd5e_api", f"{year}/classes"].values():
        for key in dict.fromkeys(_option_keys(obj.data["proficiency_choices"])):
            chosen[key].append(obj.data["name"])
    return chosen


def _option_keys(value: Any) -> Iterator[str]:
    """The indexes of all options, however deep the choices are nested."""
    if isinstance(value, list):
        for entry in value:
            yield from _option_keys(entry)
    elif isinstance(value, dict):
        if "index" in value:
            yield value["index"]
        for entry in value.values():
            yield from _option_keys(entry)


def _description(data: JsonObject, name: str, granting: dict[str, list[str]], chosen: list[str]) -> str:
    subject = name.partition(": ")[2] or natural_name(name)
    if data["type"] == "Saving Throws":
        ability = next(ability for ability in ABILITIES if ability.startswith(data["reference"]["index"]))
        first = f"Proficiency in {ability.capitalize()} saving throws."
    elif data["type"] == "Skills":
        first = f"Proficiency in the {subject} skill."
    else:
        first = f"Proficiency with {subject.lower()}."
    sentences = [first]
    granted = [name for names in granting.values() for name in names]
    if granted:
        sentences.append(f"Granted by: {', '.join(granted)}.")
    if chosen:
        sentences.append(f"A choice for: {', '.join(sorted(chosen))}.")
    return " ".join(sentences)
