"""Loading sentence encoders and exporting them for the server."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from build_pipeline.index.embed import ModelError, load_encoder
from build_pipeline.index.export import ExportError, export_encoder
from build_pipeline.index.passages import Passage
from build_pipeline.index.vectors import embed_passages, write_index

WORDS = ["fire", "ice", "storm", "dragon", "breath", "sword"]

TEXTS = [" ".join(words) for words in itertools.permutations(WORDS, 3)]
"""120 texts, so that a top ten says something."""


def test_a_local_folder_is_loaded_as_it_is(tiny_model: Path) -> None:
    encoder = load_encoder(str(tiny_model))
    assert (encoder.name, encoder.revision, encoder.pooling) == ("tiny", "local", "cls")
    assert (encoder.dimensions, encoder.max_tokens) == (32, 16)
    vectors = encoder.encode_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), 32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_vectors_do_not_depend_on_the_order_of_texts(tiny_model: Path) -> None:
    encoder = load_encoder(str(tiny_model))
    forwards, backwards = encoder.encode_passages(TEXTS), encoder.encode_passages(TEXTS[::-1])
    np.testing.assert_array_equal(forwards, backwards[::-1])


def test_the_hub_path_finds_a_cached_model(tiny_model: Path, tmp_path: Path) -> None:
    """The hub's own cache layout, without a network: what a build with a hub leaves behind."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = tmp_path / "hub" / "models--someone--tiny"
    (repository / "snapshots").mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    (repository / "snapshots" / commit).symlink_to(tiny_model)
    program = (
        "from build_pipeline.index.embed import load_encoder\n"
        "e = load_encoder('someone/tiny')\n"
        "print(e.name, e.revision, e.weights_sha256)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path / "hub"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    expected = load_encoder(str(tiny_model)).weights_sha256
    assert done.stdout.split() == ["someone/tiny", commit, expected]


def test_an_unknown_model_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"'nobody/nothing' is neither a folder.*give --model a folder"):
        load_encoder("nobody/nothing")


def test_the_exported_encoder_ranks_as_the_model(tiny_model: Path, tmp_path: Path) -> None:
    encoder = load_encoder(str(tiny_model))
    passages = encoder.encode_passages(TEXTS)
    exported = export_encoder(encoder, tmp_path, passages, ["fire", "heals a dragon", "ice"])
    assert exported.overlap["fp32"] == 1.0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["encoder.json", "model.onnx", "tokenizer.json"]
    config = json.loads((tmp_path / "encoder.json").read_text())
    assert config == {"max_tokens": 16, "query_prefix": "query : ", "dimensions": 32}


def test_the_exported_encoder_tells_nothing_of_the_machine_that_made_it(tiny_model: Path, tmp_path: Path) -> None:
    encoder = load_encoder(str(tiny_model))
    export_encoder(encoder, tmp_path, encoder.encode_passages(TEXTS), ["fire"])
    graph = (tmp_path / "model.onnx").read_bytes()
    assert b".py" not in graph
    assert str(Path(__file__).parents[3]).encode() not in graph


def test_an_export_that_ranks_otherwise_is_refused(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(str(tiny_model))
    passages = encoder.encode_passages(TEXTS)
    opposite = -encoder.encode_queries(["fire", "ice sword", "storm"])
    monkeypatch.setattr(type(encoder), "encode_queries", lambda *_: opposite)
    with pytest.raises(ExportError, match="99% is required"):
        export_encoder(encoder, tmp_path, passages, ["fire", "ice sword", "storm"])


def test_vectors_are_the_same_whatever_the_number_of_cores(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_encoder(str(tiny_model))
    texts = [f"{'fire ice storm dragon sword '[: 5 * n]}{n}" for n in range(1, 200)]
    vectors = []
    for cores in (1, 2, 8):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        vectors.append(encoder.encode_passages(texts).tobytes())
    assert len(set(vectors)) == 1
    assert torch.get_num_threads() == 1


def test_unchanged_passages_keep_the_previous_vectors(tiny_model: Path, tmp_path: Path) -> None:
    encoder = load_encoder(str(tiny_model))
    before = [Passage("spell/x/a", "facts", "fire storm"), Passage("spell/x/b", "facts", "ice storm")]
    vectors, hashes = embed_passages(before, encoder)
    marked = vectors * np.float32(0.5)
    write_index(tmp_path, before, marked, hashes)
    after = [Passage("spell/x/b", "facts", "ice storm"), Passage("spell/x/c", "facts", "a sword")]
    again, _ = embed_passages(after, encoder, previous=tmp_path)
    np.testing.assert_array_equal(again[0], marked[1])
    np.testing.assert_allclose(np.linalg.norm(again[1]), 1, rtol=1e-5)
