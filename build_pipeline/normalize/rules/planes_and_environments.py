"""Planes of existence, environments and creature types: the world's own categories, stored as rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name

PLANES: Final = "Planes"
ENVIRONMENTS: Final = "Environments"
CREATURE_TYPES: Final = "Creature Types"
_OPENING: Final = 60
"""Letters by which a text is recognised."""


def place_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Environments and planes that have a text, and what each edition says about the creature types."""
    planes = raw["open5e_v1", "planes"].values()
    names = {str(obj.data["name"]) for obj in planes}
    parents = {str(obj.data["name"]): str(obj.data.get("parent")) for obj in planes}
    above = {name: parent for name, parent in parents.items() if parent in names}
    places = raw["open5e_v2", "environments"].values()
    above |= {name: plane for name, plane in _quoted(places, planes) if name not in names}
    yield from read_each(places, problems, partial(_environment, problems, above))
    yield from read_each(planes, problems, partial(_plane, above))
    yield from read_each(raw["open5e_v2", "creaturetypes"].values(), problems, _creature_type)


def _quoted(places: Iterable[RawObject], planes: Iterable[RawObject]) -> Iterator[tuple[str, str]]:
    """(place, plane) for every place whose text a plane's text repeats."""
    told = {str(obj.data["name"]): _letters(obj.data.get("desc")) for obj in planes}
    for obj in places:
        opening = _letters(obj.data.get("desc"))[:_OPENING]
        if len(opening) == _OPENING:
            yield from ((str(obj.data["name"]), plane) for plane, text in told.items() if opening in text)


def _letters(text: object) -> str:
    return re.sub(r"[\W_]+", "", str(text or "")).lower()


def _environment(problems: Problems, above: Mapping[str, str], obj: RawObject) -> Draft | None:
    """An environment; only v1 says which planes are parts of which."""
    text = clean_text(obj.data["desc"])
    if text is None or _says_only(text, obj.data["name"]):
        problems.add(obj.id, "an environment without a text; only the creatures that live there name it")
        return None
    section = PLANES if obj.data["planar"] else ENVIRONMENTS
    draft = _draft(obj, v2_document(obj.data), text, section)
    if obj.data["planar"]:
        draft.facts["parent"] = Reference(("rule",), above.get(obj.data["name"], PLANES))
        draft.from_text |= {"parent"} if obj.data["name"] in above else set()
    return draft


def _plane(above: Mapping[str, str], obj: RawObject) -> Draft:
    document, also = v1_document(obj.data["document__slug"])
    draft = _draft(obj, document, clean_text(obj.data["desc"]), PLANES)
    draft.also = also
    if parent := above.get(obj.data["name"]):
        draft.facts["parent"] = Reference(("rule",), parent)
    return draft


def _creature_type(obj: RawObject) -> list[Draft]:
    return [
        _draft(obj, description["document"], clean_text(description["desc"]), CREATURE_TYPES)
        for description in obj.data["descriptions"]
    ]


def _draft(obj: RawObject, document: str, text: str | None, section: str) -> Draft:
    facts: dict[str, Any] = {
        "rule_type": "rule",
        "description": text,
        "section": section,
        "headings": [normalize_name(section)],
    }
    return Draft(obj.source, (obj.id,), "rule", document, obj.data["name"], (obj.key,), section, facts=facts)


def _says_only(text: str, name: str) -> bool:
    """Whether a text adds only a word or two to the name ("Caves": "Caves and caverns")."""
    return len(text.split()) <= len(name.split()) + 2
