"""A dataset several times as large as a real one, which the server loads like any other."""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Final

import faiss
import numpy as np
import polars as pl

from benchmarks.growth.names import recombined
from benchmarks.growth.tables import copied, copied_entities, in_order, repeated_columns, with_copies
from benchmarks.growth.vectors import Perturbation
from build_pipeline.index.quantized import write_quantized
from build_pipeline.release.manifest import file_entries
from build_pipeline.tables import write_frame
from server.dataset.files import (
    ATTRIBUTES_FILE,
    EFFECTS_FILE,
    ENCODER_FOLDER,
    GLOSSARY_FILE,
    INDEX_FILE,
    LEXICON_FOLDER,
    NEAR_WORDS_FILE,
    PHRASE_VECTORS_FILE,
    PHRASES_FILE,
    QUANTIZED_FILE,
    RANKING_FILE,
    VECTORS_FILE,
)
from server.dataset.manifest import MANIFEST_FILE
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.growth.vectors import Vectors

_SEED: Final = 15
_AS_IT_IS: Final = (DOCUMENTS.file, RANKING_FILE, f"{LEXICON_FOLDER}/{GLOSSARY_FILE}")
_OF_THE_SAME_WORDS: Final = (PHRASES_FILE, PHRASE_VECTORS_FILE, NEAR_WORDS_FILE)
"""Files that datasets of older builders lack."""
_BM25_VALUES: Final = ("data", "indices", "indptr")


def grow(dataset: Path, target: Path, scale: int, most_passages: int | None = None) -> float:
    """Write a dataset with `scale` times the entities of another, including the real ones.

    Every copy has all entities once, with the values of their filters, texts, words, documents and numbers of passages
    unchanged, so that these are distributed as in reality. It has ids of its own, which its references lead to,
    recombined names, and perturbed vectors. Texts keep their words, so their vocabulary does not grow; neither do
    people's phrases, which are written by hand.

    Args:
        dataset: the folder of the real one.
        target: the folder to write; an existing one is removed.
        scale: how many times as large.
        most_passages: maximum number of passages that an entity keeps; None for all.

    Returns:
        Seconds of CPU time that writing the indices of its vectors took.
    """
    shutil.rmtree(target, ignore_errors=True)
    (target / LEXICON_FOLDER).mkdir(parents=True)
    for name in (*_AS_IT_IS, *(each for each in _OF_THE_SAME_WORDS if (dataset / each).is_file())):
        shutil.copyfile(dataset / name, target / name)
    shutil.copytree(dataset / ENCODER_FOLDER, target / ENCODER_FOLDER)
    rows = {DOCUMENTS.file: pl.read_parquet(target / DOCUMENTS.file).height}
    for name, frame in grown_tables(dataset, scale):
        write_frame(target / f"{name}.parquet", frame)
        rows[f"{name}.parquet"] = frame.height
    passages = pl.read_parquet(dataset / VECTORS_FILE)
    kept = np.flatnonzero(passages.select(_place_in_entity() < (most_passages or passages.height)).to_series())
    for file, frame in ((TAGS.file, pl.read_parquet(dataset / TAGS.file)), (VECTORS_FILE, passages[kept])):
        grown = pl.concat([copied(frame, number) for number in range(scale)])
        write_frame(target / file, grown)
        rows[file] = grown.height
    for file in (EFFECTS_FILE, ATTRIBUTES_FILE):
        write_frame(target / file, with_copies(pl.read_parquet(dataset / file), "entity_ids", scale))
    _grow_words(dataset / LEXICON_FOLDER, target / LEXICON_FOLDER, scale)
    vectors = np.concatenate(list(grown_vectors(real_vectors(dataset)[kept], scale)))
    start = time.process_time()
    write_vectors(target, vectors)
    spent = time.process_time() - start
    rows[INDEX_FILE] = rows[VECTORS_FILE]
    manifest = json.loads((dataset / MANIFEST_FILE).read_text("utf-8"))
    manifest |= {"notice": f"Synthetic: {scale} times a real dataset.", "files": file_entries(target, rows)}
    (target / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
    return spent


def grown_tables(dataset: Path, scale: int, columns: list[str] | None = None) -> Iterator[tuple[str, pl.DataFrame]]:
    """(Name, grown table) of each table of entities, limited to `columns` if given."""
    frames = {table.name: pl.read_parquet(dataset / table.file, columns=columns) for table in ENTITY_TABLES}
    names = [name for frame in frames.values() for name in frame["name"].to_list()]
    new_names = [recombined(names, np.random.default_rng(_SEED + number)) for number in range(scale)]
    for table, frame in frames.items():
        yield table, in_order([copied_entities(frame, number, new_names[number]) for number in range(scale)])


def real_vectors(dataset: Path) -> Vectors:
    """The vectors of a dataset, float32[n, dimensions]."""
    index = faiss.read_index(str(dataset / INDEX_FILE))
    vectors: Vectors = index.reconstruct_n(0, index.ntotal)
    return vectors


def grown_vectors(vectors: Vectors, scale: int) -> Iterator[Vectors]:
    """The vectors, then those of their copies, in blocks."""
    yield vectors
    perturbation = Perturbation(vectors, np.random.default_rng(_SEED))
    for _ in range(1, scale):
        yield from perturbation.copy()


def write_vectors(target: Path, vectors: Vectors) -> None:
    """Write the two indices of a dataset's vectors (float32[n, dimensions]), as a build does."""
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    faiss.write_index(index, str(target / INDEX_FILE))
    del index
    write_quantized(target / QUANTIZED_FILE, vectors)


def _place_in_entity() -> pl.Expr:
    return pl.int_range(pl.len()).over("entity_id")


def _grow_words(lexicon: Path, target: Path, scale: int) -> None:
    """Write the BM25 index of `scale` times the texts."""
    for file in ("vocab.index.json", "params.index.json"):
        shutil.copyfile(lexicon / file, target / file)
    parameters = json.loads((lexicon / "params.index.json").read_text("utf-8"))
    data, rows, starts = (np.load(lexicon / f"{part}.csc.index.npy") for part in _BM25_VALUES)
    new_starts, new_rows, places = repeated_columns(starts, rows, parameters["num_docs"], scale)
    np.save(target / "data.csc.index.npy", data[places])
    np.save(target / "indices.csc.index.npy", new_rows.astype(rows.dtype))
    np.save(target / "indptr.csc.index.npy", new_starts.astype(starts.dtype))
    parameters["num_docs"] *= scale
    (target / "params.index.json").write_text(json.dumps(parameters), encoding="utf-8")
