"""Languages of v2's core and of the D&D 5e API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import CORE, dnd5e_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name

_SPEAKERS: Final = re.compile(r"Typical speakers (?:are|include) (?P<speakers>[^.]+)(?:\.\s*|$)")
_COMMA_AND: Final = re.compile(r",?\s+and\s+|,\s+")


def language_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every language; those of v2's core complete the SRD's."""
    v2 = raw["open5e_v2", "languages"].values()
    secret = {obj.key for obj in v2 if obj.data["is_secret"]}
    yield from read_each(v2, problems, _v2_draft)
    yield from read_each(raw["dnd5e_api", "2014/languages"].values(), problems, _dnd5e_2014)
    yield from read_each(raw["dnd5e_api", "2024/languages"].values(), problems, partial(_dnd5e_2024, secret))


def _v2_draft(obj: RawObject) -> Draft:
    data = obj.data
    text = clean_text(data["desc"]) or ""
    speakers = _SPEAKERS.match(text)
    draft = _draft(
        obj,
        v2_document(data),
        {
            "description": _SPEAKERS.sub("", text).strip() or None,
            "script": data["script_language"],
            "speakers": listed(_COMMA_AND.split(speakers["speakers"])) if speakers else None,
            "category": "secret" if data["is_secret"] else "exotic" if data["is_exotic"] else "standard",
        },
    )
    draft.also = ("srd-2014",) if draft.document_key == CORE else ()
    draft.from_text = {"speakers"} if speakers else set()
    return draft


def _dnd5e_2014(obj: RawObject) -> Draft:
    data = obj.data
    facts = {
        "description": clean_text(data.get("desc")),
        "script": normalize_name(data["script"]) if data.get("script") else None,
        "speakers": listed(data["typical_speakers"]),
        "category": data["type"].lower(),
    }
    return _draft(obj, dnd5e_document(obj.endpoint), facts)


def _dnd5e_2024(secret: set[str], obj: RawObject) -> Draft:
    rare = obj.data["is_rare"] or obj.key in secret
    facts = {"description": clean_text(obj.data["note"]), "category": "rare" if rare else "standard"}
    return _draft(obj, dnd5e_document(obj.endpoint), facts)


def _draft(obj: RawObject, document: str, facts: dict[str, Any]) -> Draft:
    facts = {"rule_type": "language", **facts}
    return Draft(obj.source, (obj.id,), "language", document, obj.data["name"], (obj.key,), facts=facts)


def describe_language(facts: dict[str, Any]) -> dict[str, Any]:
    """A description that states the facts in a sentence before the text, if any: most languages have none."""
    category = facts.get("category")
    if category is None:  # homebrew keeps its own text
        return {}
    sentence = f"{'An' if category[0] in 'aeiou' else 'A'} {category} language"
    if facts.get("speakers"):
        sentence += f" spoken by {facts['speakers']}"
    if facts.get("script"):
        sentence += f"{',' if facts.get('speakers') else ''} written in the {facts['script'].capitalize()} script"
    return {"description": " ".join(filter(None, (f"{sentence}.", facts.get("description"))))}


def listed(names: list[str]) -> str:
    """The speakers of a language, in lower case: "ogres and giants"."""
    *most, last = [name.lower() for name in names]
    return f"{', '.join(most)} and {last}" if most else last
