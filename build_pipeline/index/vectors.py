"""Passages → vectors → FAISS index and row map; unchanged passages keep the vectors of the previous dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import faiss
import numpy as np
import polars as pl

from build_pipeline.expected import ExpectedError
from build_pipeline.index.embed import Counted, Encoder
from build_pipeline.index.graph import Vectors
from build_pipeline.index.passages import Passage
from build_pipeline.index.quantized import write_quantized
from build_pipeline.tables import write_frame
from server.dataset.compatibility import read_table
from server.dataset.files import INDEX_FILE, QUANTIZED_FILE, VECTORS_FILE
from server.dataset.index.vectors import VECTORS, read_index
from server.dataset.load import damaged_files
from server.dataset.manifest import DatasetError, read_manifest


def embed_passages(
    passages: Sequence[Passage],
    encoder: Encoder,
    previous: Path | None = None,
    progress: Counted = lambda *_: None,
) -> tuple[Vectors, list[str]]:
    """Embed passages; equal texts are computed once.

    Args:
        passages: the n passages to embed.
        encoder: the encoder.
        previous: folder of an earlier dataset; its vectors are reused where text and model are the same.
        progress: called with the number of texts computed, and of those to compute.

    Returns:
        Unit vectors, float32, (n, dimensions), and the n input hashes, both in the order of the passages.

    Raises:
        ExpectedError: there are no passages.
        DatasetError: the earlier dataset is damaged.
    """
    if not passages:
        msg = "the snapshot describes no entity, so there is nothing to build a dataset of"
        raise ExpectedError(msg)
    hashes = [input_hash(p.text, encoder) for p in passages]
    vectors = _previous_vectors(previous) if previous is not None else {}
    missing = {h: p.text for h, p in zip(hashes, passages, strict=True) if h not in vectors}
    computed = encoder.encode_passages(list(missing.values()), progress)
    vectors.update(zip(missing, computed, strict=True))
    return np.asarray([vectors[h] for h in hashes], dtype=np.float32), hashes


def input_hash(text: str, encoder: Encoder) -> str:
    """Identifier of a vector: a hash of its text and of all files of the model, so of its tokenizer and pooling too."""
    return hashlib.sha256(f"{encoder.model.files_sha256}\n{text}".encode()).hexdigest()[:32]


def write_index(folder: Path, passages: Sequence[Passage], vectors: Vectors, hashes: Sequence[str]) -> None:
    """Write the exact inner-product index, the same quantized, and the row map, whose row number is the vector id.

    Args:
        folder: the dataset's folder.
        passages: the n passages.
        vectors: their unit vectors, float32, (n, dimensions).
        hashes: their input hashes.
    """
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    faiss.write_index(index, str(folder / INDEX_FILE))
    write_quantized(folder / QUANTIZED_FILE, vectors)
    frame = pl.DataFrame(
        {"entity_id": [p.entity_id for p in passages], "passage": [p.label for p in passages], "input_hash": hashes},
        schema=VECTORS.schema,
    )
    write_frame(folder / VECTORS_FILE, frame)


def _previous_vectors(folder: Path) -> dict[str, Vectors]:
    """Input hash → vector, float32, (dimensions,), of an earlier dataset."""
    if problems := damaged_files(folder, read_manifest(folder)):
        msg = f"{folder} is damaged: {problems[0]}; give --previous another dataset, or none"
        raise DatasetError(msg)
    index = read_index(folder / INDEX_FILE)
    stored: Vectors = index.reconstruct_n(0, index.ntotal)
    return dict(zip(read_table(folder / VECTORS_FILE, VECTORS)["input_hash"], stored, strict=True))
