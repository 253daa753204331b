"""A few invented creatures for tests of tags."""

from __future__ import annotations

from typing import Any

from build_pipeline.index.vocabulary.vocabulary import Tag
from server.dataset.schema import ENTITY_TABLES


def creature(name: str, text: str, document: str = "hearth", **facts: Any) -> dict[str, Any]:
    identity = f"creature/{document}/{name.lower().replace(' ', '-')}"
    common = {"id": identity, "entity_type": "creature", "name": name, "name_normalized": name.lower()}
    return common | {"description": text, "document_key": document} | facts


CREATURES = [
    creature("Ember Wolf", "Its bark leaves foes **Frightened** of fire.", type="beast", challenge_rating=2.0),
    creature("Ash Golem", "Smoke pours out of it.", type="construct", challenge_rating=5.0, speed={"fly": 30}),
    creature("Kettle", "It cannot be frightened.", type="construct", challenge_rating=0.5),
    creature("Kettle (Copper)", "It hums.", type="construct"),
    creature("Soot Owl", "A silent bird.", "ridge", type="beast", challenge_rating=0.25, speed={"fly": 60}),
]


def tag(**told: Any) -> Tag:
    return Tag.model_validate({"tag": "odd", "phrases": ["odd"], **told})


def empty() -> dict[str, list[dict[str, Any]]]:
    return {table.name: [] for table in ENTITY_TABLES}
