"""A dataset in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from server.dataset.files import ENCODER_FOLDER, LEXICON_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    import faiss
    import polars as pl

    from server.dataset.manifest import Manifest


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

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all entities."""
        return frozenset(identity for frame in self.tables.values() for identity in frame["id"].to_list())

    @property
    def encoder_path(self) -> Path:
        """Folder with `model.onnx`, `tokenizer.json` and `encoder.json`."""
        return self.path / ENCODER_FOLDER

    @property
    def lexicon_path(self) -> Path:
        """Folder of the BM25 index and the glossary; BM25 document `n` is the `n`-th entity of the row map."""
        return self.path / LEXICON_FOLDER
