"""Conditions that a text's words mean in its rules: who is slowed is under a condition in Level Up alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.stat_block import LEVEL_UP_CONDITIONS

_LEVEL_UP: Final = "a5e"
_OF_NO_RULES: Final = frozenset({"diseased"})
"""Diseases are afflictions of their own."""


def keep_conditions_of_rules(entities: Iterable[Entity], documents: Mapping[str, DocumentMeta]) -> None:
    """Take from `inflicts` what is no condition of the rules that an entity's document is made for."""
    for entity in entities:
        if inflicted := entity.facts.get("inflicts"):
            meta = documents.get(entity.document_key)
            of_level_up = meta is not None and meta.game_system == _LEVEL_UP
            foreign = _OF_NO_RULES if of_level_up else _OF_NO_RULES.union(LEVEL_UP_CONDITIONS)
            entity.facts["inflicts"] = [condition for condition in inflicted if condition not in foreign]
