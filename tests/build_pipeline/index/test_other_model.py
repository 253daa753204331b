"""A dataset with another sentence encoder, with CLS pooling and a query prompt."""

from pathlib import Path

import numpy as np
import pytest
from starter_rows import STARTER

from build_pipeline.index.embed import open_encoder
from build_pipeline.pipeline import build_dataset
from server.dataset.index.query_model import QueryModel
from server.dataset.load import load_dataset
from server.library.library import Library
from server.library.requests.request import Request


@pytest.mark.thorough
def test_another_model_works_from_build_to_answers(tiny_model: Path, build_cache: Path, tmp_path: Path) -> None:
    stages: list[str] = []
    manifest = build_dataset(
        STARTER,
        tmp_path / "dataset",
        model=str(tiny_model),
        chunks=1,
        cache=build_cache,
        progress=lambda stage, *_: stages.append(stage),
    )
    embedded = ("passages", "words", "effects", "questions", "phrases")
    assert {f"embedding {what}" for what in embedded} <= set(stages), "nothing is embedded in silence"
    assert manifest["encoder"]["pooling"] == "cls"
    assert manifest["encoder"]["dimensions"] == 32
    assert "lexicon/glossary.json" in manifest["files"]
    dataset = load_dataset(tmp_path / "dataset")
    vector = QueryModel(dataset.encoder_path).encode("a shield of fire").vector
    with open_encoder(str(tiny_model), build_cache) as encoder:
        (wanted,) = encoder.encode_queries(["a shield of fire"])
    assert np.allclose(vector, wanted, atol=1e-5)
    library = Library(dataset, encode_timeout=60)
    answer = library.find(Request("all", search="a shield of fire", limit=100))
    library.close()
    scores = [record["similarity_score"] for record in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert answer["total"] == manifest["counts"]["entities"]
