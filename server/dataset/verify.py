"""Verifies a dataset: every hash, row count, vector count, id and column."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from server.dataset.columns import Table
from server.dataset.compatibility import check_schema_version, read_table
from server.dataset.load import Dataset, damaged_files, foreign_tables, load_dataset
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, TAGS


def verify(path: Path) -> list[str]:
    """Complaints about the dataset in `path`, one line each; empty if it is valid."""
    try:
        manifest = read_manifest(path)
        check_schema_version(manifest["dataset_version"], manifest["schema_version"])
        if problems := damaged_files(path, manifest) or foreign_tables(path):
            return problems
        dataset = load_dataset(path)
    except DatasetError as error:
        return [str(error)]
    return [
        *_wrong_row_counts(dataset),
        *(problem for table in ENTITY_TABLES for problem in _wrong_entities(dataset, table)),
        *_wrong_tags(dataset),
        *_wrong_vectors(dataset),
        *_unlisted_files(dataset),
    ]


def _wrong_row_counts(dataset: Dataset) -> list[str]:
    counted = {DOCUMENTS.file: dataset.documents.height} | {
        table.file: dataset.tables[table.name].height for table in ENTITY_TABLES
    }
    files = dataset.manifest["files"]
    return [
        f"{name} has {rows} rows, the manifest says {files[name]['rows']}"
        for name, rows in counted.items()
        if files[name]["rows"] != rows
    ]


def _wrong_entities(dataset: Dataset, table: Table) -> list[str]:
    frame = dataset.tables[table.name]
    problems = []
    if duplicates := frame.filter(pl.col("id").is_duplicated())["id"].unique().sort().to_list():
        problems.append(f"{table.file}: duplicate ids: {len(duplicates)}, such as {duplicates[0]}")
    problems.extend(
        f"{table.file}: {column.name} is null in {nulls} of {frame.height} rows"
        for column in table.columns
        if column.required and (nulls := frame[column.name].null_count())
    )
    foreign = set(frame["entity_type"].unique()) - set(table.entity_types)
    if foreign:
        problems.append(f"{table.file}: contains entities of type {', '.join(sorted(foreign))}")
    if unknown := set(frame["document_key"].unique()) - set(dataset.documents["document_key"].unique()):
        problems.append(f"{table.file}: documents missing from documents.parquet: {', '.join(sorted(unknown))}")
    ordered = frame.sort("name", "document_key", "slug", maintain_order=True)
    if not ordered["id"].equals(frame["id"]):
        problems.append(f"{table.file}: rows are not sorted by name, document_key, slug")
    return problems


def _wrong_tags(dataset: Dataset) -> list[str]:
    """Complaints about the tags table; older datasets lack it."""
    if TAGS.file not in dataset.manifest["files"]:
        return []
    tags = read_table(dataset.path / TAGS.file, TAGS)
    problems = []
    if tags.height != (rows := dataset.manifest["files"][TAGS.file]["rows"]):
        problems.append(f"{TAGS.file} has {tags.height} rows, the manifest says {rows}")
    if strays := sorted(set(tags["entity_id"]) - _ids(dataset)):
        problems.append(f"{TAGS.file}: tags of entities that do not exist: {len(strays)}, such as {strays[0]}")
    if twice := tags.filter(tags.select("entity_id", "tag").is_duplicated())["entity_id"].to_list():
        problems.append(f"{TAGS.file}: rows that repeat a tag of an entity: {len(twice)}, such as one of {twice[0]}")
    problems.extend(
        f"{TAGS.file}: {column.name} is null in {nulls} of {tags.height} rows"
        for column in TAGS.columns
        if (nulls := tags[column.name].null_count())
    )
    return problems


def _wrong_vectors(dataset: Dataset) -> list[str]:
    problems = []
    if dataset.index.ntotal != dataset.vectors.height:
        problems.append(
            f"index.faiss has {dataset.index.ntotal} vectors, vectors.parquet {dataset.vectors.height} rows"
        )
    if dataset.index.d != dataset.manifest["encoder"]["dimensions"]:
        problems.append(f"index.faiss has {dataset.index.d} dimensions, the encoder another number")
    ids = _ids(dataset)
    with_vectors = set(dataset.vectors["entity_id"].unique())
    if strays := sorted(with_vectors - ids):
        problems.append(
            f"vectors.parquet: vectors of entities that do not exist: {len(strays)}, such as one of {strays[0]}"
        )
    if missing := sorted(ids - with_vectors):
        problems.append(f"vectors.parquet: entities without a vector: {len(missing)}, such as {missing[0]}")
    return problems


def _ids(dataset: Dataset) -> set[str]:
    return {identity for table in ENTITY_TABLES for identity in dataset.tables[table.name]["id"]}


def _unlisted_files(dataset: Dataset) -> list[str]:
    listed = set(dataset.manifest["files"]) | {"manifest.json"}
    found = {str(p.relative_to(dataset.path)) for p in dataset.path.rglob("*") if p.is_file()}
    return [f"{name} is not in the manifest" for name in sorted(found - listed) if not name.startswith("raw/")]
