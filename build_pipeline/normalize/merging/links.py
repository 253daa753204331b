"""Links between entities: references resolved to ids, and the way back (class → subclasses, race → subraces)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
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

CHILDREN: Final = {"subclass_of": "subclasses", "subrace_of": "subraces"}
"""Column that names the parent → the parent's column that lists its children."""


NAMED: Final[dict[str, tuple[str, ...]]] = {"spells": ("spell",), "gear": EQUIPMENT_TYPES}
"""Column with rows {name, id, …} → the entity types that they name."""


def link(entities: Iterable[Entity], editions: Mapping[str, str | None] | None = None) -> None:
    """Resolve every `Reference` among the facts to {id, name, document_key}, then list children at their parents.

    Rows of spells and gear get the id of what they name, a spell's row its level too.

    Args:
        entities: everything that may be named.
        editions: document → its rules edition; names are first looked for in the documents of one's own.
    """
    everything = list(entities)
    directory = _Directory(everything, editions or {})
    children: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in everything:
        for column, value in entity.facts.items():
            if isinstance(value, Reference):
                target = directory.find(value, entity)
                entity.facts[column] = _reference(target, value)
                if target is not None and column in CHILDREN:
                    children[target.id, CHILDREN[column]].append(entity)
            elif column == "related" and value:
                entity.facts[column] = list(directory.related(value, entity))
            elif column in NAMED and value:
                entity.facts[column] = [directory.named(row, NAMED[column], entity) for row in value]
    for entity in everything:
        for column in CHILDREN.values():
            if found := children.get((entity.id, column)):
                entity.facts[column] = [_child(c) for c in sorted(found, key=lambda c: (c.name, c.document_key))]


class _Directory:
    """Entities by raw object, by name and by key."""

    def __init__(self, entities: list[Entity], editions: Mapping[str, str | None]) -> None:
        self._editions = editions
        self._documents = sorted({entity.document_key for entity in entities}, key=_srd_first)
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

    def named(self, row: dict[str, Any], entity_types: tuple[str, ...], origin: Entity) -> dict[str, Any]:
        """The row with the id and name of what it names, looked for in the origin's document and edition first."""
        edition = self._editions.get(origin.document_key)
        of_edition = [key for key in self._documents if edition and self._editions.get(key) == edition]
        # The spell of another edition is another spell; other games build on the SRD of 2014.
        beyond = () if edition in {self._editions.get(key) for key in SRD_DOCUMENTS} else SRD_DOCUMENTS
        documents = dict.fromkeys((origin.document_key, *of_edition, *beyond))
        labels = dict.fromkeys(
            label for name in _singular(row["name"]) for label in (normalize_name(name), slugify(name))
        )
        found = (self._by_name.get((kind, d, label)) for label in labels for d in documents for kind in entity_types)
        target = next(filter(None, found), None)
        if target is None:
            return row
        level = {"level": target.facts.get("level")} if row.get("level", 0) is None else {}
        return {**row, "id": target.id, "name": target.name, **level}

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


def _srd_first(document: str) -> tuple[bool, str]:
    return document not in SRD_DOCUMENTS, document


def _singular(name: str) -> tuple[str, ...]:
    """The name, and without a plural's s: "Javelins" is a javelin."""
    return (name, name[:-1]) if name.endswith("s") else (name,)


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
