"""The directory of all entities: what a name, key or raw object refers to, as seen from the document that uses it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.titles import titled
from server.dataset.names import normalize_name, telling_slug
from server.dataset.schema import EQUIPMENT_TYPES, RULE_TYPES

SRD_DOCUMENTS: Final = ("srd-2014", "srd-2024")
"""Documents searched, in this order, after the entity's own when a reference has no document."""

RELATED_TYPES: Final = (*RULE_TYPES[1:], RULE_TYPES[0], *EQUIPMENT_TYPES, "background")
"""Types that a name in a rule's text may refer to, likeliest first: a condition, skill or ability before a rule."""

_PLAYED: Final = frozenset({"Combat"})
_CHAPTERS: Final = {"creature": _PLAYED | {"Monsters"}}
"""Type → the chapters whose rules it follows: a spell's difficult terrain is that of combat, not of travel."""
_FLASK: Final = " (flask)"
_SWARM: Final = "Swarm of "


class Directory:
    """Entities by raw object, by name and by key."""

    def __init__(self, entities: Iterable[Entity], documents: Mapping[str, DocumentMeta]) -> None:
        self._documents = documents
        self._places_of: dict[str, tuple[str, ...]] = {}
        self._candidates_of: dict[tuple[str, tuple[str, ...], str], list[Entity]] = {}
        self._by_id: dict[str, Entity] = {}
        self._by_raw: dict[tuple[str, str], Entity] = {}
        self._by_name: dict[tuple[str, str, str], list[Entity]] = defaultdict(list)
        for entity in entities:
            self._by_id[entity.id] = entity
            for draft in entity.drafts:
                self._by_raw.setdefault((entity.entity_type, draft.raw[0]), entity)
            printed = (label for name in _spoken(entity.name) for label in (normalize_name(name), telling_slug(name)))
            labels = (*printed, entity.slug, *entity.keys, *_loosely(entity.name))
            for label in dict.fromkeys(labels):
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
        """The row with its entity's id and name, searched in the origin's `places`; in capitals if there is none."""
        target = self.nearest(row["name"], entity_types, origin)
        if target is None:
            return {**row, "name": titled(row["name"])}
        level = {"level": target.facts.get("level")} if row.get("level", 0) is None else {}
        return {**row, "id": target.id, "name": target.name, **level}

    def nearest(self, name: str, entity_types: Iterable[str], origin: Entity) -> Entity | None:
        """The entity of that name, in the singular too, in the first of the origin's `places` that has one.

        Args:
            name: as a text prints it.
            entity_types: the types it may have, likeliest first.
            origin: the entity whose text names it.
        """
        candidates = self._candidates(name, tuple(entity_types), self._home(origin))
        return _likeliest(candidates, origin) if len(candidates) > 1 else next(iter(candidates), None)

    def _home(self, origin: Entity) -> str:
        """The document whose rules an entity follows: its own, or its class's if that is for another edition."""
        owner = origin.facts.get("subclass_of")
        key = owner.get("document_key") if isinstance(owner, dict) else None
        metas = [self._documents.get(document) for document in (key, origin.document_key) if document]
        other_rules = len({meta.game_system for meta in metas if meta}) > 1
        return key if key and other_rules else origin.document_key

    def _candidates(self, name: str, entity_types: tuple[str, ...], document: str) -> list[Entity]:
        """The entities of that name in the first of a document's `places` that has one, all of the likeliest type."""
        key = (name, entity_types, document)
        if key not in self._candidates_of:
            exact = (label for each in singular(name) for label in (normalize_name(each), telling_slug(each)))
            labels = dict.fromkeys((*exact, *_loosely(name)))
            places = self.places(document)
            found = (self._by_name.get((kind, d, label)) for label in labels for d in places for kind in entity_types)
            self._candidates_of[key] = next(filter(None, found), [])
        return self._candidates_of[key]

    def generics(self, entity: Entity) -> Iterator[str]:
        """The ids of entities of its type whose main raw object it was also read from: a variant's generic item."""
        owners = (self._by_raw.get((entity.entity_type, raw)) for raw in entity.raw)
        yield from (owner.id for owner in owners if owner is not None and owner is not entity)

    def places(self, document: str) -> tuple[str, ...]:
        """The documents in which to look up names used in a document.

        Itself, the SRD of its rules, then its publisher's other books for the same rules: another edition's spell is a
        different spell. If its rules are unknown, both SRDs.
        """
        if document not in self._places_of:
            meta = self._documents.get(document)
            edition, publisher = (meta.game_system, meta.publisher) if meta else (None, None)
            alike = [key for key, other in self._documents.items() if edition and other.game_system == edition]
            books = sorted(key for key in alike if publisher and self._documents[key].publisher == publisher)
            srds = [key for key in SRD_DOCUMENTS if key in alike or not edition]
            self._places_of[document] = tuple(dict.fromkeys((document, *srds, *books)))
        return self._places_of[document]

    def related(self, named: Iterable[Reference | str], origin: Entity) -> dict[str, None]:
        """The ids of other entities with these names in the same document, or the name if there is none.

        Sources nest their sections by heading levels that are often wrong: a section that one has below the origin is
        related to it only if the merged rules have it there too.
        """
        found: dict[str, None] = {}
        for entry in named:
            reference = entry if isinstance(entry, Reference) else Reference(RELATED_TYPES, entry)
            exact = self._by_source(reference)
            candidates = [exact] if exact else self._named(reference, origin.document_key)
            others = [e for e in candidates if e is not origin and e.document_key == origin.document_key]
            if others:
                likeliest = _likeliest(others, origin, reference.section)
                if not reference.below or self._is_below(likeliest, origin):
                    found[likeliest.id] = None
            elif normalize_name(reference.name) != normalize_name(origin.name):
                found[reference.name] = None
        return found

    def _is_below(self, entity: Entity, outer: Entity) -> bool:
        """Whether an entity is below another, at any depth."""
        return any(above is outer for above in rules_above(entity, self._by_id))

    def _by_source(self, reference: Reference) -> Entity | None:
        """The entity read from the reference's raw object."""
        if reference.raw is None:
            return None
        found = (self._by_raw.get((entity_type, reference.raw)) for entity_type in reference.entity_types)
        return next(filter(None, found), None)

    def _named(self, reference: Reference, document: str) -> list[Entity]:
        """Entities with the reference's name or key in a document, likeliest type first."""
        labels = dict.fromkeys((normalize_name(reference.name), telling_slug(reference.name)))
        types_and_labels = ((kind, label) for kind in reference.entity_types for label in labels)
        return [found for kind, label in types_and_labels for found in self._by_name.get((kind, document, label), ())]


def rules_above(entity: Entity, by_id: Mapping[str, Entity]) -> Iterator[Entity]:
    """The rules above a rule, nearest first; in a cycle, each only once and never the rule itself."""
    passed = {entity.id}
    above = by_id.get(parent_id(entity))
    while above is not None and above.id not in passed:
        yield above
        passed.add(above.id)
        above = by_id.get(parent_id(above))


def parent_id(entity: Entity) -> str:
    """The id of the rule that a rule is part of, or "" if there is none."""
    return (entity.facts.get("parent") or {}).get("id") or ""


def _spoken(name: str) -> Iterator[str]:
    """The name, and the form that texts use.

    "Giant Newt" for "Newt, Giant", "Swarm of Bats" for "Bat, Swarm of Bats", "Oil" for "Oil (flask)".
    """
    yield name
    if name.endswith(_FLASK):
        yield name.removesuffix(_FLASK)
    first, comma, rest = name.partition(", ")
    if comma and rest.startswith(_SWARM):
        yield rest
    elif comma and "," not in rest:
        yield f"{rest} {first}"


def _loosely(name: str) -> tuple[str, str]:
    """Labels that ignore spaces or word order: "stone shape" = "stoneshape", "evil and good" = "good and evil"."""
    words = telling_slug(name).split("-")
    return f"={''.join(words)}", f"={' '.join(sorted(words))}"


def _likeliest(candidates: list[Entity], origin: Entity, heading: str | None = None) -> Entity:
    """The likeliest of several entities of one name.

    In order of preference: the origin's own child; one under the `heading` that the text names; a condition or skill
    rather than a rule; a chapter rather than a section of that name; one in the origin's chapter; the one that shares
    most headings with the origin; the first one in the book.
    """
    section = origin.facts.get("section")
    chapters = {section} if section else _CHAPTERS.get(origin.entity_type, _PLAYED)
    above = {normalize_name(origin.name), *(origin.facts.get("headings") or ())}

    def unlikeliness(entity: Entity) -> tuple[bool, bool, int, bool, bool, int, int]:
        parent = entity.facts.get("parent") or {}
        return (
            parent.get("id") != origin.id,
            normalize_name(heading or "") not in (*(entity.facts.get("headings") or ()), normalize_name(entity.name)),
            _type_rank(entity),
            bool(parent),
            entity.facts.get("section") not in chapters,
            -len(above.intersection(entity.facts.get("headings") or ())),
            entity.facts.get("reading_order") or 0,
        )

    return min(candidates, key=unlikeliness)


def _type_rank(entity: Entity) -> int:
    return RELATED_TYPES.index(entity.entity_type) if entity.entity_type in RELATED_TYPES else len(RELATED_TYPES)


def singular(name: str) -> tuple[str, ...]:
    """The name and its possible singulars, the likeliest last.

    >>> singular("Javelins"), singular("Torches"), singular("Wolves")
    (('Javelins', 'Javelin'), ('Torches', 'Torche', 'Torch'), ('Wolves', 'Wolve', 'Wolf'))
    """
    if name.endswith(("ches", "shes", "xes")):
        return name, name[:-1], name[:-2]
    if name.endswith("ies"):
        return name, name[:-1], f"{name[:-3]}y"
    if name.endswith("ves"):
        return name, name[:-1], f"{name[:-3]}f"
    return (name, name[:-1]) if name.endswith("s") else (name,)
