"""Loads a dataset from disk into memory; rejects damaged and incompatible ones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from server.dataset.compatibility import check_schema_version, misfits, read_table
from server.dataset.contents import wrong_contents
from server.dataset.dataset import Dataset
from server.dataset.files import INDEX_FILE, REQUIRED_FILES, VECTORS_FILE
from server.dataset.index.vectors import VECTORS, read_index
from server.dataset.manifest import MANIFEST_FILE, DatasetError, Manifest, file_sha256, read_manifest
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, PUBLISHED_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Final

    from server.dataset.manifest import FileEntry

_HASHED_AT_ONCE: Final = 2
"""Files: reading more at once is no faster on two cores."""


def load_dataset(path: Path) -> Dataset:
    """Load a dataset.

    Raises:
        DatasetError: missing, damaged, or of another schema version; the message says what to do.
    """
    manifest = read_manifest(path)
    check_schema_version(manifest["dataset_version"], manifest["schema_version"])
    _refuse(path, "is damaged and not served", damaged_files(path, manifest))
    if problems := foreign_tables(path):
        msg = f"the dataset {path} does not fit this server: {problems[0]}"
        raise DatasetError(msg)
    dataset = read_dataset(path, manifest)
    _refuse(path, "is not served", wrong_contents(dataset))
    return dataset


def read_dataset(path: Path, manifest: Manifest) -> Dataset:
    """Read a dataset whose files are intact and whose tables fit, but whose contents have not been checked.

    Raises:
        DatasetError: a file cannot be read.
    """
    return Dataset(
        path=path,
        manifest=manifest,
        documents=read_table(path / DOCUMENTS.file, DOCUMENTS),
        tables={table.name: read_table(path / table.file, table) for table in ENTITY_TABLES},
        index=read_index(path / INDEX_FILE),
        vectors=read_table(path / VECTORS_FILE, VECTORS),
    )


def damaged_files(path: Path, manifest: Manifest) -> list[str]:
    """Complaints about the files: not recorded, missing, wrong size, wrong hash."""
    files = manifest["files"]
    problems = [f"{name} is not in {MANIFEST_FILE}" for name in REQUIRED_FILES if name not in files]
    with ThreadPoolExecutor(_HASHED_AT_ONCE) as hashing:  # hashing releases the interpreter lock
        found = hashing.map(lambda name: _damage(path / name, files[name]), files)
        problems += [f"{name} {damage}" for name, damage in zip(files, found, strict=True) if damage]
    return problems


def _damage(file: Path, entry: FileEntry) -> str | None:
    if not file.is_file():
        return "is missing"
    if (size := file.stat().st_size) != entry["bytes"]:
        return f"has {size} bytes instead of {entry['bytes']}"
    return None if file_sha256(file) == entry["sha256"] else "does not have the recorded sha256"


def foreign_tables(path: Path) -> list[str]:
    """Reasons this server cannot read the tables: missing columns, wrong types."""
    return [problem for table in (*PUBLISHED_TABLES, VECTORS) for problem in misfits(path / table.file, table)]


def _refuse(path: Path, how: str, problems: Iterable[str]) -> None:
    for problem in problems:
        msg = f"the dataset {path} {how}: {problem}; get it again"
        raise DatasetError(msg)
