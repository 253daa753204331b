"""The manifest of a newly built dataset: versions, hashes, counts, sources, problems."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from build_pipeline.check.checks import Checked
from build_pipeline.index.embed import Encoder
from build_pipeline.normalize.records import Normalized
from build_pipeline.resources import lines
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.times import declared_time
from server.dataset.files import INDEX_FILE, VECTORS_FILE
from server.dataset.index.query_model import sample
from server.dataset.manifest import FileEntry, Manifest, file_sha256, read_manifest
from server.dataset.schema import ENTITY_TABLES, SCHEMA_VERSION
from server.dataset.strict_json import dump_json

RAW_FOLDER: Final = "raw"
"""Shipped separately, so not among the manifest's files."""

_SAMPLES: Final = 3
"""Queries whose vectors are recorded, for the server to compare when it starts."""


def make_manifest(
    raw: RawLayer,
    normalized: Normalized,
    checked: Checked,
    encoder: Encoder,
    *,
    previous: Path | None,
) -> Manifest:
    """The manifest of a build, with `files` still empty."""
    snapshot_at = str(raw.info["snapshot_at"])
    queries = lines("sample_queries.txt")[:_SAMPLES]
    manifest = Manifest(
        schema_version=SCHEMA_VERSION,
        dataset_version=_dataset_version(snapshot_at, previous),
        content_hash=_content_hash(normalized),
        built_at=declared_time() or snapshot_at,
        snapshot_at=snapshot_at,
        builder={"version": version("lorekeeper-offline"), "commit": os.environ.get("GITHUB_SHA", "unknown")},
        sources=_sources(raw),
        encoder={
            "model": encoder.model.name,
            "revision": encoder.model.revision,
            "weights_sha256": encoder.model.weights_sha256,
            "adapter_sha256": encoder.model.adapter_sha256,
            "dimensions": encoder.dimensions,
            "max_tokens": encoder.max_tokens,
            "pooling": encoder.pooling,
            "precision": "fp32",
            "samples": [
                sample(text, vector) for text, vector in zip(queries, encoder.encode_queries(queries), strict=True)
            ],
        },
        counts=_counts(normalized),
        coverage=normalized.coverage,
        checks=checked.rows(),
        problems=[*raw.info.get("problems", []), *normalized.problems],
        files={},
    )
    if "notice" in raw.info:
        manifest["notice"] = raw.info["notice"]
    return manifest


def file_entries(folder: Path, rows: dict[str, int]) -> dict[str, FileEntry]:
    """Hash, size and rows of every file of a dataset folder, except the raw layer."""
    entries: dict[str, FileEntry] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(f"{RAW_FOLDER}/"):
            entries[name] = {"sha256": file_sha256(path), "bytes": path.stat().st_size, "rows": rows.get(name)}
    return entries


def table_rows(normalized: Normalized, vectors: int) -> dict[str, int]:
    """File name → rows, for the files that have rows."""
    tables = {f"{name}.parquet": len(records) for name, records in normalized.tables.items()}
    return tables | {INDEX_FILE: vectors, VECTORS_FILE: vectors}


def _content_hash(normalized: Normalized) -> str:
    """Hash over all records in canonical form, so the same content always has the same hash."""
    digest = hashlib.sha256()
    for name in sorted(normalized.tables):
        for text in sorted(json.dumps(r, sort_keys=True, ensure_ascii=False) for r in normalized.tables[name]):
            digest.update(f"{name}\t{text}\n".encode())
    return digest.hexdigest()


def _dataset_version(snapshot_at: str, previous: Path | None) -> str:
    """`YYYY.MM.DD` of the snapshot, plus `.N` for a rebuild, so that a version never names two datasets."""
    day = snapshot_at[:10].replace("-", ".")
    before = read_manifest(previous)["dataset_version"] if previous is not None else ""
    if not before.startswith(day):
        return day
    number = before.removeprefix(day).lstrip(".")
    return f"{day}.{int(number or 0) + 1}"


def _sources(raw: RawLayer) -> list[dict[str, Any]]:
    """For each source: where and when it was fetched, and the count and hash of every endpoint's objects."""
    fetched = {entry["source"]: entry for entry in raw.info.get("sources", [])}
    described: dict[str, dict[str, Any]] = {}
    for (source, endpoint), objects in sorted(raw.endpoints.items()):
        entry = described.setdefault(source, {"source": source, **fetched.get(source, {}), "endpoints": {}})
        digest = _objects_sha256(obj.sha256 for obj in objects.values())
        entry["endpoints"][endpoint] = {"count": len(objects), "sha256": digest}
    return list(described.values())


def _objects_sha256(hashes: Iterable[str]) -> str:
    return hashlib.sha256(dump_json(sorted(hashes)).encode()).hexdigest()


def _counts(normalized: Normalized) -> dict[str, Any]:
    by_type: Counter[str] = Counter()
    by_document: dict[str, Counter[str]] = defaultdict(Counter)
    for table in ENTITY_TABLES:
        for record in normalized.tables[table.name]:
            by_type[record["entity_type"]] += 1
            by_document[record["document_key"]][record["entity_type"]] += 1
    return {
        "entities": by_type.total(),
        "by_type": dict(sorted(by_type.items())),
        "by_document": {key: dict(sorted(counts.items())) for key, counts in sorted(by_document.items())},
    }
