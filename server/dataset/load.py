"""A dataset on disk → everything the library needs, in memory; a damaged or foreign one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import faiss
import polars as pl

from server.dataset.columns import Table
from server.dataset.manifest import DatasetError, Manifest, file_sha256, read_manifest
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, SCHEMA_VERSION

if TYPE_CHECKING:
    from server.store.listing import Release

INDEX_FILE: Final = "index.faiss"
VECTORS_FILE: Final = "vectors.parquet"
ENCODER_FOLDER: Final = "encoder"
LEXICON_FOLDER: Final = "lexicon"
EFFECTS_FILE: Final = "lexicon/effects.parquet"
ATTRIBUTES_FILE: Final = "lexicon/attributes.parquet"
RANKING_FILE: Final = "ranking.json"

SUMMARY: Final = "facts"
"""The passage that sums an entity up; the others are pieces of its text, numbered."""
VECTORS_SCHEMA: Final = {"entity_id": pl.String, "passage": pl.String, "input_hash": pl.String}
"""The vectors' row map: row number = vector id; which entity, which of its passages, hash of text and model."""
EFFECTS_SCHEMA: Final = pl.Schema(
    [("says", pl.String()), ("entity_ids", pl.List(pl.String)), ("vector", pl.List(pl.Float32))]
)
"""What players call what entities do: the words, of which entities they are true, the unit vector of the words."""

ATTRIBUTES_SCHEMA: Final = pl.Schema(
    [("says", pl.String()), ("asked", pl.String()), ("entity_ids", pl.List(pl.String))]
)
"""Facts that queries ask for in passing: in words, as a regular expression over the query, which entities have it."""


@dataclass(frozen=True)
class Dataset:
    """A dataset in memory.

    Attributes:
        path: its folder.
        manifest: its manifest.
        documents: the `documents` table.
        tables: entity tables by name, rows sorted by (name, document_key, slug).
        index: exact inner-product index; vector id = row of `vectors`.
        vectors: the row map, columns of `VECTORS_SCHEMA`.
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
        """Folder of the BM25 index, whose document `n` is the `n`-th entity of the row map, with the glossary."""
        return self.path / LEXICON_FOLDER


def load_dataset(path: Path) -> Dataset:
    """Load a dataset.

    Raises:
        DatasetError: it is missing, damaged, or of another schema version; the message says what to do.
    """
    manifest = read_manifest(path)
    check_schema_version(manifest)
    if problems := damaged_files(path, manifest):
        msg = f"the dataset {path} is damaged and not served: {problems[0]}; get it again"
        raise DatasetError(msg)
    return Dataset(
        path=path,
        manifest=manifest,
        documents=_read_table(path, DOCUMENTS),
        tables={table.name: _read_table(path, table) for table in ENTITY_TABLES},
        index=_read_index(path / INDEX_FILE),
        vectors=pl.read_parquet(path / VECTORS_FILE),
    )


def check_schema_version(manifest: Manifest | Release) -> None:
    """Refuse a dataset of another schema.

    Raises:
        DatasetError: the message says whether the server or the dataset is the older one.
    """
    found = manifest["schema_version"]
    if found == SCHEMA_VERSION:
        return
    advice = (
        "upgrade the server (pip install -U lorekeeper-offline)"
        if found > SCHEMA_VERSION
        else "get a newer dataset (lorekeeper pull)"
    )
    msg = (
        f"the dataset {manifest['dataset_version']} has schema version {found}, "
        f"this server reads {SCHEMA_VERSION}: {advice}"
    )
    raise DatasetError(msg)


def damaged_files(path: Path, manifest: Manifest) -> list[str]:
    """What is wrong with the files that the manifest lists: missing, of another size, of another content."""
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


def _read_table(path: Path, table: Table) -> pl.DataFrame:
    frame = pl.read_parquet(path / table.file)
    if frame.schema != pl.Schema(table.schema):
        wrong = sorted(set(frame.schema.items()) ^ set(pl.Schema(table.schema).items()), key=str)
        msg = f"{table.file} does not have the declared columns; it differs in {wrong[:3]}"
        raise DatasetError(msg)
    return frame


def _read_index(file: Path) -> faiss.IndexFlat:
    index = faiss.read_index(str(file))
    if not isinstance(index, faiss.IndexFlat):
        msg = f"{file.name} is of type {type(index).__name__}, but the server reads a flat, exact index"
        raise DatasetError(msg)
    return index
