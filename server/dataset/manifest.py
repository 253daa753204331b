"""The dataset's manifest: its version, its sources and the hash of every file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, TypedDict

MANIFEST_FILE: Final = "manifest.json"


class DatasetError(Exception):
    """A dataset that cannot be served; the message names the file, what is wrong and what to do."""


class FileEntry(TypedDict):
    """One file of the dataset; `rows` is null except for tables and the index."""

    sha256: str
    bytes: int
    rows: int | None


class EncoderEntry(TypedDict):
    """The query encoder: the model that it was exported from, and how."""

    model: str
    revision: str
    weights_sha256: str
    dimensions: int
    max_tokens: int
    pooling: str
    precision: str


class _Always(TypedDict):
    """What every manifest has."""

    schema_version: int
    dataset_version: str
    content_hash: str
    built_at: str
    snapshot_at: str
    builder: dict[str, str]
    sources: list[dict[str, Any]]
    encoder: EncoderEntry
    counts: dict[str, Any]
    coverage: dict[str, int]
    problems: list[dict[str, str]]
    files: dict[str, FileEntry]


class Manifest(_Always, total=False):  # `NotRequired` would go unnoticed where annotations are strings
    """Content of `manifest.json`; times are ISO 8601 in UTC.

    `notice` is what everybody who reads an answer should know of the whole dataset, in a sentence.
    """

    checks: list[dict[str, Any]]
    notice: str


def read_manifest(folder: Path) -> Manifest:
    """Read a dataset's manifest.

    Raises:
        DatasetError: it is missing, or is not a manifest.
    """
    path = folder / MANIFEST_FILE
    if not path.is_file():
        msg = f"{folder} is not a dataset: it has no {MANIFEST_FILE}; name the folder that has it"
        raise DatasetError(msg)
    try:
        manifest: Manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        msg = f"{path} is not JSON ({error}); the dataset is damaged, pull or build it again"
        raise DatasetError(msg) from error
    if missing := sorted(Manifest.__required_keys__ - manifest.keys()):
        msg = f"{path} lacks {', '.join(missing)}; the dataset is damaged, pull or build it again"
        raise DatasetError(msg)
    return manifest


def file_sha256(path: Path) -> str:
    """Hex sha256 of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
