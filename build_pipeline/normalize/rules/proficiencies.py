"""Proficiencies, which only the D&D 5e API has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import dnd5e_document
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.items.names import natural_name
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.schema import EQUIPMENT_TYPES

_YEARS: Final = ("2014", "2024")
_RACES: Final = ("race", "subrace")
_CHOOSERS: Final = ("class", "background", *_RACES)
_WITH_TRAIT: Final = ("races", "subraces", "species", "subspecies")
_TOOLS: Final = "tools"
_ARTISANS: Final = "artisan's tools"
_TOOL_CATEGORIES: Final = {
    "artisans-tools": _ARTISANS,
    "gaming-sets": "gaming sets",
    "musical-instruments": "musical instruments",
}
"""Category of tools → category of a proficiency with them."""


@dataclass(frozen=True, slots=True)
class _Owners:
    """Who has a proficiency, according to the owners' own records.

    Attributes:
        classes: names of the classes that grant it.
        races: names of the races and subraces that grant it by a trait.
        backgrounds: names of the backgrounds that grant it.
        choosers: names of the classes, backgrounds and races that offer it as a choice.
    """

    classes: list[str] = field(default_factory=list)
    races: list[str] = field(default_factory=list)
    backgrounds: list[str] = field(default_factory=list)
    choosers: list[str] = field(default_factory=list)


def proficiency_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every proficiency of both editions, with a description of who grants it."""
    for year in _YEARS:
        objects = raw["dnd5e_api", f"{year}/proficiencies"]
        equipment = raw["dnd5e_api", f"{year}/equipment"]
        categories = {key: _category(obj.data, equipment) for key, obj in objects.items()}
        # The choices of a 2024 trait refer to skills, not to proficiencies in them.
        skills = {obj.data["reference"]["index"]: key for key, obj in objects.items() if obj.data["type"] == "Skills"}
        owners = _owners(raw, year, categories, skills)
        yield from read_each(objects.values(), problems, partial(_draft, categories, owners))


def _draft(categories: Mapping[str, str], owners: Mapping[str, _Owners], obj: RawObject) -> Draft:
    data = obj.data
    name = data["name"].removeprefix("Tool: ")
    owner = owners[obj.key]
    granted_to = {part: [entry["name"] for entry in data.get(part, [])] for part in ("classes", "races")}
    classes = list(dict.fromkeys((*granted_to["classes"], *owner.classes)))
    races = list(dict.fromkeys((*granted_to["races"], *owner.races)))
    facts = {
        "rule_type": "proficiency",
        "description": _description(data, name, [*classes, *races, *owner.backgrounds], owner.choosers),
        "category": categories[obj.key],
        "classes": [name.lower() for name in classes],
        "races": [name.lower() for name in races] if races or "races" in data else None,
        "related": [
            _target(data["reference"], obj.endpoint),
            *(Reference(_RACES, race) for race in races),
            *owner.backgrounds,
            *(Reference(_CHOOSERS, chooser) for chooser in sorted(owner.choosers)),
        ],
    }
    document = dnd5e_document(obj.endpoint)
    printed = name if ": " in name else natural_name(name)
    return Draft(
        obj.source, (obj.id,), "proficiency", document, printed, (obj.key,), facts=facts, from_text={"description"}
    )


def _target(reference: JsonObject, endpoint: str) -> str | Reference:
    """The object of a proficiency; an item by its raw object, as rules and spells may share its name."""
    name = str(reference["name"])
    if "/equipment/" not in reference.get("url", ""):
        return name
    return Reference(EQUIPMENT_TYPES, name, f"dnd5e_api/{endpoint.partition('/')[0]}/equipment/{reference['index']}")


def _category(data: JsonObject, equipment: Mapping[str, RawObject]) -> str:
    """The proficiency's category; kits are not artisan's tools, and gaming sets and supplies are not just tools."""
    kind = str(data["type"].lower())
    tool = equipment.get(data["reference"]["index"])
    categories = [c["index"] for c in tool.data.get("equipment_categories", ())] if tool else []
    category = next((_TOOL_CATEGORIES[index] for index in categories if index in _TOOL_CATEGORIES), None)
    if category is None and (kind == "other" or data["name"].endswith(" Kit")):
        return _TOOLS
    return category or kind


def _owners(
    raw: RawLayer, year: str, categories: Mapping[str, str], skills: Mapping[str, str]
) -> defaultdict[str, _Owners]:
    """Key of a proficiency → who has it.

    The proficiencies' own lists treat choices as grants and lack some owners.
    """
    owners: defaultdict[str, _Owners] = defaultdict(_Owners)
    for kind in ("classes", "backgrounds"):
        for obj in raw["dnd5e_api", f"{year}/{kind}"].values():
            granted = [*obj.data.get("proficiencies", ()), *obj.data.get("starting_proficiencies", ())]
            for entry in granted:
                getattr(owners[entry["index"]], kind).append(obj.data["name"])
            for key in dict.fromkeys(_offered(obj.data.get("proficiency_choices", ()), categories)):
                owners[key].choosers.append(obj.data["name"])
    for trait in raw["dnd5e_api", f"{year}/traits"].values():
        names = [each["name"] for part in _WITH_TRAIT for each in trait.data.get(part) or ()]
        for entry in trait.data.get("proficiencies") or ():
            owners[entry["index"]].races.extend(names)
        for key in dict.fromkeys(_offered(trait.data.get("proficiency_choices"), categories)):
            owners[skills.get(key, key)].choosers.extend(names)
    return owners


def _offered(value: Any, categories: Mapping[str, str], within: str = "") -> Iterator[str]:
    """The proficiencies among all options, however deep the choices are nested.

    If the choice is one of artisan's tools, kits that the API lists among them are left out.
    """
    if isinstance(value, list):
        for entry in value:
            yield from _offered(entry, categories, within)
    elif isinstance(value, dict):
        if isinstance(value.get("index"), str):
            if within != _ARTISANS or categories.get(value["index"], _ARTISANS) == _ARTISANS:
                yield value["index"]
            return
        described = str(value.get("desc", "")).lower().replace("’", "'")
        within = described if described == _ARTISANS else within
        for entry in value.values():
            yield from _offered(entry, categories, within)


def _description(data: JsonObject, name: str, granted: list[str], chosen: list[str]) -> str:
    subject = name.partition(": ")[2] or natural_name(name)
    if data["type"] == "Saving Throws":
        first = f"Proficiency in {ABILITY_OF[data['reference']['index']].capitalize()} saving throws."
    elif data["type"] == "Skills":
        first = f"Proficiency in the {subject} skill."
    else:
        first = f"Proficiency with {subject.lower()}."
    sentences = [first]
    if granted:
        sentences.append(f"Granted by: {', '.join(granted)}.")
    if chosen:
        sentences.append(f"Offered as a choice to: {', '.join(sorted(chosen))}.")
    return " ".join(sentences)
