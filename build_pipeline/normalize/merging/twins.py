"""Entities of one book with the same text: a rule and the thing printed with it, a glossary's entry and a chapter's.

Each links to the others.
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
"""Texts of fewer letters may be alike by chance."""
_TOLD_ALIKE: Final = frozenset({"proficiency", "language"})
"""Types whose descriptions are composed from facts and so begin alike."""
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
    """Whether two entities whose texts begin alike are one thing: they share a name, or one text continues the other.

    Traps begin alike too, but their names share no word; so do lists of spells, but they end differently.
    """
    if one is other:
        return False
    shorter, longer = sorted((_letters(one), _letters(other)), key=len)
    if slugify(one.name) != slugify(other.name) and not longer.startswith(shorter):
        return False
    shared = {*slugify(one.name).split("-")} & {*slugify(other.name).split("-")}
    return bool(shared) or one.facts["description"] == other.facts["description"]
