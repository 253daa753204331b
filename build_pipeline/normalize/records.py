"""Raw layer → records of every table: all families normalised, merged, linked, accounted for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from build_pipeline.endpoints import ENDPOINT, Family
from build_pipeline.normalize import spells
from build_pipeline.normalize.character_options import character_options
from build_pipeline.normalize.creatures import creatures
from build_pipeline.normalize.equipment import equipment
from build_pipeline.normalize.homebrew import orcbrew
from build_pipeline.normalize.merging.conformity import conforming
from build_pipeline.normalize.merging.documents import DocumentMeta, document_metadata
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.forms import sound
from build_pipeline.normalize.merging.links import link
from build_pipeline.normalize.merging.merge import Entity, assign_slugs, merge
from build_pipeline.normalize.rules import rules
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.tables import Record
from server.dataset.names import normalize_name
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, SOURCES, TABLE_OF

FAMILIES: Final[dict[str, ModuleType]] = {
    "spells": spells,
    "creatures": creatures,
    "equipment": equipment,
    "character_options": character_options,
    "rules": rules,
}
"""Table → the normaliser of its family."""


@dataclass(frozen=True, slots=True)
class Normalized:
    """What the raw layer holds.

    Attributes:
        tables: table name → records, documents included.
        coverage: how many raw objects ended where: `entities`, `documents`, `no_entities`, `problems`; `objects` is
            their sum.
        problems: raw objects without an entity, and defects, with the reason.
    """

    tables: dict[str, list[Record]]
    coverage: dict[str, int]
    problems: list[dict[str, str]]


def normalize(raw: RawLayer) -> Normalized:
    """Read every raw object into records."""
    problems = Problems()
    readable = sound(raw, problems)
    documents = document_metadata(readable) | orcbrew.orcbrew_documents(readable)
    drafts = _drafts_by_table(readable, problems)
    entities = {
        name: merge(drafts[name], getattr(family, "COMBINE", {}), family.finish) for name, family in FAMILIES.items()
    }
    everything = [entity for found in entities.values() for entity in found]
    assign_slugs(everything)
    link(everything)
    for entity in everything:
        if (key := entity.document_key) not in documents:
            documents[key] = DocumentMeta(key, key)
            problems.add(entity.raw[0], f"its document {key!r} is not among the documents; nothing is known about it")
    coverage = _coverage(raw, everything, problems)
    tables: dict[str, list[Record]] = {
        table.name: [_record(entity, documents[entity.document_key]) for entity in entities[table.name]]
        for table in ENTITY_TABLES
    }
    tables[DOCUMENTS.name] = list(_document_rows(everything, documents))
    return Normalized(tables, coverage, sorted(problems.entries, key=lambda p: (p["raw"], p["reason"])))


def _drafts_by_table(raw: RawLayer, problems: Problems) -> dict[str, list[Draft]]:
    by_table: dict[str, list[Draft]] = defaultdict(list)
    readers: list[Callable[[RawLayer, Problems], Iterator[Draft]]] = [f.drafts for f in FAMILIES.values()]
    for read in (*readers, orcbrew.drafts):
        for draft in conforming(read(raw, problems), problems):
            by_table[TABLE_OF[draft.entity_type].name].append(draft)
    return by_table


def _record(entity: Entity, document: DocumentMeta) -> Record:
    common = {
        "id": entity.id,
        "entity_type": entity.entity_type,
        "name": entity.name,
        "slug": entity.slug,
        "document_key": entity.document_key,
        "document_name": document.name,
        "document_source": entity.drafts[0].source,
        "sources": entity.sources,
        "game_system": document.game_system,
        "license": document.license,
        "name_normalized": normalize_name(entity.name),
        "keys": entity.keys,
        "provenance": {
            "raw": entity.raw,
            "filled": [{"column": c, "source": s} for c, s in sorted(entity.filled.items())],
            "from_text": sorted(entity.from_text),
        },
    }
    return common | entity.facts


def _document_rows(entities: Iterable[Entity], documents: dict[str, DocumentMeta]) -> Iterator[Record]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entity in entities:
        for source in entity.sources:
            counts[entity.document_key, source][entity.entity_type] += 1
    for (key, source), by_type in sorted(counts.items(), key=lambda item: (item[0][0], SOURCES.index(item[0][1]))):
        meta = documents[key]
        yield {
            "document_key": key,
            "document_name": meta.name,
            "source_api": source,
            "entity_count": by_type.total(),
            "entity_types": [{"entity_type": t, "count": n} for t, n in sorted(by_type.items())],
            "publisher": meta.publisher,
            "license": meta.license,
            "game_system": meta.game_system,
            "aliases": list(meta.aliases),
            "permalink": meta.permalink,
            "author": meta.author,
            "description": meta.description,
            "publication_date": meta.publication_date,
            "attribution": meta.attribution,
        }


def _coverage(raw: RawLayer, entities: Iterable[Entity], problems: Problems) -> dict[str, int]:
    """Count where every raw object went; one that went nowhere becomes a problem, so nothing is lost in silence."""
    read = {raw_id for entity in entities for raw_id in entity.raw}
    reported = {entry["raw"] for entry in problems.entries}
    counts = Counter({"objects": 0, "entities": 0, "documents": 0, "no_entities": 0, "problems": 0})
    for obj in raw:
        endpoint = ENDPOINT.get((obj.source, obj.endpoint))
        counts["objects"] += 1
        if obj.id in read:
            counts["entities"] += 1
        elif endpoint is not None and endpoint.family is Family.DOCUMENTS:
            counts["documents"] += 1
        elif endpoint is not None and endpoint.no_entities:
            counts["no_entities"] += 1
        else:
            counts["problems"] += 1
            if obj.id not in reported:
                problems.add(obj.id, "no normaliser read it")
    return dict(counts)
