"""Finding sentence encoders and exporting them for builder and server."""

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from build_pipeline.index.export import MAX_DEVIATION, ExportError, export_model, exported
from build_pipeline.index.graph import Graph
from build_pipeline.index.models import ModelError, find_model

SHIPPED = ["encoder.json", "export.json", "model.onnx", "tokenizer.json"]


@pytest.fixture(scope="module")
def export(tiny_model: Path, build_cache: Path) -> Path:
    return exported(find_model(str(tiny_model)), build_cache)


def test_a_local_folder_is_used_as_it_is(tiny_model: Path) -> None:
    model = find_model(str(tiny_model))
    assert (model.folder, model.name, model.revision) == (tiny_model, "tiny", "local")


def test_a_change_of_any_file_of_a_model_changes_its_hash(tiny_model: Path, tmp_path: Path) -> None:
    before = find_model(str(tiny_model))
    shutil.copytree(tiny_model, tmp_path / "tiny")
    assert find_model(str(tmp_path / "tiny")).files_sha256 == before.files_sha256
    (pooling,) = (tmp_path / "tiny").glob("*Pooling/config.json")
    pooling.write_text(pooling.read_text().replace('"cls"', '"mean"'))
    pooled = find_model(str(tmp_path / "tiny"))
    (tmp_path / "tiny" / "2_Dense").mkdir()
    (tmp_path / "tiny" / "2_Dense" / "pytorch_model.bin").write_bytes(b"weights of a part")
    after = find_model(str(tmp_path / "tiny"))
    assert len({before.files_sha256, pooled.files_sha256, after.files_sha256}) == 3
    assert after.weights_sha256 == before.weights_sha256


def test_a_model_in_the_hubs_cache_is_found(tiny_model: Path, tmp_path: Path) -> None:
    """Offline, with the hub's cache as an earlier build leaves it."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = tmp_path / "hub" / "models--someone--tiny"
    (repository / "snapshots").mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    (repository / "snapshots" / commit).symlink_to(tiny_model)
    program = (
        "from build_pipeline.index.models import find_model\n"
        "m = find_model('someone/tiny')\n"
        "print(m.name, m.revision, m.weights_sha256)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path / "hub"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    expected = find_model(str(tiny_model)).weights_sha256
    assert done.stdout.split() == ["someone/tiny", commit, expected]


def test_an_unknown_model_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"'nobody/nothing' is neither a folder.*give --model a folder"):
        find_model("nobody/nothing")


def test_a_folder_without_safetensors_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"weights")
    with pytest.raises(ModelError, match=rf"{tmp_path} does not contain a sentence encoder \(no file \.safetensors"):
        find_model(str(tmp_path))


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    with pytest.raises(ModelError, match=f"{tmp_path} does not contain a sentence encoder"):
        export_model(find_model(str(tmp_path)), tmp_path / "export")


def test_an_export_has_what_its_readers_need(export: Path) -> None:
    assert sorted(path.name for path in export.iterdir()) == SHIPPED
    config = json.loads((export / "encoder.json").read_text())
    assert config == {"max_tokens": 16, "query_prefix": "query : ", "dimensions": 32}
    graph = Graph(export)
    assert (graph.pooling, graph.passage_prefix) == ("cls", "")


def test_an_export_gives_the_models_vectors(export: Path, tiny_model: Path) -> None:
    from sentence_transformers import SentenceTransformer

    texts = ["fire", "heals a dragon", "ice storm " * 20]
    loaded = SentenceTransformer(str(tiny_model), device="cpu")
    graph = Graph(export)
    wanted = loaded.encode_document(texts, normalize_embeddings=True)
    np.testing.assert_allclose([graph.vector(text) for text in texts], wanted, atol=MAX_DEVIATION)


def test_an_export_has_no_paths_of_the_machine_that_made_it(export: Path) -> None:
    graph = (export / "model.onnx").read_bytes()
    assert b".py" not in graph
    assert str(Path(__file__).parents[3]).encode() not in graph


@pytest.mark.thorough
def test_an_export_with_other_vectors_is_refused(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sentence_transformers import SentenceTransformer

    encode = SentenceTransformer.encode_query
    monkeypatch.setattr(SentenceTransformer, "encode_query", lambda *args, **named: -encode(*args, **named))
    with pytest.raises(ExportError, match="the vectors of the exported tiny differ from the model's by up to"):
        export_model(find_model(str(tiny_model)), tmp_path / "export")


def test_exports_are_cached_repaired_and_the_latest_kept(
    tiny_model: Path, export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = []
    monkeypatch.setattr(
        "build_pipeline.index.export.export_model", lambda _, folder: made.append(shutil.copytree(export, folder))
    )
    for age in range(1, 6):
        (tmp_path / "encoders" / f"old-{age}").mkdir(parents=True)
        os.utime(tmp_path / "encoders" / f"old-{age}", (1e9 - age, 1e9 - age))
    model = find_model(str(tiny_model))
    folder = exported(model, tmp_path)
    assert exported(model, tmp_path) == folder
    assert len(made) == 1
    assert not caplog.messages
    (folder / "model.onnx").write_bytes((export / "model.onnx").read_bytes()[:-1])
    assert exported(model, tmp_path) == folder
    assert caplog.messages == [f"{folder} is damaged: the model is exported again"]
    assert (folder / "model.onnx").read_bytes() == (export / "model.onnx").read_bytes()
    kept = {path.name for path in folder.parent.iterdir() if path.is_dir()}
    assert kept == {folder.name, "old-1", "old-2"}


@pytest.mark.parametrize("package", ["sentence-transformers", "transformers", "torch", "onnxscript", "onnx-ir"])
def test_an_export_is_made_anew_with_other_versions_of_its_makers(
    package: str, tiny_model: Path, export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("build_pipeline.index.export.export_model", lambda _, folder: shutil.copytree(export, folder))
    model = find_model(str(tiny_model))
    before = exported(model, tmp_path)
    monkeypatch.setattr(
        "build_pipeline.index.export.version", lambda name: "another" if name == package else version(name)
    )
    assert exported(model, tmp_path) != before


def test_other_versions_of_tokenizers_and_onnxruntime_change_the_fingerprint(
    export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Graph(export).fingerprint
    assert Graph(export).fingerprint == before
    for package in ("tokenizers", "onnxruntime"):
        with monkeypatch.context() as patch:
            patch.setattr(f"{package}.__version__", "another")
            assert Graph(export).fingerprint != before
