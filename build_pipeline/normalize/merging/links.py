"""Links between entities: references resolved to ids, and back-links (class → subclasses, race → subraces)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.merging.merge import Entity
from server.dataset.names import normalize_name, slugify
from server.dataset.schema import EQUIPMENT_TYPES, RULE_TYPES
from server.dataset.sentences import first_sentence

SRD_DOCUMENTS: Final = ("srd-2014", "srd-2024")
"""Documents searched, in this order, after the entity's own when a reference has no document."""

_RELATED_TYPES: Final = (*RULE_TYPES[1:], RULE_TYPES[0], *EQUIPMENT_TYPES, "background")
"""Types a name in a rule's text may refer to, likeliest first: a condition, skill or ability before a rule."""

CHILDREN: Final = {"subclass_of": "subclasses", "subrace_of": "subraces", "option_of": "options"}
"""Column naming the parent (or parents) → the parent's column that lists its children."""


NAMED: Final[dict[str, tuple[str, ...]]] = {"spells": ("spell",), "gear": EQUIPMENT_TYPES}
"""Column of rows {name, id, …} → the entity types they refer to."""


_Children = dict[tuple[str, str], list[Entity]]
"""(Parent's id, its column) → its children."""


def link(entities: Iterable[Entity], editions: Mapping[str, str | None] | None = None) -> None:
    """Resolve every `Reference` in the facts to {id, name, document_key}, then add children to their parents.

    Rows of spells and gear get the id of the entity they name, spell rows its level too.

    Args:
        entities: all entities; changed in place.
        editions: document → its rules edition; names are searched first in documents of the same edition.
    """
    everything = list(entities)
    directory = _Directory(everything, editions or {})
    children: _Children = defaultdict(list)
    for entity in everything:
        for column, value in entity.facts.items():
            if value and column != "related":
                entity.facts[column] = _linked(entity, column, value, directory, children)
    for entity in everything:
        # Last, because parents decide between several entities of one name.
        if named := entity.facts.get("related"):
            entity.facts["related"] = list(directory.related(named, entity))
        for column in CHILDREN.values():
            if found := children.get((entity.id, column)):
                entity.facts[column] = [_child(c) for c in sorted(found, key=lambda c: (c.name, c.document_key))]


def _linked(entity: Entity, column: str, value: Any, directory: _Directory, children: _Children) -> Any:
    """A column's value with names resolved to ids; adds the entity to `children` of any parent it names."""
    if column == "spell_list":
        return [{**row, "spells": directory.ids(row["spells"], entity)} for row in value]
    if column in NAMED:
        return [directory.named(row, NAMED[column], entity) for row in value]
    references = list(_references(value))
    if not references:
        return value
    targets = [directory.find(reference, entity) for reference in references]
    for target in filter(None, targets if column in CHILDREN else ()):
        children[target.id, CHILDREN[column]].append(entity)
    resolved = [_reference(target, reference) for target, reference in zip(targets, references, strict=True)]
    return resolved if isinstance(value, list) else resolved[0]


class _Directory:
    """Entities by raw object, by name and by key."""

    def __init__(self, entities: list[Entity], editions: Mapping[str, str | None]) -> None:
        self._editions = editions
        self._documents = sorted({entity.document_key for entity in entities}, key=_srd_first)
        self._by_raw: dict[tuple[str, str], Entity] = {}
        self._by_name: dict[tuple[str, str, str], list[Entity]] = defaultdict(list)
        for entity in entities:
            for draft in entity.drafts:
                self._by_raw.setdefault((entity.entity_type, draft.raw[0]), entity)
            for label in dict.fromkeys((normalize_name(entity.name), entity.slug, *entity.keys)):
                self._by_name[entity.entity_type, entity.document_key, label].append(entity)

    def find(self, reference: Reference, origin: Entity) -> Entity | None:
        """Resolve a reference: by raw object, else by name or key in its document, the origin's, then the SRDs."""
        documents = dict.fromkeys((reference.document_key, origin.document_key, *SRD_DOCUMENTS))
        return self._by_source(reference) or next(
            (found for document in documents if document is not None for found in self._named(reference, document)),
            None,
        )

    def ids(self, references: Iterable[Reference], origin: Entity) -> list[str]:
        """The ids of the referenced entities, or the name if there is no such entity."""
        found = ((self.find(reference, origin), reference) for reference in references)
        return list(dict.fromkeys(target.id if target else reference.name for target, reference in found))

    def named(self, row: dict[str, Any], entity_types: tuple[str, ...], origin: Entity) -> dict[str, Any]:
        """The row with its entity's id and name, searched in the origin's document, then its edition."""
        edition = self._editions.get(origin.document_key)
        of_edition = [key for key in self._documents if edition and self._editions.get(key) == edition]
        # Another edition's spell is a different spell; other games build on the 2014 SRD.
        beyond = () if edition in {self._editions.get(key) for key in SRD_DOCUMENTS} else SRD_DOCUMENTS
        documents = dict.fromkeys((origin.document_key, *of_edition, *beyond))
        labels = dict.fromkeys(
            label for name in _singular(row["name"]) for label in (normalize_name(name), slugify(name))
        )
        found = (self._by_name.get((kind, d, label)) for label in labels for d in documents for kind in entity_types)
        target = next((entities[0] for entities in found if entities), None)
        if target is None:
            return row
        level = {"level": target.facts.get("level")} if row.get("level", 0) is None else {}
        return {**row, "id": target.id, "name": target.name, **level}

    def related(self, named: Iterable[Reference | str], origin: Entity) -> dict[str, None]:
        """The ids of other entities with these names in the same document, or the name if there is none."""
        found: dict[str, None] = {}
        for entry in named:
            reference = entry if isinstance(entry, Reference) else Reference(_RELATED_TYPES, entry)
            exact = self._by_source(reference)
            candidates = [exact] if exact else self._named(reference, origin.document_key)
            others = [e for e in candidates if e is not origin and e.document_key == origin.document_key]
            if others:
                found[_nearest(others, origin).id] = None
            elif normalize_name(reference.name) != normalize_name(origin.name):
                found[reference.name] = None
        return found

    def _by_source(self, reference: Reference) -> Entity | None:
        """The entity read from the reference's raw object."""
        if reference.raw is None:
            return None
        found = (self._by_raw.get((entity_type, reference.raw)) for entity_type in reference.entity_types)
        return next(filter(None, found), None)

    def _named(self, reference: Reference, document: str) -> list[Entity]:
        """Entities with the reference's name or key in a document, likeliest type first."""
        labels = dict.fromkeys((normalize_name(reference.name), slugify(reference.name)))
        types_and_labels = ((kind, label) for kind in reference.entity_types for label in labels)
        return [found for kind, label in types_and_labels for found in self._by_name.get((kind, document, label), ())]


def _nearest(candidates: list[Entity], origin: Entity) -> Entity:
    """The likeliest of several entities of one name: the origin's own child, else one in the same chapter.

    Entities other than rules have no chapter; a condition or skill is likelier than a rule from another chapter.
    """

    def distance(entity: Entity) -> int:
        if (entity.facts.get("parent") or {}).get("id") == origin.id:
            return 0
        section = entity.facts.get("section")
        return 1 if section and section == origin.facts.get("section") else 2

    return min(candidates, key=lambda entity: (distance(entity) > 0, _type_rank(entity), distance(entity)))


def _type_rank(entity: Entity) -> int:
    return _RELATED_TYPES.index(entity.entity_type) if entity.entity_type in _RELATED_TYPES else len(_RELATED_TYPES)


def _references(value: Any) -> Iterator[Reference]:
    """The value itself if it is a reference, or the references in it if it is a list."""
    yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, Reference))


def _srd_first(document: str) -> tuple[bool, str]:
    return document not in SRD_DOCUMENTS, document


def _singular(name: str) -> tuple[str, ...]:
    """The name, and also without a plural s: "Javelins" is a javelin."""
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
