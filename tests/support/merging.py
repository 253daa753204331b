"""Raw objects → entities as the pipeline makes them, for tests of one family; the recordings as a raw layer."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from build_pipeline.normalize.merging.authority import Authority
from build_pipeline.normalize.merging.documents import DocumentMeta, describe_documents
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.family import Family
from build_pipeline.normalize.merging.links import link
from build_pipeline.normalize.merging.merge import Entity, assign_slugs, merge
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.sources import ENDPOINTS, SOURCES
from server.dataset.schema import TABLE_OF

AUTHORITY = Authority(tuple(source.name for source in SOURCES), {source.name: source.wins for source in SOURCES})
ENDPOINT = {(endpoint.source, endpoint.name): endpoint for endpoint in ENDPOINTS}

_FOLDERS = {"open5e_v1": "open5e/v1", "open5e_v2": "open5e/v2", "dnd5e_api": "dnd5e"}
_LEVELS = {"2014/classes-levels": False, "2014/subclasses-levels": True}
"""Endpoints that were recorded in one file, `2014/levels`; True for the levels of subclasses."""
_NOT_RECORDED = "2014/classes-spells"
"""Recorded as answers to other requests."""


def entity(entity_type: str, document: str, name: str, **facts: Any) -> Entity:
    """An entity with these facts, of one draft."""
    draft = Draft("srd", (f"srd/{document}/{entity_type}/{name}",), entity_type, document, name)
    return Entity([draft], document, facts)


def merged(drafts: Iterable[Draft], reader: ModuleType | None = None, **rules: MergeRule) -> list[Entity]:
    """The entities of drafts of one family, merged by the rules of the module that read them."""
    found = list(drafts)
    table = TABLE_OF[found[0].entity_type].name if found else "spells"
    derive = reader.derive if reader else lambda _type, _facts: {}
    prepare = getattr(reader, "prepare", list)
    return merge(prepare(found), Family(table, derive, rules or (reader.MERGE_RULES if reader else {})), AUTHORITY)


def linked(drafts: Iterable[Draft], reader: ModuleType | None = None) -> list[Entity]:
    """The same, with slugs and links."""
    entities = merged(drafts, reader)
    assign_slugs(entities)
    link(entities)
    return entities


def documents_of(raw: RawLayer) -> dict[str, DocumentMeta]:
    """The documents of a raw layer."""
    return describe_documents(raw, (source.documents for source in SOURCES))


def recorded(recordings: Path, table: str, *others: str) -> RawLayer:
    """Everything recorded of the endpoints of a table, and of other endpoints by name."""
    raw = RawLayer()
    for endpoint in ENDPOINTS:
        if endpoint.source in _FOLDERS and (endpoint.table == table or endpoint.name in others):
            name = "2014/levels" if endpoint.name in _LEVELS else endpoint.name
            if endpoint.name != _NOT_RECORDED:
                for line in recorded_lines(recordings, endpoint.source, name):
                    data = json.loads(line)
                    if endpoint.name not in _LEVELS or bool(data.get("subclass")) == _LEVELS[endpoint.name]:
                        raw.add(RawObject(endpoint.source, endpoint.name, data[endpoint.key], "", "", line))
    return raw


def recorded_lines(recordings: Path, source: str, endpoint: str) -> Iterator[str]:
    """The lines of a recording, with an object each."""
    path = recordings / _FOLDERS[source] / f"{endpoint}.jsonl.gz"
    yield from (line for line in gzip.decompress(path.read_bytes()).decode().split("\n") if line)
