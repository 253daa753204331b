"""Passages → vectors → FAISS index and row map; unchanged passages keep the vectors of the previous dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import faiss
import numpy as np
import polars as pl

from build_pipeline.index.embed import Encoder, Vectors
from build_pipeline.index.passages import Passage
from build_pipeline.tables import write_frame
from server.dataset.load import INDEX_FILE, VECTORS, VECTORS_FILE


def embed_passages(
    passages: Sequence[Passage],
    encoder: Encoder,
    previous: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[Vectors, list[str]]:
    """Vectors and input hashes of passages, in their order; one computation per distinct text.

    Args:
        passages: what to embed.
        encoder: with what.
        previous: an earlier dataset's folder, whose vectors are reused where text and model are the same.
        progress: told how many passages are done, in steps.
    """
    hashes = [input_hash(p.text, encoder) for p in passages]
    vectors = _previous_vectors(previous) if previous is not None else {}
    missing = {h: p.text for h, p in zip(hashes, passages, strict=True) if h not in vectors}
    progress(len(passages) - len(missing))
    computed = encoder.encode_passages(list(missing.values()), progress)
    vectors.update(zip(missing, computed, strict=True))
    return np.asarray([vectors[h] for h in hashes], dtype=np.float32), hashes


def input_hash(text: str, encoder: Encoder) -> str:
    """What identifies a vector: hash of the model's identity and the text."""
    return hashlib.sha256(f"{encoder.identity}\n{text}".encode()).hexdigest()[:32]


def write_index(folder: Path, passages: Sequence[Passage], vectors: Vectors, hashes: Sequence[str]) -> None:
    """Write the exact inner-product index and the row map; row number = vector id."""
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    faiss.write_index(index, str(folder / INDEX_FILE))
    frame = pl.DataFrame(
        {"entity_id": [p.entity_id for p in passages], "passage": [p.label for p in passages], "input_hash": hashes},
        schema=VECTORS.schema,
    )
    write_frame(folder / VECTORS_FILE, frame)


def _previous_vectors(folder: Path) -> dict[str, Vectors]:
    index = faiss.read_index(str(folder / INDEX_FILE))
    stored: Vectors = index.reconstruct_n(0, index.ntotal)
    return dict(zip(pl.read_parquet(folder / VECTORS_FILE)["input_hash"], stored, strict=True))
