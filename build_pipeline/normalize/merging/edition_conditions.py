"""Conditions that a text's words mean in its rules: who is slowed is under a condition in Level Up alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.merge import Entity

_LEVEL_UP: Final = "a5e"
_OF_LEVEL_UP: Final = frozenset({"confused", "doomed", "encumbered", "fatigue", "rattled", "slowed", "strife"})
_OF_NO_RULES: Final = frozenset({"diseased"})
"""Diseases are afflictions of their own."""


def keep_conditions_of_rules(entities: Iterable[Entity], documents: Mapping[str, DocumentMeta]) -> None:
    """Take from `inflicts` what is no condition of the rules that an entity's document is made for."""
    for entity in entities:
        if inflicted := entity.facts.get("inflicts"):
            meta = documents.get(entity.document_key)
            foreign = _OF_NO_RULES if meta and meta.game_system == _LEVEL_UP else _OF_NO_RULES | _OF_LEVEL_UP
            entity.facts["inflicts"] = [condition for condition in inflicted if condition not in foreign]
