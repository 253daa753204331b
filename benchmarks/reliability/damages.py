"""Damages to a dataset's files, by name: some that hashes find, and some, signed again, that only the contents show.

Damaging a dataset and signing it again once showed that a row map longer than the index ended the process, that a
pattern hung it, and that vectors and weights that are not numbers gave answers that are not JSON.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import faiss
import numpy as np
import numpy.typing as npt
import polars as pl

from server.dataset.manifest import MANIFEST_FILE, file_sha256

Write = Callable[[Path], object]
"""Rewrites a file, given its path."""
Vectors = npt.NDArray[np.float32]


def table(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Write:
    """Change a table."""
    return lambda file: change(pl.read_parquet(file)).write_parquet(file)


def column(name: str, value: Any) -> Write:
    """Give a column another value in the first row."""

    def change(frame: pl.DataFrame) -> pl.DataFrame:
        values = [value, *frame[name].to_list()[1:]]
        return frame.with_columns(pl.Series(name, values, frame.schema[name]))

    return table(change)


def index(change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]], metric: int = faiss.METRIC_INNER_PRODUCT) -> Write:
    """Give the index other vectors, or another metric."""

    def write(file: Path) -> None:
        old = faiss.read_index(str(file))
        vectors = np.ascontiguousarray(change(old.reconstruct_n(0, old.ntotal).copy()), dtype=np.float32)
        new = faiss.IndexFlat(vectors.shape[1], metric)
        new.add(vectors)
        faiss.write_index(new, str(file))

    return write


def array(change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Write:
    """Change an array."""
    return lambda file: np.save(file, change(np.load(file)), allow_pickle=False)


def first(value: float) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    """Replace the first number."""

    def change(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        values.flat[0] = value
        return values

    return change


def member(value: Any, *path: str) -> Write:
    """Give a member of a JSON file another value."""

    def write(file: Path) -> None:
        facts = json.loads(file.read_bytes())
        inner = facts
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        file.write_text(json.dumps(facts))

    return write


def text(content: str) -> Write:
    """Replace the file's content."""
    return lambda file: file.write_text(content)


def twice(frame: pl.DataFrame) -> pl.DataFrame:
    """Give every vector a second row."""
    return pl.concat([frame, frame.with_columns(passage=pl.lit("2"))])


def cut(file: Path) -> None:
    """Cut the file off in the middle."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


SIGNED: Final[dict[str, tuple[str, Write]]] = {
    "a row map longer than the index": ("vectors.parquet", table(twice)),
    "a row map with an unknown entity": ("vectors.parquet", column("entity_id", "spell/srd-2014/nobody")),
    "a row map with another label": ("vectors.parquet", column("passage", "1.5")),
    "a vector that is not a number": ("index.faiss", index(first(np.nan))),
    "an infinite vector": ("index.faiss", index(first(np.inf))),
    "huge vectors": ("index.faiss", index(lambda v: v * 1e18)),
    "zero vectors": ("index.faiss", index(lambda v: v * 0)),
    "fewer dimensions": ("index.faiss", index(lambda v: v[:, 1:])),
    "fewer vectors": ("index.faiss", index(lambda v: v[1:])),
    "distances": ("index.faiss", index(lambda v: v, faiss.METRIC_L2)),
    "no index": ("index.faiss", text("no index")),
    "half an index": ("index.faiss", cut),
    "no products": ("index.int8.onnx", text("no graph")),
    "half a table": ("spells.parquet", cut),
    "half a table of documents": ("documents.parquet", cut),
    "a price that is not a number": ("equipment.parquet", column("cost_gp", float("nan"))),
    "an infinite rating": ("creatures.parquet", column("challenge_rating", float("inf"))),
    "an id of another shape": ("rules.parquet", column("id", "../../etc")),
    "a text that hides what it says": ("rules.parquet", column("description", "Harmless.\U000e0049\U000e0067")),
    "a text that speaks to terminals": ("spells.parquet", column("name", "Alarm\x1b]0;owned\x07")),
    "a book that reads backwards": ("documents.parquet", column("document_name", "\u202eyraropmet")),
    "a name that is missing": ("rules.parquet", column("name", None)),
    "a weight that is not a number": ("ranking.json", member(float("nan"), "weights", "name")),
    "a huge weight": ("ranking.json", member(1e300, "weights", "name")),
    "a weight in words": ("ranking.json", member("much", "weights", "name")),
    "no weights": ("ranking.json", text("[]")),
    "a broken glossary": ("lexicon/glossary.json", text('{"aoe": ["area"]}')),
    "a glossary cut off": ("lexicon/glossary.json", cut),
    "an invalid pattern": ("lexicon/attributes.parquet", column("asked", "(")),
    "a pattern that looks back": ("lexicon/attributes.parquet", column("asked", r"(a)\1")),
    "a pattern too large": ("lexicon/attributes.parquet", column("asked", "((a{1000}){1000}){1000}")),
    "a fact about an unknown entity": ("lexicon/attributes.parquet", column("entity_ids", ["spell/srd-2014/nobody"])),
    "a fact that speaks to terminals": ("lexicon/attributes.parquet", column("says", "\x1b[2J")),
    "facts without patterns": ("lexicon/attributes.parquet", table(lambda f: f.drop("asked"))),
    "effects of another size": ("lexicon/effects.parquet", column("vector", [1.0])),
    "effects that are no numbers": ("lexicon/effects.parquet", column("vector", [float("nan")] * 48)),
    "half of the effects": ("lexicon/effects.parquet", cut),
    "words of other entities": ("lexicon/indices.csc.index.npy", array(first(2_000_000_000))),
    "columns beyond the end": ("lexicon/indptr.csc.index.npy", array(lambda starts: starts * 2)),
    "scores that are no numbers": ("lexicon/data.csc.index.npy", array(first(np.nan))),
    "scores cut off": ("lexicon/data.csc.index.npy", cut),
    "scores of nothing": ("lexicon/data.csc.index.npy", text("")),
    "scores in an archive": ("lexicon/data.csc.index.npy", text("PK\x03\x04")),
    "words without end": ("lexicon/vocab.index.json", text("[" * 100_000)),
    "a deep configuration": ("encoder/encoder.json", text("[" * 100_000)),
    "words without numbers": ("lexicon/vocab.index.json", text("{}")),
    "another number of entities": ("lexicon/params.index.json", member(7, "num_docs")),
    "no model": ("encoder/model.onnx", text("no model")),
    "a word vector too few": ("encoder/word_vectors.bin", cut),
    "no tokenizer": ("encoder/tokenizer.json", text("{}")),
    "another tokenizer": ("encoder/tokenizer.json", member({"[UNK]": 0}, "model", "vocab")),
    "no configuration": ("encoder/encoder.json", text("[]")),
    "a configuration of another size": ("encoder/encoder.json", member(7, "dimensions")),
    "an endless query": ("encoder/encoder.json", member(-1, "max_tokens")),
    "another prefix": ("encoder/encoder.json", member("drain life and ", "query_prefix")),
}  # fmt: skip
"""Name → the file, and the damage to it; it is signed again."""


def missing(file: Path) -> None:
    """Remove the file."""
    file.unlink()


def flipped(file: Path) -> None:
    """Flip one bit in the middle."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def foreign(file: Path) -> None:
    """Replace the file with random bytes, as of another program, of the same size."""
    file.write_bytes(random.Random(1).randbytes(file.stat().st_size))  # noqa: S311 - nothing secret


UNSIGNED: Final[dict[str, Write]] = {
    "missing": missing,
    "cut": cut,
    "one bit flipped": flipped,
    "foreign": foreign,
    "empty": text(""),
}
"""Damages to any file, which the recorded hashes find."""

MANIFESTS: Final[dict[str, Write]] = {
    "no manifest": missing,
    "an empty manifest": text(""),
    "a list": text("[]"),
    "a deep one": text("[" * 100_000),
    "a version in words": member("1", "schema_version"),
    "no files": member({}, "files"),
    "a file outside": member({"sha256": "0" * 64, "bytes": 1, "rows": None}, "files", "../outside"),
    "a time that speaks to terminals": member("\x1b[2J", "snapshot_at"),
    "a notice of two lines": member("one\ntwo", "notice"),
}
"""Damages to the manifest, which nothing signs."""


def sign(folder: Path, name: str) -> None:
    """Record a dataset's file in the manifest as it is now."""
    path = folder / MANIFEST_FILE
    manifest = json.loads(path.read_bytes())
    entry = manifest["files"].setdefault(name, {"rows": None})
    entry |= {"bytes": (folder / name).stat().st_size, "sha256": file_sha256(folder / name)}
    path.write_text(json.dumps(manifest))
