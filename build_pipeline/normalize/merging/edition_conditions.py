"""Drop conditions that do not exist in an entity's rules: "slowed" is a condition only in Level Up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.stat_blocks.lines import LEVEL_UP_CONDITIONS

_LEVEL_UP: Final = "a5e"
_OF_NO_RULES: Final = frozenset({"diseased"})
"""Not a condition in any rules: diseases are afflictions of their own."""


def keep_conditions_of_rules(entities: Iterable[Entity], documents: Mapping[str, DocumentMeta]) -> None:
    """Remove from `inflicts` everything that is not a condition in the rules of the entity's document."""
    for entity in entities:
        if inflicted := entity.facts.get("inflicts"):
            meta = documents.get(entity.document_key)
            of_level_up = meta is not None and meta.game_system == _LEVEL_UP
            foreign = _OF_NO_RULES if of_level_up else _OF_NO_RULES.union(LEVEL_UP_CONDITIONS)
            entity.facts["inflicts"] = [condition for condition in inflicted if condition not in foreign]
