"""Entities of one book with one text: a rule and the thing printed with it, a glossary's entry and a chapter's.

Each leads to the others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from build_pipeline.normalize.merging.merge import Entity
from server.dataset.names import slugify
from server.dataset.schema import RULE_TYPES

_LETTERS: Final = 80
"""Letters by which a text is recognised."""
_LEAST: Final = 60
"""Letters below which texts may begin alike by chance."""
_TOLD_ALIKE: Final = frozenset({"proficiency", "language"})
"""Types whose descriptions are put together from facts, and begin alike."""
_NOT_LETTERS: Final = re.compile(r"[\W_]+")


def twins(entities: Iterable[Entity]) -> Mapping[str, list[str]]:
    """Id → ids of the other entities of its document with its text, where one of them is a rule."""
    groups: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in entities:
        letters = _letters(entity)[:_LETTERS]
        if len(letters) >= _LEAST and entity.entity_type not in _TOLD_ALIKE:
            groups[entity.document_key, letters].append(entity)
    return dict(_pairs(groups.values()))


def _letters(entity: Entity) -> str:
    return _NOT_LETTERS.sub("", (entity.facts.get("description") or "").casefold())


def _pairs(groups: Iterable[list[Entity]]) -> Iterator[tuple[str, list[str]]]:
    for group in groups:
        if len(group) > 1 and any(entity.entity_type in RULE_TYPES for entity in group):
            yield from ((entity.id, [other.id for other in group if _are_twins(entity, other)]) for entity in group)


def _are_twins(one: Entity, other: Entity) -> bool:
    """Whether two that begin alike are one thing: of one name, or one text goes on from the other.

    Traps begin alike too, but share no word of their names, and so do lists of spells, which end otherwise.
    """
    if one is other:
        return False
    shorter, longer = sorted((_letters(one), _letters(other)), key=len)
    if slugify(one.name) != slugify(other.name) and not longer.startswith(shorter):
        return False
    shared = {*slugify(one.name).split("-")} & {*slugify(other.name).split("-")}
    return bool(shared) or one.facts["description"] == other.facts["description"]
