"""Datasets whose hashes fit but whose contents do not: `verify` names the file, and nobody serves them.

What was found once by damaging a dataset and signing it again: a row map longer than the index ended the process, a
pattern hung it, vectors and weights that are not numbers gave answers that are not JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import polars as pl
import pytest

from server.dataset.load import load_dataset
from server.dataset.manifest import MANIFEST_FILE, DatasetError
from server.dataset.verify import verify
from server.library.library import Library
from server.library.request import Request

Write = Callable[[Path], object]
Altered = Callable[[dict[str, Write]], Path]
EXPLODING = r"(a|a)*(a|a)*(a|a)*b$"


def table(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Write:
    return lambda file: change(pl.read_parquet(file)).write_parquet(file)


def column(name: str, value: Any) -> Write:
    """The first row has another value."""

    def change(frame: pl.DataFrame) -> pl.DataFrame:
        values = [value, *frame[name].to_list()[1:]]
        return frame.with_columns(pl.Series(name, values, frame.schema[name]))

    return table(change)


def index(change: Callable[[np.ndarray], np.ndarray], metric: int = faiss.METRIC_INNER_PRODUCT) -> Write:
    def write(file: Path) -> None:
        old = faiss.read_index(str(file))
        vectors = np.ascontiguousarray(change(old.reconstruct_n(0, old.ntotal).copy()), dtype=np.float32)
        new = faiss.IndexFlat(vectors.shape[1], metric)
        new.add(vectors)
        faiss.write_index(new, str(file))

    return write


def array(change: Callable[[np.ndarray], np.ndarray]) -> Write:
    return lambda file: np.save(file, change(np.load(file)), allow_pickle=False)


def first(value: float) -> Callable[[np.ndarray], np.ndarray]:
    def change(values: np.ndarray) -> np.ndarray:
        values.flat[0] = value
        return values

    return change


def member(value: Any, *path: str) -> Write:
    def write(file: Path) -> None:
        facts = json.loads(file.read_bytes())
        inner = facts
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        file.write_text(json.dumps(facts))

    return write


def text(content: str) -> Write:
    return lambda file: file.write_text(content)


def twice(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([frame, frame.with_columns(passage=pl.lit("2"))])


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


DAMAGES: dict[str, tuple[str, Write]] = {
    "a row map longer than the index": ("vectors.parquet", table(twice)),
    "a row map of nobody": ("vectors.parquet", column("entity_id", "spell/srd-2014/nobody")),
    "a row map with another label": ("vectors.parquet", column("passage", "1.5")),
    "a vector that is no number": ("index.faiss", index(first(np.nan))),
    "an infinite vector": ("index.faiss", index(first(np.inf))),
    "huge vectors": ("index.faiss", index(lambda v: v * 1e18)),
    "vectors of nothing": ("index.faiss", index(lambda v: v * 0)),
    "fewer dimensions": ("index.faiss", index(lambda v: v[:, 1:])),
    "fewer vectors": ("index.faiss", index(lambda v: v[1:])),
    "distances": ("index.faiss", index(lambda v: v, faiss.METRIC_L2)),
    "no index": ("index.faiss", text("no index")),
    "half an index": ("index.faiss", cut),
    "no products": ("index.int8.onnx", text("no graph")),
    "half a table": ("spells.parquet", cut),
    "half a table of documents": ("documents.parquet", cut),
    "a price that is no number": ("equipment.parquet", column("cost_gp", float("nan"))),
    "an infinite rating": ("creatures.parquet", column("challenge_rating", float("inf"))),
    "an id of another shape": ("rules.parquet", column("id", "../../etc")),
    "a name that is missing": ("rules.parquet", column("name", None)),
    "a weight that is no number": ("ranking.json", member(float("nan"), "weights", "name")),
    "a huge weight": ("ranking.json", member(1e300, "weights", "name")),
    "a weight in words": ("ranking.json", member("much", "weights", "name")),
    "no weights": ("ranking.json", text("[]")),
    "a broken glossary": ("lexicon/glossary.json", text('{"aoe": ["area"]}')),
    "a glossary cut off": ("lexicon/glossary.json", cut),
    "a pattern that is none": ("lexicon/attributes.parquet", column("asked", "(")),
    "a pattern that looks back": ("lexicon/attributes.parquet", column("asked", r"(a)\1")),
    "a pattern too large": ("lexicon/attributes.parquet", column("asked", "((a{1000}){1000}){1000}")),
    "a fact of nobody": ("lexicon/attributes.parquet", column("entity_ids", ["spell/srd-2014/nobody"])),
    "a fact that speaks to terminals": ("lexicon/attributes.parquet", column("says", "\x1b[2J")),
    "facts without patterns": ("lexicon/attributes.parquet", table(lambda f: f.drop("asked"))),
    "effects of another size": ("lexicon/effects.parquet", column("vector", [1.0])),
    "effects that are no numbers": ("lexicon/effects.parquet", column("vector", [float("nan")] * 48)),
    "half of the effects": ("lexicon/effects.parquet", cut),
    "words of other entities": ("lexicon/indices.csc.index.npy", array(first(9_999))),
    "columns beyond the end": ("lexicon/indptr.csc.index.npy", array(lambda starts: starts * 2)),
    "scores that are no numbers": ("lexicon/data.csc.index.npy", array(first(np.nan))),
    "scores cut off": ("lexicon/data.csc.index.npy", cut),
    "words without numbers": ("lexicon/vocab.index.json", text("{}")),
    "another number of entities": ("lexicon/params.index.json", member(7, "num_docs")),
    "no model": ("encoder/model.onnx", text("no model")),
    "no tokenizer": ("encoder/tokenizer.json", text("{}")),
    "another tokenizer": ("encoder/tokenizer.json", member({"[UNK]": 0}, "model", "vocab")),
    "no configuration": ("encoder/encoder.json", text("[]")),
    "a configuration of another size": ("encoder/encoder.json", member(7, "dimensions")),
    "an endless query": ("encoder/encoder.json", member(-1, "max_tokens")),
    "another prefix": ("encoder/encoder.json", member("drain life and ", "query_prefix")),
}  # fmt: skip


def start(folder: Path) -> None:
    """Load a dataset as a server does before it serves."""
    library = Library(load_dataset(folder))
    try:
        library.wait_until_ready()
    finally:
        library.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_hashes_do_not_find_is_found_by_verify_and_by_loading(altered: Altered, damage: str) -> None:
    name, write = DAMAGES[damage]
    folder = altered({name: write})
    told = " ".join(verify(folder))
    assert any(each in told for each in (name, name.rpartition("/")[0] or name)), told
    with pytest.raises(DatasetError) as refused:
        start(folder)
    assert str(refused.value).splitlines() == [str(refused.value)]
    assert "again" in str(refused.value) or "pull" in str(refused.value)


@pytest.mark.parametrize("damage", ["a vector that is no number", "no model", "a pattern that is none", "half a table"])
def test_serve_refuses_it_in_one_line_as_it_starts(lorekeeper, altered: Altered, damage: str) -> None:
    name, write = DAMAGES[damage]
    code, out, err = lorekeeper("serve", "--dataset", str(altered({name: write})))
    assert (code, out) == (1, "")
    assert err.startswith("lorekeeper: ")
    assert err.count("\n") == 1
    assert name in err


def test_a_pattern_cannot_explode(altered: Altered) -> None:
    library = Library(load_dataset(altered({"lexicon/attributes.parquet": column("asked", EXPLODING)})))
    try:
        assert library.find(Request("creature", search="a" * 500))["total"]
    finally:
        library.close()


def test_files_that_nobody_recorded_are_missed(altered: Altered) -> None:
    folder = altered({})
    manifest = json.loads((folder / MANIFEST_FILE).read_bytes())
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest | {"files": {}}))
    assert "ranking.json is not in manifest.json" in verify(folder)
    with pytest.raises(DatasetError, match=r"is not in manifest\.json"):
        load_dataset(folder)


def test_a_dataset_of_an_earlier_builder_has_no_samples_and_a_look_behind(altered: Altered) -> None:
    folder = altered({"lexicon/attributes.parquet": column("asked", r"(?<!very )\bundead\b")})
    manifest = json.loads((folder / MANIFEST_FILE).read_bytes())
    del manifest["encoder"]["samples"]
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest))
    assert verify(folder) == []
    library = Library(load_dataset(folder))
    try:
        scores = [
            library.find(Request("creature", search=search))["results"][0]["similarity_score"]
            for search in ("undead drain", "very undead drain")
        ]
    finally:
        library.close()
    assert scores[0] > scores[1]
