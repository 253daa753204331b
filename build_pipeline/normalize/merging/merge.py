"""Drafts of several sources → entities: which drafts match, whose facts win, what is filled in.

The most trusted source that has a fact wins (`authority.py`). Only drafts of different sources are joined: by document,
entity type and normalised name, then by a shared key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, groupby
from typing import Any, Final, NamedTuple

from build_pipeline.aside import shared
from build_pipeline.normalize.merging.authority import Authority
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.family import Family
from server.dataset.names import normalize_name, slugify, telling_slug

_LATEST_SOURCE: Final = "srd"
"""The source added last, after ids had been published from the others."""


@dataclass(slots=True)
class Entity:
    """An entity merged from all its sources.

    Attributes:
        drafts: the drafts joined into it, most trusted first.
        document_key: its document.
        facts: column → value, before references are resolved.
        filled: column → the source, other than the most trusted, that provided all or part of it.
        from_text: columns parsed from text.
        corrected: columns corrected manually, with evidence (`corrections.py`).
        struck: words of texts that a correction has replaced.
        slug: unique within document and entity type; set once all entities are known.
    """

    drafts: list[Draft]
    document_key: str
    facts: dict[str, Any] = field(default_factory=dict)
    filled: dict[str, str] = field(default_factory=dict)
    from_text: set[str] = field(default_factory=set)
    corrected: set[str] = field(default_factory=set)
    struck: set[str] = field(default_factory=set)
    slug: str = ""

    @property
    def entity_type(self) -> str:
        return self.drafts[0].entity_type

    @property
    def name(self) -> str:
        return self.drafts[0].name

    @property
    def id(self) -> str:
        return f"{self.entity_type}/{self.document_key}/{self.slug}"

    @property
    def sources(self) -> list[str]:
        return list(dict.fromkeys(draft.source for draft in self.drafts))

    @property
    def raw(self) -> list[str]:
        """Ids of all raw objects, each draft's main one before the others."""
        return list(dict.fromkeys(raw for draft in self.drafts for raw in (draft.raw[0], *sorted(draft.raw[1:]))))

    @property
    def keys(self) -> list[str]:
        return sorted({key for draft in self.drafts for key in draft.keys if key != self.slug})


def merge(drafts: Iterable[Draft], family: Family, authority: Authority) -> list[Entity]:
    """Join the drafts of one family into entities and resolve their facts."""
    entities = _join(sorted(drafts, key=lambda d: (authority.rank(d.source), d.raw[0])))
    for entity in entities:
        _settle_facts(entity, family, authority)
    _add_derived_facts(entities, family)
    return entities


def derive_again(entities: Iterable[Entity], family: Family) -> None:
    """Derive the facts of corrected entities again."""
    _add_derived_facts([entity for entity in entities if entity.corrected], family)


def _add_derived_facts(entities: Sequence[Entity], family: Family) -> None:
    for entity, derived in zip(entities, shared(partial(_derived, family), entities), strict=True):
        _add(entity, family, derived)


class _Derived(NamedTuple):
    """The facts that an entity's texts state, and those that only its most trusted source's texts state."""

    facts: dict[str, Any]
    own_facts: dict[str, Any]


def _derived(family: Family, entity: Entity) -> _Derived:
    facts = family.derive(entity.entity_type, {"name": entity.name, **entity.facts})
    filled = [column for column in family.reads if column in entity.filled]
    if not filled:
        return _Derived(facts, facts)
    own = entity.facts | {column: entity.drafts[0].facts.get(column) for column in filled}
    return _Derived(facts, family.derive(entity.entity_type, {"name": entity.name, **own}))


def _add(entity: Entity, family: Family, derived: _Derived) -> None:
    """Set the derived facts; a shortened text keeps its source, a fact stated only by another source gets that one."""
    source_of_text = next((entity.filled[column] for column in family.reads if column in entity.filled), "")
    for column, value in derived.facts.items():
        before = entity.facts.get(column)
        if before == value:
            continue
        entity.facts[column] = value
        if column in family.reads and isinstance(before, str) and before.startswith(value.rstrip(".")):
            continue
        entity.from_text.add(column)
        entity.filled.pop(column, None)
        if derived.own_facts.get(column) != value:
            entity.filled[column] = source_of_text


class _Index:
    """Entities by name, key and mark, for matching drafts of other sources."""

    def __init__(self) -> None:
        self._by_name: dict[tuple[str, str, str], list[Entity]] = defaultdict(list)
        self._by_key: dict[tuple[str, str, str], list[Entity]] = defaultdict(list)
        self._by_mark: dict[tuple[str, str, str], list[Entity]] = defaultdict(list)

    def add(self, entity: Entity, draft: Draft) -> None:
        for document in dict.fromkeys((entity.document_key, draft.document_key, *draft.also)):
            self._by_name[document, draft.entity_type, normalize_name(draft.name)].append(entity)
            for key in draft.keys:
                self._by_key[document, draft.entity_type, key].append(entity)
            for mark in draft.marks:
                self._by_mark[document, draft.entity_type, mark].append(entity)

    def certain_match(self, draft: Draft) -> Entity | None:
        """The certain match for a draft: same name plus a shared key or mark, or a shared mark alone."""
        for document in (draft.document_key, *draft.also):
            named, keyed, marked = self._candidates(draft, document)
            both = [entity for entity in named if any(entity is other for other in (*keyed, *marked))]
            if found := both or marked:
                return found[0]
        return None

    def probable_match(self, draft: Draft) -> Entity | None:
        """The probable match for a draft: same name, else a shared key."""
        for document in (draft.document_key, *draft.also):
            named, keyed, _ = self._candidates(draft, document)
            if len(named) > 1:  # "Equipment" of backgrounds and of monsters: neither is the chapter of that name
                named = [entity for entity in named if entity.drafts[0].parent_slug == draft.parent_slug]
            if found := named or keyed:
                return found[0]
        return None

    def _candidates(self, draft: Draft, document: str) -> tuple[list[Entity], list[Entity], list[Entity]]:
        """A document's entities that share the draft's name, one of its keys, one of its marks."""
        kind = draft.entity_type
        return (
            _open_to(draft, self._by_name[document, kind, normalize_name(draft.name)]),
            _open_to(draft, (e for key in draft.keys for e in self._by_key[document, kind, key])),
            _open_to(draft, (e for mark in draft.marks for e in self._by_mark[document, kind, mark])),
        )


def _open_to(draft: Draft, entities: Iterable[Entity]) -> list[Entity]:
    """The entities a draft may join, each once: two drafts of one source never merge."""
    return list({id(entity): entity for entity in entities if draft.source not in entity.sources}.values())


def _join(drafts: Iterable[Draft]) -> list[Entity]:
    """Drafts in source order → entities; within a source, certain matches are joined before probable ones."""
    entities: list[Entity] = []
    index = _Index()
    for _, of_source in groupby(drafts, key=lambda draft: draft.source):
        doubtful = [draft for draft in of_source if not _joined(index.certain_match(draft), draft, index)]
        for draft in doubtful:
            if not _joined(index.probable_match(draft), draft, index):
                entity = Entity([draft], draft.document_key)
                entities.append(entity)
                index.add(entity, draft)
    return entities


def _joined(entity: Entity | None, draft: Draft, index: _Index) -> bool:
    """Join a draft to an entity; False if there is none."""
    if entity is None:
        return False
    # Content shared by every edition (`core`) completes the edition's own entity and joins its document.
    if draft.document_key in entity.drafts[0].also:
        entity.document_key = draft.document_key
    entity.drafts.append(draft)
    index.add(entity, draft)
    return True


def _settle_facts(entity: Entity, family: Family, authority: Authority) -> None:
    """Set each column to the value of the most trusted draft that has one, combined by its merge rule if any."""
    columns = dict.fromkeys(column for draft in entity.drafts for column in draft.facts)
    for column in columns:
        witnesses = authority.witnesses(entity.drafts, entity.document_key, family.table, column)
        rule = family.merge_rules.get(column)
        settled = None
        for draft in witnesses if rule else witnesses[:1]:
            value = draft.facts[column]
            merged = value if settled is None or rule is None else rule(settled, value)
            if merged == settled:
                continue
            settled = merged
            if (source := draft.taken.get(column, draft.source)) != entity.drafts[0].source:
                entity.filled[column] = source
            if column in draft.from_text:
                entity.from_text.add(column)
        if settled is not None:
            entity.facts[column] = settled


def assign_slugs(entities: Iterable[Entity]) -> None:
    """Set every entity's slug: the slugified name; on collision, followed by its parent's slug, else its own key.

    Ids never change meaning: an entity known only to the latest source takes no slug that others already had.
    """
    known: list[Entity] = []
    new: list[Entity] = []
    for entity in entities:
        (new if entity.sources == [_LATEST_SOURCE] else known).append(entity)
    _assign_slugs(known, set())
    _assign_slugs(new, {f"{e.entity_type}/{e.document_key}/{slug}" for e in known for slug in (e.slug, *e.keys)})


def _assign_slugs(entities: list[Entity], taken: set[str]) -> None:
    for qualify in (_plain_slug, _former_slug, _slug_with_parent, _slug_with_key):
        for clashing in list(_clashes(entities, taken)):
            for entity in clashing:
                entity.slug = qualify(entity)
    clashes = list(_clashes(entities, taken))
    given = taken.union(entity.id for entity in entities)
    for clashing in clashes:
        numbers, slug = count(1), clashing[0].slug
        for entity in sorted(clashing, key=lambda e: e.raw):
            while entity.id in given:  # another thing may be called "Fire Bolt 2"
                entity.slug = f"{slug}-{next(numbers)}"
            given.add(entity.id)


def _clashes(entities: Iterable[Entity], taken: set[str]) -> Iterator[list[Entity]]:
    groups: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        groups[entity.id].append(entity)
    return (group for key, group in groups.items() if len(group) > 1 or not group[0].slug or key in taken)


def _plain_slug(entity: Entity) -> str:
    return telling_slug(entity.name) or telling_slug(entity.drafts[0].raw[0])


def _former_slug(entity: Entity) -> str:
    """The slug of its name before the latest source was added, which keeps published ids as they are."""
    return telling_slug(_former(entity)[0].name) or entity.slug


def _slug_with_parent(entity: Entity) -> str:
    parent = next((slugify(draft.parent_slug) for draft in _former(entity) if draft.parent_slug), "")
    return f"{entity.slug}-{parent}" if parent else entity.slug


def _former(entity: Entity) -> list[Draft]:
    """Its drafts without the latest source's, or that one if it is the only one."""
    return [draft for draft in entity.drafts if draft.source != _LATEST_SOURCE] or entity.drafts


def _slug_with_key(entity: Entity) -> str:
    return f"{_plain_slug(entity)}-{telling_slug(entity.drafts[0].raw[0].rpartition('/')[2])}"
