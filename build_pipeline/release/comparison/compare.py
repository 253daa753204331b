"""The differences between two datasets: entities, documents and columns added, removed or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from build_pipeline.evaluation.metrics import METRICS, Estimate
from build_pipeline.release.comparison.renames import find_renames
from build_pipeline.tables import Record, read_frame
from server.dataset.manifest import Manifest, read_manifest
from server.dataset.names import normalize_name
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, PUBLISHED_TABLES, REFERENCE, TABLE_OF, TAGS
from server.dataset.tables.columns import Column, Table

IDENTITY: Final = frozenset({"id", "entity_type", "slug", "document_key", "name_normalized", "keys"})
"""Columns that identify an entity or follow from its name; a change to them is a rename."""

OF_THE_DOCUMENT: Final = frozenset({"document_name", "license", "game_system"})
"""Columns repeated by every entity of a document; a change is reported once, for the document."""

OF_THE_BUILD: Final = frozenset({"provenance"})
"""Columns about the origin of facts rather than facts."""

_OF_THE_ENTITIES: Final = frozenset({"document_key", "source_api", "entity_count", "entity_types"})
"""Columns of `documents` that identify or count."""


@dataclass(frozen=True, slots=True)
class EntityLabel:
    """How an entity is identified to readers."""

    id: str
    name: str
    entity_type: str
    document_key: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One fact that changed, with its old and new value."""

    column: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class EntityChange:
    """An entity of both datasets with its changed facts; `was` is its old id if that changed."""

    entity: EntityLabel
    fields: tuple[FieldChange, ...]
    was: EntityLabel | None = None


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document of both datasets whose metadata changed."""

    document_key: str
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column that only one dataset has, or whose type changed; the type is None where the column is missing."""

    table: str
    column: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class TagChange:
    """How many of the entities of both datasets gained a tag, and how many lost it."""

    tag: str
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class RetrievalChange:
    """Search quality over a group of judged queries in both datasets.

    Attributes:
        group: `overall`, or a class or tool of queries.
        queries: number of queries.
        old, new: metric → its mean.
        difference: metric → its mean paired difference.
    """

    group: str
    queries: int
    old: Mapping[str, Estimate]
    new: Mapping[str, Estimate]
    difference: Mapping[str, Estimate]

    @property
    def worse(self) -> bool:
        """Whether the main metric fell significantly: its whole interval is below zero."""
        high = self.difference[METRICS[0]].high
        return high is not None and high < 0


@dataclass(frozen=True, slots=True)
class DatasetDiff:
    """All differences between two datasets; lists are ordered by document, type, name and id.

    Attributes:
        old_version, new_version: their dataset versions.
        old_schema, new_schema: their schema versions.
        columns: differences between the tables' columns.
        documents_added, documents_removed: document keys.
        documents_changed: documents whose metadata changed.
        added, removed: entities that only one dataset has.
        renamed: entities whose id changed, with their changed facts.
        changed: entities whose facts changed.
        unchanged: number of entities that are the same in both.
        tags: the tags that entities of both gained or lost; empty if a dataset predates tags.
        retrieval: changes of search quality, overall first; empty without judged queries.
    """

    old_version: str
    new_version: str
    old_schema: int
    new_schema: int
    columns: tuple[ColumnChange, ...]
    documents_added: tuple[str, ...]
    documents_removed: tuple[str, ...]
    documents_changed: tuple[DocumentChange, ...]
    added: tuple[EntityLabel, ...]
    removed: tuple[EntityLabel, ...]
    renamed: tuple[EntityChange, ...]
    changed: tuple[EntityChange, ...]
    unchanged: int
    tags: tuple[TagChange, ...] = ()
    retrieval: tuple[RetrievalChange, ...] = ()

    @property
    def identical(self) -> bool:
        """Whether both have the same content in the same columns."""
        parts = (self.columns, self.documents_added, self.documents_removed, self.documents_changed)
        entities = (self.added, self.removed, self.renamed, self.changed, self.tags)
        return self.old_schema == self.new_schema and not any(parts) and not any(entities)


def compare(old: Path, new: Path, manifest: Manifest | None = None) -> DatasetDiff:
    """Compare two dataset folders.

    Args:
        old: an earlier dataset.
        new: a later one.
        manifest: the later one's, if it is not written yet.

    Raises:
        DatasetError: one of them is not a dataset.
    """
    old_manifest, new_manifest = read_manifest(old), manifest or read_manifest(new)
    old_records, new_records = _entities(old), _entities(new)
    gone = {i: r for i, r in old_records.items() if i not in new_records}
    come = {i: r for i, r in new_records.items() if i not in old_records}
    renames = find_renames(gone.values(), come.values())
    links = _Links(renames, (gone.keys() | come.keys()) - renames.keys() - set(renames.values()))
    shared = {i: i for i in old_records if i in new_records} | renames
    pairs = [_change(old_records[was], new_records[now], links) for was, now in shared.items()]
    documents = _documents(old), _documents(new)
    return DatasetDiff(
        old_version=old_manifest["dataset_version"],
        new_version=new_manifest["dataset_version"],
        old_schema=old_manifest["schema_version"],
        new_schema=new_manifest["schema_version"],
        columns=tuple(_column_changes(old, new)),
        documents_added=tuple(sorted(documents[1].keys() - documents[0].keys())),
        documents_removed=tuple(sorted(documents[0].keys() - documents[1].keys())),
        documents_changed=tuple(_document_changes(*documents)),
        added=_ordered(_label(r) for i, r in come.items() if i not in renames.values()),
        removed=_ordered(_label(r) for i, r in gone.items() if i not in renames),
        renamed=tuple(sorted((p for p in pairs if p.was), key=lambda p: _order(p.entity))),
        changed=tuple(sorted((p for p in pairs if p.fields and not p.was), key=lambda p: _order(p.entity))),
        unchanged=sum(1 for p in pairs if not p.fields and not p.was),
        tags=tuple(_tag_changes(old, new, shared)),
    )


@dataclass(frozen=True, slots=True)
class _Links:
    """Follows references to entities from the old dataset to the new one."""

    renames: Mapping[str, str]
    unpaired: Iterable[str]
    """Ids in only one of the datasets."""

    def target(self, reference: Mapping[str, Any] | None) -> str | None:
        """A reference's target in both datasets: renaming or losing the target does not change the referrer."""
        if reference is None:
            return None
        found: str | None = reference["id"]
        if found is None or found in self.unpaired:
            return normalize_name(reference["name"])
        return self.renames.get(found, found)


def _change(old: Record, new: Record, links: _Links) -> EntityChange:
    table = TABLE_OF[new["entity_type"]]
    fields = tuple(
        FieldChange(column.name, old[column.name], new[column.name])
        for column in _compared(table)
        if column.name in old and column.name in new and _differ(column, old[column.name], new[column.name], links)
    )
    return EntityChange(_label(new), fields, _label(old) if old["id"] != new["id"] else None)


def _compared(table: Table) -> tuple[Column, ...]:
    """The columns with an entity's own facts, without those that `links` fills in from others."""
    ignored = IDENTITY | OF_THE_DOCUMENT | OF_THE_BUILD
    return tuple(c for c in table.columns if c.name not in ignored and c.source != "links")


def _differ(column: Column, old: Any, new: Any, links: _Links) -> bool:
    if old == new:
        return False
    return column.dtype != REFERENCE or links.target(old) != links.target(new)


def _entities(folder: Path) -> dict[str, Record]:
    tables = [folder / table.file for table in ENTITY_TABLES if (folder / table.file).is_file()]
    return {row["id"]: row for path in tables for row in read_frame(path).iter_rows(named=True)}


def _documents(folder: Path) -> dict[str, Record]:
    """Metadata by document, which the rows of all its sources share."""
    rows = read_frame(folder / DOCUMENTS.file).iter_rows(named=True)
    return {row["document_key"]: {k: v for k, v in row.items() if k not in _OF_THE_ENTITIES} for row in rows}


def _document_changes(old: Mapping[str, Record], new: Mapping[str, Record]) -> Iterable[DocumentChange]:
    for key in sorted(old.keys() & new.keys()):
        fields = tuple(
            FieldChange(column, old[key][column], value)
            for column, value in new[key].items()
            if column in old[key] and old[key][column] != value
        )
        if fields:
            yield DocumentChange(key, fields)


def _column_changes(old: Path, new: Path) -> Iterable[ColumnChange]:
    for table in PUBLISHED_TABLES:
        before, after = _column_types(old / table.file), _column_types(new / table.file)
        for column in sorted(before.keys() | after.keys()):
            if before.get(column) != after.get(column):
                yield ColumnChange(table.name, column, before.get(column), after.get(column))


def _tag_changes(old: Path, new: Path, shared: Mapping[str, str]) -> Iterable[TagChange]:
    """How many entities gained and lost each tag; `shared` maps the old ids of those in both datasets to the new."""
    if not (old / TAGS.file).is_file() or not (new / TAGS.file).is_file():
        return
    there = set(shared.values())
    before = {(tag, shared[i]) for tag, i in _tags(old) if i in shared}
    after = {(tag, i) for tag, i in _tags(new) if i in there}
    gained, lost = Counter(tag for tag, _ in after - before), Counter(tag for tag, _ in before - after)
    for tag in sorted(gained.keys() | lost.keys()):
        yield TagChange(tag, gained[tag], lost[tag])


def _tags(folder: Path) -> Iterable[tuple[str, str]]:
    return read_frame(folder / TAGS.file, ["tag", "entity_id"]).iter_rows()


def _column_types(path: Path) -> dict[str, str]:
    return {name: str(dtype) for name, dtype in read_frame(path).schema.items()} if path.is_file() else {}


def _label(record: Record) -> EntityLabel:
    return EntityLabel(record["id"], record["name"], record["entity_type"], record["document_key"])


def _order(label: EntityLabel) -> tuple[str, str, str, str]:
    return label.document_key, label.entity_type, label.name, label.id


def _ordered(labels: Iterable[EntityLabel]) -> tuple[EntityLabel, ...]:
    return tuple(sorted(labels, key=_order))
