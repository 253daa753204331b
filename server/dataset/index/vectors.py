"""The vectors of a dataset: the index on disk and its row map."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import faiss
import numpy as np
import polars as pl

from server.dataset.manifest import DatasetError
from server.dataset.tables.columns import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

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

UNIT_TOLERANCE: Final = 1e-2
"""How far from 1 the length of a unit vector may be: half precision loses less."""

_HOW_READ: Final = faiss.IO_FLAG_MMAP_IFC if sys.platform == "linux" else 0
"""Memory-mapped, so that processes share its pages and the system may reclaim them; elsewhere missing, or a lock."""


def read_index(file: Path) -> faiss.IndexFlat:
    """Read the exact index of the vectors.

    Raises:
        DatasetError: it is not an index, or an approximate one.
    """
    try:
        index = faiss.read_index(str(file), _HOW_READ)
    except RuntimeError as error:
        reason = str(error).rpartition(": ")[2]  # before it are locations in FAISS's own source
        msg = f"{file.name} is not a FAISS index ({reason.strip()}): get the dataset again"
        raise DatasetError(msg) from error
    if not isinstance(index, faiss.IndexFlat):
        kind = type(index).__name__
        msg = f"{file.name} is of type {kind}, but the server reads a flat, exact index: get the dataset again"
        raise DatasetError(msg)
    return index


def unit_problems(vectors: npt.NDArray[np.float32]) -> Iterator[str]:
    """Complaints about vectors, float32[n, dimensions], that are not finite or not of length 1."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    wrong = np.flatnonzero(~(np.abs(lengths - 1) <= UNIT_TOLERANCE))  # NaN is not close to anything
    if wrong.size:
        yield f"{wrong.size} vectors are not of length 1, such as number {wrong[0]} of length {lengths[wrong[0]]:.3g}"
