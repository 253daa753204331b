"""Languages of v2's core and of the D&D 5e API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.documents import CORE, dnd5e_document, v2_document
from build_pipeline.normalize.draft import Draft
from build_pipeline.normalize.text import clean_text
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name

_SPEAKERS: Final = re.compile(r"Typical speakers (?:are|include) (?P<speakers>[^.]+)(?:\.\s*|$)")
_COMMA_AND: Final = re.compile(r",?\s+and\s+|,\s+")


def language_drafts(raw: RawLayer) -> Iterator[Draft]:
    """Every language; those of v2's core complete the SRD's."""
    for obj in raw["open5e_v2", "languages"].values():
        data = obj.data
        document = v2_document(data)
        text = clean_text(data["desc"]) or ""
        speakers = _SPEAKERS.match(text)
        yield Draft(
            obj.source,
            (obj.id,),
            "language",
            document,
            data["name"],
            (obj.key,),
            also=("srd-2014",) if document == CORE else (),
            facts={
                "rule_type": "language",
                "description": _SPEAKERS.sub("", text).strip() or None,
                "script": data["script_language"],
                "speakers": _listed(_COMMA_AND.split(speakers["speakers"])) if speakers else None,
                "category": "secret" if data["is_secret"] else "exotic" if data["is_exotic"] else "standard",
            },
            from_text={"speakers"} if speakers else set(),
        )
    for obj in raw["dnd5e_api", "2014/languages"].values():
        data = obj.data
        yield Draft(
            obj.source,
            (obj.id,),
            "language",
            dnd5e_document(obj.endpoint),
            data["name"],
            (obj.key,),
            facts={
                "rule_type": "language",
                "description": clean_text(data.get("desc")),
                "script": normalize_name(data["script"]) if data.get("script") else None,
                "speakers": _listed(data["typical_speakers"]),
                "category": data["type"].lower(),
            },
        )
    secret = {obj.key for obj in raw["open5e_v2", "languages"].values() if obj.data["is_secret"]}
    for obj in raw["dnd5e_api", "2024/languages"].values():
        data = obj.data
        yield Draft(
            obj.source,
            (obj.id,),
            "language",
            dnd5e_document(obj.endpoint),
            data["name"],
            (obj.key,),
            facts={
                "rule_type": "language",
                "description": clean_text(data["note"]),
                "category": "rare" if data["is_rare"] or obj.key in secret else "standard",
            },
        )


def describe_language(facts: dict[str, Any]) -> dict[str, Any]:
    """A description that tells the facts in a sentence before the text, which most languages lack."""
    category = facts["category"]
    sentence = f"{'An' if category[0] in 'aeiou' else 'A'} {category} language"
    if facts.get("speakers"):
        sentence += f" spoken by {facts['speakers']}"
    if facts.get("script"):
        sentence += f"{',' if facts.get('speakers') else ''} written in the {facts['script'].capitalize()} script"
    return {"description": " ".join(filter(None, (f"{sentence}.", facts.get("description"))))}


def _listed(names: list[str]) -> str:
    *most, last = [name.lower() for name in names]
    return f"{', '.join(most)} and {last}" if most else last
