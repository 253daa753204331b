from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from tiny_encoder import write_tiny_encoder

from build_pipeline.index.word_vectors import write_model
from server.dataset.index.query_model import QueryModel
from server.dataset.manifest import DatasetError

TEXTS = ["fire", "heals a dragon", "of no word known", "", "drain " * 100]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """An encoder in one file."""
    write_tiny_encoder(tmp_path / "whole", TEXTS)
    return tmp_path / "whole"


@pytest.fixture
def shipped(whole: Path, tmp_path: Path) -> Path:
    """The same encoder as in datasets."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    write_model(whole / "model.onnx", folder)
    for name in ("tokenizer.json", "encoder.json"):
        (folder / name).write_bytes((whole / name).read_bytes())
    return folder


def test_word_vectors_in_a_separate_file_change_no_vector(whole: Path, shipped: Path):
    before, after = QueryModel(whole), QueryModel(shipped)
    for text in TEXTS:
        assert np.array_equal(after.encode(text).vector, before.encode(text).vector)
        assert after.encode(text).cut == before.encode(text).cut
    words, graph = (shipped / name for name in ("word_vectors.bin", "model.onnx"))
    assert words.stat().st_size == 4 * onnx.load(whole / "model.onnx").graph.initializer[0].dims[0] * 48
    assert graph.stat().st_size < words.stat().st_size < (whole / "model.onnx").stat().st_size


def test_older_servers_encode_with_the_separate_file(whole: Path, shipped: Path):
    tokens = np.array([[3, 1, 4]])
    inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
    vectors = [
        onnxruntime.InferenceSession(str(folder / "model.onnx")).run(None, inputs)[0] for folder in (whole, shipped)
    ]
    assert np.array_equal(*vectors)


def test_the_same_model_is_written_as_the_same_bytes(whole: Path, shipped: Path, tmp_path: Path):
    write_model(whole / "model.onnx", tmp_path)
    for name in ("model.onnx", "word_vectors.bin"):
        assert (tmp_path / name).read_bytes() == (shipped / name).read_bytes()


def test_a_graph_with_other_uses_of_word_vectors_stays_in_one_file(whole: Path, tmp_path: Path):
    model = onnx.load(whole / "model.onnx")
    model.graph.node.append(onnx.helper.make_node("Identity", ["vectors"], ["again"]))
    onnx.save(model, whole / "model.onnx")
    write_model(whole / "model.onnx", tmp_path)
    assert (tmp_path / "model.onnx").read_bytes() == (whole / "model.onnx").read_bytes()
    assert not (tmp_path / "word_vectors.bin").exists()


@pytest.mark.parametrize("left", [-48 * 4, -1])
def test_word_vectors_that_do_not_fit_are_refused(shipped: Path, left: int):
    file = shipped / "word_vectors.bin"
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(DatasetError, match=r"shipped/(word_vectors.bin|model.onnx) is not"):
        QueryModel(shipped)


def test_word_vectors_beside_a_graph_that_contains_them_are_refused(whole: Path, shipped: Path):
    (shipped / "model.onnx").write_bytes((whole / "model.onnx").read_bytes())
    with pytest.raises(DatasetError, match=r"word_vectors.bin does not hold the word vectors of model.onnx.*get the"):
        QueryModel(shipped)


def test_encoding_fails_without_the_words_vectors(shipped: Path):
    model = QueryModel(shipped)
    assert model.encode(TEXTS[0]).vector.size
    with (shipped / "word_vectors.bin").open("r+b") as file:
        file.truncate(0)
    with pytest.raises(OSError, match="has become shorter"):
        model.encode(TEXTS[0])
