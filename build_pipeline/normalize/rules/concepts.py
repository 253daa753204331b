"""Conditions, damage types, skills, abilities, schools, alignments, weapon properties.

A concept that v2 describes once per rules edition becomes one entity per document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import CORE, dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject

_SPECIALTIES: Final = re.compile(r"Specialties:\s*(?P<list>[^.]+)\.?\s*$")
_BULLET: Final = re.compile(r"(?m)^[*-][ \t]+(.+?)\s*$")
_MASTERY: Final = "Mastery"

Facts = Callable[[JsonObject, str, str], dict[str, Any]]
"""(object, its clean text, its document) → the facts other than the text."""


def concept_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every concept that has a text; those without one are reported in `problems`."""
    for endpoint, (entity_type, facts_of) in _V2.items():
        read = partial(_v2_drafts, entity_type, facts_of, problems)
        yield from read_each(raw["open5e_v2", endpoint].values(), problems, read)
    yield from read_each(raw["open5e_v1", "conditions"].values(), problems, _v1_condition)
    for endpoint, (entity_type, facts_of) in _API.items():
        for year in ("2014", "2024"):
            objects = raw["dnd5e_api", f"{year}/{endpoint}"].values()
            yield from read_each(objects, problems, partial(_api_draft, entity_type, facts_of))


def _v2_drafts(entity_type: str, facts_of: Facts, problems: Problems, obj: RawObject) -> Iterator[Draft]:
    for document, text in _v2_texts(obj, problems):
        draft = _draft(obj, entity_type, document, text, facts_of(obj.data, text, document))
        # Schools of magic are in core, which has no edition: they complete those of the SRD.
        draft.also = ("srd-2014",) if document == CORE else ()
        yield draft


def _v1_condition(obj: RawObject) -> Draft:
    document, _ = v1_document(obj.data["document__slug"])
    return _draft(obj, "condition", document, clean_text(obj.data["desc"]), {})


def _api_draft(entity_type: str, facts_of: Facts, obj: RawObject) -> Draft:
    description = clean_text(obj.data.get("desc") or obj.data.get("description"))
    document = dnd5e_document(obj.endpoint)
    return _draft(obj, entity_type, document, description, facts_of(obj.data, description or "", document))


def _v2_texts(obj: RawObject, problems: Problems) -> Iterator[tuple[str, str]]:
    """(document, text) of each edition that a v2 object is described for."""
    descriptions = obj.data.get("descriptions")
    if descriptions is None:
        descriptions = [{"document": v2_document(obj.data), "desc": obj.data["desc"]}]
    for description in descriptions:
        text = clean_text(description["desc"])
        if text is None:
            problems.add(obj.id, f"no text in {description['document']}")
        else:
            yield description["document"], text


def _draft(obj: RawObject, entity_type: str, document: str, text: str | None, facts: dict[str, Any]) -> Draft:
    name = facts.pop("name", None) or obj.data["name"]
    abbreviation = facts.get("abbreviation")
    keys = dict.fromkeys((obj.key, obj.key.rpartition("_")[2], *([abbreviation.lower()] if abbreviation else ())))
    facts = {"rule_type": entity_type, "description": text, **facts}
    from_text = {"examples"} if facts.get("examples") else set()
    return Draft(obj.source, (obj.id,), entity_type, document, name, tuple(keys), facts=facts, from_text=from_text)


def _nothing(_obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    return {}


def _damage_type(_obj: JsonObject, text: str, _document: str) -> dict[str, Any]:
    # The 2024 rules describe a damage type by a bare list of examples.
    return {"examples": _listed(text)} if "." not in text else {}


def _v2_skill(obj: JsonObject, text: str, _document: str) -> dict[str, Any]:
    specialties = _SPECIALTIES.search(text)
    return {
        "ability": ABILITY_OF[obj["ability"]],
        "related": [ABILITY_OF[obj["ability"]].capitalize()],
        "examples": _listed(specialties["list"]) if specialties else None,
    }


def _api_skill(obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    ability = ABILITY_OF[obj["ability_score"]["index"]]
    return {"ability": ability, "related": [ability.capitalize()]}


def _v2_ability(obj: JsonObject, text: str, document: str) -> dict[str, Any]:
    skills = [skill["name"] for skill in obj["skills"] if any(d["document"] == document for d in skill["descriptions"])]
    return {"abbreviation": obj["key"].upper(), "related": skills, "examples": _BULLET.findall(text) or None}


def _api_ability(obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    return {
        "name": obj["full_name"],
        "abbreviation": obj["name"],
        "related": [skill["name"] for skill in obj["skills"]],
    }


def _v2_alignment(obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    # v2's alignments have no name. Neutral in both respects is printed once.
    words = dict.fromkeys((obj["societal_attitude"], obj["morality"]))
    return {"name": " ".join(words).title(), "abbreviation": obj["short_name"]}


def _api_alignment(obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    return {"abbreviation": obj["abbreviation"]}


def _v2_property(obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    related = [link["anchor"] for link in obj["crossreferences"]["to"]]
    return {"category": "mastery" if obj["type"] == _MASTERY else "property", "related": related or None}


def _api_property(_obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    return {"category": "property"}


def _api_mastery(_obj: JsonObject, _text: str, _document: str) -> dict[str, Any]:
    return {"category": "mastery"}


def _listed(text: str) -> list[str]:
    return [part.strip().lower() for part in text.split(",") if part.strip()]


_V2: Final[dict[str, tuple[str, Facts]]] = {
    "conditions": ("condition", _nothing),
    "damagetypes": ("damage-type", _damage_type),
    "skills": ("skill", _v2_skill),
    "abilities": ("ability-score", _v2_ability),
    "alignments": ("alignment", _v2_alignment),
    "spellschools": ("magic-school", _nothing),
    "weaponproperties": ("weapon-property", _v2_property),
}
"""v2 endpoint → the entity type of its objects and how their facts are read."""

_API: Final[dict[str, tuple[str, Facts]]] = {
    "conditions": ("condition", _nothing),
    "damage-types": ("damage-type", _damage_type),
    "skills": ("skill", _api_skill),
    "ability-scores": ("ability-score", _api_ability),
    "alignments": ("alignment", _api_alignment),
    "magic-schools": ("magic-school", _nothing),
    "weapon-properties": ("weapon-property", _api_property),
    "weapon-mastery-properties": ("weapon-property", _api_mastery),
}
"""The same for the D&D 5e API, whose endpoints are alike in both editions."""
