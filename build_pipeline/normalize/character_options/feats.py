"""Feats of Open5e v2 and v1 and the D&D 5e API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.character_options import benefits
from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.labels import NamedText, labelled, prerequisite_first
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject

_PREREQUISITE: Final = re.compile(r"\Aprerequisites?:\s*", re.IGNORECASE)
_NOT_APPLICABLE: Final = "n/a"
_LONGEST_PREREQUISITE: Final = 120
"""Length in characters beyond which a prerequisite is the feat's own text, put there by mistake."""
_LEAD_IN: Final = re.compile(r"\A(?:you gain )?the following benefits?[.:]?\Z", re.IGNORECASE)

_LEADING_IN: Final = re.compile(r"(?:(?<=[.!?])\s+You gain|, gaining) the following benefits?[.:]\Z", re.IGNORECASE)


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every feat, as each source has it."""
    yield from read_each(raw["open5e_v2", "feats"].values(), problems, _v2_draft)
    yield from read_each(raw["open5e_v1", "feats"].values(), problems, _v1_draft)
    yield from read_each(raw["dnd5e_api", "2014/feats"].values(), problems, _dnd5e_2014)
    yield from read_each(raw["dnd5e_api", "2024/feats"].values(), problems, _dnd5e_2024)


def _v2_draft(obj: RawObject) -> Draft:
    data = obj.data
    needs, described = prerequisite_first(clean_text(data["desc"]))
    facts = {
        "description": _description(described),
        "prerequisite": prerequisite(data["prerequisite"]) or needs,
        "benefits": _unnamed(benefit["desc"] for benefit in data["benefits"]),
        "feat_type": data["type"].lower(),
    }
    document = v2_document(data)
    return Draft(obj.source, (obj.id,), "feat", document, data["name"], v2_keys(obj.key), facts=facts)


def _description(text: str | None) -> str | None:
    """The text, or None if it only says that benefits follow."""
    cleaned = clean_text(text)
    return None if cleaned is None or _LEAD_IN.match(cleaned) else cleaned


def prerequisite(text: str | None) -> str | None:
    """A prerequisite as plain text, or None where there is none ("", "*N/A*").

    >>> prerequisite("Prerequisite: *Wisdom 13 or higher*")
    'Wisdom 13 or higher'
    """
    plain = _PREREQUISITE.sub("", (clean_text(text) or "").replace("*", "").strip())
    if plain.casefold() == _NOT_APPLICABLE or len(plain) > _LONGEST_PREREQUISITE:
        return None
    return known(plain) or None


def _unnamed(texts: Iterator[str]) -> list[NamedText] | None:
    cleaned = [clean_text(text) for text in texts]
    return [{"name": None, "description": text} for text in cleaned if text] or None


def _v1_draft(obj: RawObject) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    # After the first line the text continues with rules, which v2 has as benefits in a later wording.
    opening, *rules = (clean_text(data["desc"]) or "").split("\n")
    rest = [line for line in rules if line and not _LEAD_IN.match(line)]
    facts = {
        "description": opening or None,
        "prerequisite": prerequisite(data["prerequisite"]),
        "benefits": _unnamed(iter([*rest, *data["effects_desc"]])),
    }
    return Draft(obj.source, (obj.id,), "feat", document, data["name"], (obj.key,), also=also, facts=facts)


def _dnd5e_2014(obj: RawObject) -> Draft:
    data = obj.data
    points = [line.removeprefix("- ") for line in data["desc"] if line.startswith("- ")]
    needs = [
        f"{ABILITY_OF[p['ability_score']['index']].title()} {p['minimum_score']} or higher"
        for p in data["prerequisites"]
    ]
    facts = {
        "description": clean_text([line for line in data["desc"] if not line.startswith("- ")]),
        "prerequisite": ", ".join(needs) or None,
        "benefits": _unnamed(iter(points)),
    }
    return _dnd5e_draft(obj, facts)


def _dnd5e_2024(obj: RawObject) -> Draft:
    data = obj.data
    intro, parts = labelled(clean_text(data["description"]))
    if intro and not parts:
        intro, parts = None, [{"name": None, "description": intro}]
    if data.get("repeatable"):
        parts.append({"name": "Repeatable", "description": data["repeatable"]})
    facts = {
        "description": _description(intro),
        "prerequisite": _dnd5e_prerequisite(data),
        "benefits": parts,
        "feat_type": data["type"].replace("-", " "),
    }
    return _dnd5e_draft(obj, facts)


def _dnd5e_prerequisite(data: JsonObject) -> str | None:
    needs: dict[str, Any] = data.get("prerequisites") or {}
    options = data.get("prerequisite_options") or {}
    phrases = [
        f"Level {needs['minimum_level']}+" if needs.get("minimum_level") else None,
        f"{needs['feature_named']} Feature" if needs.get("feature_named") else None,
        options.get("desc"),
    ]
    return ", ".join(need for need in phrases if need) or None


def _dnd5e_draft(obj: RawObject, facts: dict[str, Any]) -> Draft:
    document = dnd5e_document(obj.endpoint)
    return Draft(obj.source, (obj.id,), "feat", document, obj.data["name"], (obj.key,), facts=facts)


MERGE_RULES: Final[dict[str, MergeRule]] = {"benefits": benefits.combined}


def derive(_entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """A description made from the benefits where no source has one; a lead-in to them is cut from its end."""
    benefits, description = facts.get("benefits"), facts.get("description")
    if not benefits:
        return {}
    if description is not None:
        shorter = _LEADING_IN.sub(lambda match: "." if match[0].startswith(",") else "", description)
        return {"description": shorter} if shorter and shorter != description else {}
    texts = [f"**{b['name']}.** {b['description']}" if b["name"] else b["description"] for b in benefits]
    return {"description": "\n\n".join(texts)}
