"""Backgrounds of Open5e v2 and v1 and the D&D 5e API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.labels import NamedText
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject

_COLUMN_OF_BENEFIT: Final = {
    "skill_proficiency": "skill_proficiencies",
    "tool_proficiency": "tool_proficiencies",
    "language": "languages",
    "equipment": "equipment",
}
"""Type of a v2 benefit → the column that its text fills."""

_PHRASE: Final = re.compile(r"(?P<words>[^.]+)\.")
"""A fact of one phrase, closed with a full stop as in some books."""
_NUMBER: Final = {1: "One", 2: "Two", 3: "Three"}


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every background, as each source has it."""
    yield from read_each(raw["open5e_v2", "backgrounds"].values(), problems, _v2_draft)
    yield from read_each(raw["open5e_v1", "backgrounds"].values(), problems, _v1_draft)
    yield from read_each(raw["dnd5e_api", "2014/backgrounds"].values(), problems, _dnd5e_2014)
    yield from read_each(raw["dnd5e_api", "2024/backgrounds"].values(), problems, _dnd5e_2024)


def _v2_draft(obj: RawObject) -> Draft:
    data = obj.data
    facts: dict[str, Any] = {"description": clean_text(data["desc"]), "benefits": []}
    for benefit in data["benefits"]:
        text = clean_text(benefit["desc"])
        if text is None:
            continue
        part: NamedText = {"name": benefit["name"].strip(), "description": text}
        facts["benefits"].append(part)
        if benefit["type"] in _COLUMN_OF_BENEFIT:
            facts[_COLUMN_OF_BENEFIT[benefit["type"]]] = _phrase(text)
        elif benefit["type"] == "feature":
            facts["feature"] = part
    facts["benefits"] = facts["benefits"] or None
    document = v2_document(data)
    return Draft(obj.source, (obj.id,), "background", document, data["name"], v2_keys(obj.key), facts=facts)


def _v1_draft(obj: RawObject) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    texts = {
        name: clean_text(data[name])
        for name in ("skill_proficiencies", "tool_proficiencies", "languages", "equipment", "suggested_characteristics")
    }
    feature = _feature(data["feature"], clean_text(data["feature_desc"]))
    facts: dict[str, Any] = {
        "description": clean_text(data["desc"]),
        "feature": feature,
        "benefits": _benefits(texts, feature),
    } | {name: _phrase(texts[name]) for name in _COLUMN_OF_BENEFIT.values()}
    return Draft(obj.source, (obj.id,), "background", document, data["name"], (obj.key,), also=also, facts=facts)


def _phrase(text: str | None) -> str | None:
    """A phrase without its full stop, as most books print it; several sentences as they are."""
    phrase = _PHRASE.fullmatch(text or "")
    return phrase["words"] if phrase else text


def _feature(name: str | None, text: str | None) -> NamedText | None:
    return {"name": known(name), "description": text} if text else None


def _benefits(texts: dict[str, str | None], feature: NamedText | None) -> list[NamedText] | None:
    """Benefits as v2 lists them: each text under the title of its column, and the feature."""
    parts: list[NamedText] = [
        {"name": column.replace("_", " ").title(), "description": text} for column, text in texts.items() if text
    ]
    return [*parts, *([feature] if feature else [])] or None


def _dnd5e_2014(obj: RawObject) -> Draft:
    data = obj.data
    languages = data.get("language_options")
    count = languages["choose"] if languages else 0
    gold = data["starting_gold"]
    items = [item["equipment"]["name"] for item in data["starting_equipment"]]
    texts = {
        "skill_proficiencies": _proficiencies(data["starting_proficiencies"], "Skill"),
        "tool_proficiencies": _proficiencies(data["starting_proficiencies"], "Tool"),
        "languages": f"{_NUMBER.get(count, count)} of your choice" if count else None,
        "equipment": f"{', '.join(items)}, {gold['quantity']} {gold['unit']}",
    }
    feature = _feature(data["feature"]["name"], clean_text(data["feature"]["desc"]))
    return _dnd5e_draft(obj, {**texts, "feature": feature, "benefits": _benefits(texts, feature)})


def _dnd5e_2024(obj: RawObject) -> Draft:
    data = obj.data
    choices = [choice["desc"] for choice in data.get("proficiency_choices") or ()]
    tools = [_proficiencies(data["proficiencies"], "Tool"), *choices]
    feat = data["feat"]
    texts = {
        "skill_proficiencies": _proficiencies(data["proficiencies"], "Skill"),
        "tool_proficiencies": ", ".join(tool for tool in tools if tool) or None,
        "equipment": "; ".join(option["desc"] for option in data["equipment_options"]) or None,
    }
    others = {
        "ability_scores": ", ".join(score["name"] for score in data["ability_scores"]),
        "feat": f"{feat['name']} ({feat['note']})" if feat.get("note") else feat["name"],
    }
    return _dnd5e_draft(obj, {**texts, "benefits": _benefits({**others, **texts}, None)})


def _dnd5e_draft(obj: RawObject, facts: dict[str, Any]) -> Draft:
    document = dnd5e_document(obj.endpoint)
    return Draft(obj.source, (obj.id,), "background", document, obj.data["name"], (obj.key,), facts=facts)


def _proficiencies(items: list[JsonObject], kind: str) -> str | None:
    """Names of the proficiencies of a kind ("Skill: Insight" → "Insight"), or None if there are none."""
    names = [item["name"].removeprefix(f"{kind}: ") for item in items if item["name"].startswith(f"{kind}: ")]
    return ", ".join(names) or None


MERGE_RULES: Final[dict[str, MergeRule]] = {}


def derive(_entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """A description where no source has one."""
    if facts.get("description") is not None:
        return {}
    feature = facts.get("feature")
    given = {b["name"]: b["description"] for b in facts.get("benefits") or ()}
    found = {
        "ability scores": given.get("Ability Scores"),
        "feat": given.get("Feat"),
        "skills": facts.get("skill_proficiencies"),
        "tools": facts.get("tool_proficiencies"),
    }
    told = "; ".join(f"{label}: {text.rstrip('.')}" for label, text in found.items() if text)
    if not told:
        return {}
    # One sentence, as summaries have the first one only.
    return {
        "description": " ".join([f"{told[0].upper()}{told[1:]}.", *filter(None, [feature and feature["description"]])])
    }
