"""Links between entities: references resolved to ids, and the way back (class → subclasses, race → subraces)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.merging.merge import Entity
from server.dataset.names import normalize_name, slugify
from server.dataset.schema import EQUIPMENT_TYPES, RULE_TYPES
from server.dataset.sentences import first_sentence

SRD_DOCUMENTS: Final = ("srd-2014", "srd-2024")
"""Where a reference without a document is looked for after the entity's own document, in this order."""

_RELATED_TYPES: Final = (*RULE_TYPES[1:], RULE_TYPES[0], *EQUIPMENT_TYPES, "background")
"""What a name in a rule's text most likely means: the condition, skill or ability before the rule of that name."""

CHILDREN: Final = {"subclass_of": "subclasses", "subrace_of": "subraces", "option_of": "options"}
"""Column that names the parent, or several → the parent's column that lists its children."""


def link(entities: Iterable[Entity]) -> None:
    """Resolve every `Reference` among the facts to {id, name, document_key}, then list children at their parents."""
    everything = list(entities)
    directory = _Directory(everything)
    children: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in everything:
        for column, value in entity.facts.items():
            if column == "related" and value:
                entity.facts[column] = list(directory.related(value, entity))
            elif column == "spell_list" and value:
                entity.facts[column] = [{**row, "spells": directory.ids(row["spells"], entity)} for row in value]
            elif references := list(_references(value)):
                targets = [directory.find(reference, entity) for reference in references]
                told = [_reference(target, r) for target, r in zip(targets, references, strict=True)]
                entity.facts[column] = told if isinstance(value, list) else told[0]
                for target in filter(None, targets if column in CHILDREN else ()):
                    children[target.id, CHILDREN[column]].append(entity)
    for entity in everything:
        for column in CHILDREN.values():
            if found := children.get((entity.id, column)):
                entity.facts[column] = [_child(c) for c in sorted(found, key=lambda c: (c.name, c.document_key))]


class _Directory:
    """Entities by raw object, by name and by key."""

    def __init__(self, entities: list[Entity]) -> None:
        self._by_raw: dict[tuple[str, str], Entity] = {}
        self._by_name: dict[tuple[str, str, str], Entity] = {}
        for entity in entities:
            for draft in entity.drafts:
                self._by_raw.setdefault((entity.entity_type, draft.raw[0]), entity)
            for label in dict.fromkeys((normalize_name(entity.name), entity.slug, *entity.keys)):
                self._by_name.setdefault((entity.entity_type, entity.document_key, label), entity)

    def find(self, reference: Reference, origin: Entity) -> Entity | None:
        """What a reference means: by raw object, else by name or key in the document named, its own, the SRDs."""
        if reference.raw is not None:
            for entity_type in reference.entity_types:
                if found := self._by_raw.get((entity_type, reference.raw)):
                    return found
        labels = dict.fromkeys((normalize_name(reference.name), slugify(reference.name)))
        documents = dict.fromkeys((reference.document_key, origin.document_key, *SRD_DOCUMENTS))
        return next(
            (
                found
                for document in documents
                if document is not None
                for entity_type in reference.entity_types
                for label in labels
                if (found := self._by_name.get((entity_type, document, label)))
            ),
            None,
        )

    def ids(self, references: Iterable[Reference], origin: Entity) -> list[str]:
        """The ids of what references mean; the name itself where there is no such thing."""
        found = ((self.find(reference, origin), reference) for reference in references)
        return list(dict.fromkeys(target.id if target else reference.name for target, reference in found))

    def related(self, names: Iterable[str], origin: Entity) -> dict[str, None]:
        """The ids of others of these names in the same document; the name itself where there is none."""
        found: dict[str, None] = {}
        for name in names:
            candidates = (self.find(Reference((kind,), name), origin) for kind in _RELATED_TYPES)
            others = (e for e in candidates if e and e is not origin and e.document_key == origin.document_key)
            if other := next(others, None):
                found[other.id] = None
            elif normalize_name(name) != normalize_name(origin.name):
                found[name] = None
        return found


def _references(value: Any) -> Iterator[Reference]:
    """The references that a value is or lists."""
    yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, Reference))


def _reference(target: Entity | None, reference: Reference) -> dict[str, Any]:
    if target is None:
        return {"id": None, "name": reference.name, "document_key": None}
    return {"id": target.id, "name": target.name, "document_key": target.document_key}


def _child(entity: Entity) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "document_key": entity.document_key,
        "description": first_sentence(entity.facts.get("description")),
    }
