"""Raw layer → records of every table: families normalised, merged and linked, every raw object accounted for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import Final

from build_pipeline.aside import shared
from build_pipeline.normalize.character_options import character_options
from build_pipeline.normalize.creatures import creatures
from build_pipeline.normalize.creatures.inherited import add_inherited_effects
from build_pipeline.normalize.equipment import equipment
from build_pipeline.normalize.equipment.variants import with_generics
from build_pipeline.normalize.merging.authority import Authority
from build_pipeline.normalize.merging.conformity import conforming, keep_to_vocabulary
from build_pipeline.normalize.merging.corrections import Correction, correct
from build_pipeline.normalize.merging.documents import DocumentMeta, describe_documents
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.edition_conditions import keep_conditions_of_rules
from build_pipeline.normalize.merging.family import Family
from build_pipeline.normalize.merging.forms import well_formed
from build_pipeline.normalize.merging.links import describe_children, link
from build_pipeline.normalize.merging.measures import add_measures
from build_pipeline.normalize.merging.mentioned import add_links, marks_of
from build_pipeline.normalize.merging.merge import Entity, assign_slugs, derive_again, merge
from build_pipeline.normalize.rules import rules
from build_pipeline.normalize.source import DraftReader, Source
from build_pipeline.normalize.spells import spells
from build_pipeline.normalize.spells.casting_options import add_words
from build_pipeline.normalize.text.invisible import without_invisible
from build_pipeline.normalize.text.quotation_marks import straight
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.tables import Record, holds
from server.dataset.names import normalize_name
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, TABLE_OF

_CREATURES: Final = Family(
    "creatures", creatures.derive, creatures.MERGE_RULES, creatures.prepare, ("actions", "traits", "description")
)
_CHARACTER_OPTIONS: Final = Family(
    "character_options",
    character_options.derive,
    character_options.MERGE_RULES,
    reads=("features", "traits", "benefits", "description"),
)
FAMILIES: Final = (
    Family("spells", spells.derive, spells.MERGE_RULES),
    _CREATURES,
    Family("equipment", equipment.derive, equipment.MERGE_RULES, prepare=with_generics),
    _CHARACTER_OPTIONS,
    Family("rules", rules.derive, rules.MERGE_RULES, prepare=rules.prepare),
)


@dataclass(frozen=True, slots=True)
class Normalized:
    """The normalised raw layer.

    Attributes:
        tables: table name → records, documents included.
        coverage: number of raw objects by outcome: `entities`, `documents`, `no_entities`, `problems`; `objects` is
            their sum.
        problems: raw objects without an entity, and defects, with reasons.
    """

    tables: dict[str, list[Record]]
    coverage: dict[str, int]
    problems: list[dict[str, str]]


def normalize(raw: RawLayer, sources: Sequence[Source], corrections: Sequence[Correction] = ()) -> Normalized:
    """Normalise every raw object into records.

    Args:
        raw: the raw layer.
        sources: the sources, most trusted first.
        corrections: manual corrections.
    """
    problems = Problems()
    raw = without_invisible(raw, problems.add)
    readable = well_formed(raw, problems, {source.name: source.forms for source in sources})
    documents = describe_documents(readable, (source.documents for source in sources))
    authority = Authority(tuple(s.name for s in sources), {s.name: s.wins for s in sources})
    drafts = _drafts_by_table(readable, sources, problems)
    entities = {family.table: merge(family.prepare(drafts[family.table]), family, authority) for family in FAMILIES}
    everything = [entity for found in entities.values() for entity in found]
    assign_slugs(everything)
    correct(everything, list(filter(_is_read, corrections)), problems)
    for family in (_CREATURES, _CHARACTER_OPTIONS):
        derive_again(entities[family.table], family)
    add_inherited_effects(entities["creatures"])
    link(everything, documents, problems.add)
    keep_conditions_of_rules(everything, documents)
    correct(everything, list(filterfalse(_is_read, corrections)), problems)
    add_words(entities["spells"])
    describe_children(everything)
    keep_to_vocabulary(everything, problems)
    add_measures(everything)
    add_links(everything, documents, marks_of(raw))
    for entity in everything:
        if (key := entity.document_key) not in documents:
            documents[key] = DocumentMeta(key, key)
            problems.add(entity.raw[0], f"its document {key!r} is unknown: no source describes it")
    coverage = _coverage(raw, sources, everything, problems)
    tables: dict[str, list[Record]] = {
        table.name: [_record(entity, documents) for entity in entities[table.name]] for table in ENTITY_TABLES
    }
    tables[DOCUMENTS.name] = list(_document_rows(everything, documents, authority))
    return Normalized(tables, coverage, sorted(problems.entries, key=lambda p: (p["raw"], p["reason"])))


def _is_read(correction: Correction) -> bool:
    """Whether facts are derived from the text that an entry corrects."""
    return creatures.reads(correction) or character_options.reads(correction)


def _drafts_by_table(raw: RawLayer, sources: Iterable[Source], problems: Problems) -> dict[str, list[Draft]]:
    def drafts(read: DraftReader) -> tuple[list[Draft], list[dict[str, str]]]:
        found = Problems()
        return list(conforming(read(raw, found), found)), found.entries

    by_table: dict[str, list[Draft]] = defaultdict(list)
    readers = dict.fromkeys(reader for source in sources for reader in source.drafts)
    for found, reported in shared(drafts, list(readers), at_once=1):
        for draft in found:
            by_table[TABLE_OF[draft.entity_type].name].append(draft)
        for problem in reported:
            problems.add(**problem)
    return by_table


def _record(entity: Entity, documents: dict[str, DocumentMeta]) -> Record:
    document = documents[entity.document_key]
    filled = _holding(entity, entity.filled)
    common = {
        "id": entity.id,
        "entity_type": entity.entity_type,
        "name": straight(entity.name),
        "slug": entity.slug,
        "document_key": entity.document_key,
        "document_name": document.name,
        "document_source": entity.drafts[0].source,
        "sources": _sources(entity),
        "game_system": _game_system(entity, documents),
        "license": document.license,
        "name_normalized": normalize_name(entity.name),
        "keys": entity.keys,
        "provenance": {
            "raw": entity.raw,
            "filled": [{"column": c, "source": entity.filled[c]} for c in filled],
            "from_text": _holding(entity, entity.from_text),
            "corrected": _holding(entity, entity.corrected),
        },
    }
    facts: Record = straight(entity.facts)
    return common | facts


def _sources(entity: Entity) -> list[str]:
    """The sources of the entity's raw objects, then those that only filled in a value."""
    filled = _holding(entity, entity.filled)
    return list(dict.fromkeys((*entity.sources, *(entity.filled[column] for column in filled))))


def _game_system(entity: Entity, documents: dict[str, DocumentMeta]) -> str | None:
    """The document's edition, or a subclass's class's edition: one book may hold subclasses for several editions."""
    owner = (entity.facts.get("subclass_of") or {}).get("document_key")
    return documents[owner or entity.document_key].game_system


def _holding(entity: Entity, columns: Iterable[str]) -> list[str]:
    """The columns with a value: unknown and empty columns have no provenance."""
    return sorted(column for column in columns if holds(entity.facts.get(column)))


def _document_rows(
    entities: Iterable[Entity], documents: dict[str, DocumentMeta], authority: Authority
) -> Iterator[Record]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entity in entities:
        for source in _sources(entity):
            counts[entity.document_key, source][entity.entity_type] += 1
    for (key, source), by_type in sorted(counts.items(), key=lambda item: (item[0][0], authority.rank(item[0][1]))):
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
            "copyright": meta.copyright,
        }


def _coverage(
    raw: RawLayer, sources: Iterable[Source], entities: Iterable[Entity], problems: Problems
) -> dict[str, int]:
    """Count every raw object by outcome; unaccounted ones are reported, so nothing is silently lost."""
    endpoints = {(e.source, e.name): e for source in sources for e in source.endpoints}
    why_unread = {source.name: source.why_unread for source in sources}
    read = {raw_id for entity in entities for raw_id in entity.raw}
    reported = {entry["raw"] for entry in problems.entries}
    counts = Counter({"objects": 0, "entities": 0, "documents": 0, "no_entities": 0, "problems": 0})
    for obj in raw:
        endpoint = endpoints.get((obj.source, obj.endpoint))
        counts["objects"] += 1
        if obj.id in read:
            counts["entities"] += 1
        elif endpoint is not None and endpoint.table == DOCUMENTS.name:
            counts["documents"] += 1
        elif endpoint is not None and endpoint.no_entities:
            counts["no_entities"] += 1
        else:
            counts["problems"] += 1
            if obj.id not in reported:
                problems.add(obj.id, why_unread[obj.source](obj))
    return dict(counts)
