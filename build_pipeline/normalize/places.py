"""Planes of existence, environments and creature types: the world's own categories, told as rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.documents import v1_document, v2_document
from build_pipeline.normalize.draft import Draft, Problems, Reference
from build_pipeline.normalize.text import clean_text
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name

PLANES: Final = "Planes of Existence"
ENVIRONMENTS: Final = "Environments"
CREATURE_TYPES: Final = "Creature Types"


def place_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Environments and planes that have a text, and what each edition says about the creature types."""
    for obj in raw["open5e_v2", "environments"].values():
        text = clean_text(obj.data["desc"])
        if text is None or _says_only(text, obj.data["name"]):
            problems.add(obj.id, "an environment without a text: its name stands in the creatures that live there")
            continue
        section = PLANES if obj.data["planar"] else ENVIRONMENTS
        yield _draft(obj, v2_document(obj.data), text, section, (obj.key,))
    names = {obj.data["name"] for obj in raw["open5e_v1", "planes"].values()}
    for obj in raw["open5e_v1", "planes"].values():
        document, also = v1_document(obj.data["document__slug"])
        draft = _draft(obj, document, clean_text(obj.data["desc"]), PLANES, (obj.key,))
        draft.also = also
        if obj.data["parent"] in names:
            draft.facts["parent"] = Reference(("rule",), obj.data["parent"])
        yield draft
    for obj in raw["open5e_v2", "creaturetypes"].values():
        for description in obj.data["descriptions"]:
            text = clean_text(description["desc"])
            yield _draft(obj, description["document"], text, CREATURE_TYPES, (obj.key,))


def _draft(obj: RawObject, document: str, text: str | None, section: str, keys: tuple[str, ...]) -> Draft:
    facts: dict[str, Any] = {
        "rule_type": "rule",
        "description": text,
        "section": section,
        "headings": [normalize_name(section)],
    }
    return Draft(obj.source, (obj.id,), "rule", document, obj.data["name"], keys, section, facts=facts)


def _says_only(text: str, name: str) -> bool:
    """Whether a text adds but one word to the name ("Caves": "Caves and caverns")."""
    return len(text.split()) <= len(name.split()) + 2
