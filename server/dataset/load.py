"""Loads a dataset from disk into memory; rejects damaged and incompatible ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import faiss
import polars as pl

from server.dataset.columns import Column, Table
from server.dataset.compatibility import check_schema_version, misfits, read_table
from server.dataset.manifest import DatasetError, Manifest, file_sha256, read_manifest
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, PUBLISHED_TABLES

INDEX_FILE: Final = "index.faiss"
ENCODER_FOLDER: Final = "encoder"
LEXICON_FOLDER: Final = "lexicon"
EFFECTS_FILE: Final = "lexicon/effects.parquet"
ATTRIBUTES_FILE: Final = "lexicon/attributes.parquet"
RANKING_FILE: Final = "ranking.json"

SUMMARY: Final = "facts"
"""Label of the passage that summarises an entity; the others are numbered chunks of its text."""
VECTORS: Final = Table(
    "vectors",
    "The vectors' row map: row number = vector id.",
    (),
    (
        Column("entity_id", pl.String, "Which entity.", required=True),
        Column("passage", pl.String, "Which of its passages.", required=True),
        Column("input_hash", pl.String, "Hash of text and model.", required=True),
    ),
)
VECTORS_FILE: Final = VECTORS.file
EFFECTS_SCHEMA: Final = pl.Schema(
    [("says", pl.String()), ("entity_ids", pl.List(pl.String)), ("vector", pl.List(pl.Float32))]
)
"""Players' phrases for effects: the phrase, the entities that have the effect, the phrase's unit vector
(float32[dimensions])."""

ATTRIBUTES_SCHEMA: Final = pl.Schema(
    [
        ("says", pl.String()),
        ("asked", pl.String()),
        ("filters", pl.List(pl.Struct({"parameter": pl.String, "value": pl.String}))),
        ("entity_ids", pl.List(pl.String)),
    ]
)
"""Attributes queries mention in passing: in words, as a regular expression over the query, as filters that keep exactly
the entities with it, these entities. Datasets of older builders have no filters."""


@dataclass(frozen=True)
class Dataset:
    """A dataset in memory.

    Attributes:
        path: its folder.
        manifest: its manifest.
        documents: the `documents` table.
        tables: entity tables by name, rows sorted by (name, document_key, slug).
        index: exact inner-product index of float32[vectors, dimensions]; vector id = row of `vectors`.
        vectors: the row map of the index (see `VECTORS`).
    """

    path: Path
    manifest: Manifest
    documents: pl.DataFrame
    tables: dict[str, pl.DataFrame]
    index: faiss.IndexFlat
    vectors: pl.DataFrame

    @property
    def encoder_path(self) -> Path:
        """Folder with `model.onnx`, `tokenizer.json` and `encoder.json`."""
        return self.path / ENCODER_FOLDER

    @property
    def lexicon_path(self) -> Path:
        """Folder of the BM25 index and the glossary; BM25 document `n` is the `n`-th entity of the row map."""
        return self.path / LEXICON_FOLDER


def load_dataset(path: Path) -> Dataset:
    """Load a dataset.

    Raises:
        DatasetError: missing, damaged, or of another schema version; the message says what to do.
    """
    manifest = read_manifest(path)
    check_schema_version(manifest["dataset_version"], manifest["schema_version"])
    if problems := damaged_files(path, manifest):
        msg = f"the dataset {path} is damaged and not served: {problems[0]}; get it again"
        raise DatasetError(msg)
    if problems := foreign_tables(path):
        msg = f"the dataset {path} does not fit this server: {problems[0]}"
        raise DatasetError(msg)
    return Dataset(
        path=path,
        manifest=manifest,
        documents=read_table(path / DOCUMENTS.file, DOCUMENTS),
        tables={table.name: read_table(path / table.file, table) for table in ENTITY_TABLES},
        index=_read_index(path / INDEX_FILE),
        vectors=read_table(path / VECTORS_FILE, VECTORS),
    )


def damaged_files(path: Path, manifest: Manifest) -> list[str]:
    """Complaints about the manifest's files: missing, wrong size, wrong hash."""
    problems = []
    for name, entry in manifest["files"].items():
        file = path / name
        if not file.is_file():
            problems.append(f"{name} is missing")
        elif (size := file.stat().st_size) != entry["bytes"]:
            problems.append(f"{name} has {size} bytes instead of {entry['bytes']}")
        elif file_sha256(file) != entry["sha256"]:
            problems.append(f"{name} does not have the recorded sha256")
    return problems


def foreign_tables(path: Path) -> list[str]:
    """Reasons this server cannot read the tables: missing columns, wrong types."""
    return [problem for table in (*PUBLISHED_TABLES, VECTORS) for problem in misfits(path / table.file, table)]


def _read_index(file: Path) -> faiss.IndexFlat:
    index = faiss.read_index(str(file))
    if not isinstance(index, faiss.IndexFlat):
        msg = f"{file.name} is of type {type(index).__name__}, but the server reads a flat, exact index"
        raise DatasetError(msg)
    return index
