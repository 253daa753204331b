"""Vectors of passages, which depend on nothing else: other texts, number of cores, or caches."""

import copy
import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from build_pipeline.expected import ExpectedError
from build_pipeline.index.cache import CACHE_FILE, CacheError, VectorCache
from build_pipeline.index.embed import Encoder, open_encoder
from build_pipeline.index.export import exported
from build_pipeline.index.models import find_model
from build_pipeline.index.passages import Passage
from build_pipeline.index.vectors import embed_passages, input_hash, write_index
from build_pipeline.release.manifest import file_entries
from server.dataset.files import INDEX_FILE
from server.dataset.manifest import MANIFEST_FILE, DatasetError, read_manifest

WORDS = ["fire", "ice", "storm", "dragon", "breath", "sword"]
TEXTS = [" ".join(words) for length in (1, 2, 3) for words in itertools.permutations(WORDS, length)]


@pytest.fixture
def encoder(tiny_model: Path, build_cache: Path) -> Encoder:
    """Without a cache of vectors."""
    model = find_model(str(tiny_model))
    return Encoder(model, exported(model, build_cache))


@pytest.fixture
def remembering(encoder: Encoder, build_cache: Path, tmp_path: Path) -> Iterator[Encoder]:
    """With its own cache of vectors."""
    with VectorCache(tmp_path) as cache:
        yield Encoder(encoder.model, exported(encoder.model, build_cache), cache)


def test_an_encoder_has_the_models_properties(encoder: Encoder) -> None:
    assert (encoder.pooling, encoder.dimensions, encoder.max_tokens) == ("cls", 32, 16)


def test_vectors_have_length_1(encoder: Encoder) -> None:
    vectors = encoder.encode_passages(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), 32), np.float32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    assert encoder.encode_passages([]).shape == (0, 32)


def test_a_vector_depends_on_nothing_but_its_text(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    together = encoder.encode_passages(TEXTS)
    np.testing.assert_array_equal(encoder.encode_passages(TEXTS[::-1])[::-1], together)
    np.testing.assert_array_equal(encoder.encode_passages([TEXTS[7]])[0], together[7])
    for cores in (1, 8):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        np.testing.assert_array_equal(encoder.encode_passages(TEXTS), together)


def test_equal_texts_are_computed_once(encoder: Encoder) -> None:
    told = []
    vectors = encoder.encode_passages(["fire", "ice", "fire"], lambda *done: told.append(done))
    assert told == [(0, 2), (2, 2)]
    np.testing.assert_array_equal(vectors[0], vectors[2])


def test_means_of_groups_have_length_1(encoder: Encoder) -> None:
    first, second = encoder.encode_passages(TEXTS[:2])
    told: list[tuple[int, int]] = []
    means = encoder.encode_means([TEXTS[:2], TEXTS[1:2]], lambda *done: told.append(done))
    assert told == [(0, 2), (2, 2)]
    assert np.allclose(means, [(first + second) / np.linalg.norm(first + second), second], atol=1e-6)
    assert encoder.encode_means([]).shape == (0, encoder.dimensions)


def test_cached_vectors_are_not_computed(remembering: Encoder) -> None:
    first = remembering.encode_passages(TEXTS[:100])
    told: list[tuple[int, int]] = []
    again = remembering.encode_passages(TEXTS, lambda *done: told.append(done))
    assert told == [(0, len(TEXTS) - 100), (len(TEXTS) - 100, len(TEXTS) - 100)]
    np.testing.assert_array_equal(again[:100], first)


def test_the_cache_changes_no_bit(remembering: Encoder, encoder: Encoder) -> None:
    remembering.encode_passages(TEXTS[::3])
    np.testing.assert_array_equal(remembering.encode_passages(TEXTS), encoder.encode_passages(TEXTS))


def test_another_model_does_not_use_cached_vectors(remembering: Encoder, tmp_path: Path) -> None:
    remembering.encode_passages(TEXTS)
    with VectorCache(tmp_path) as cache:
        assert cache.get("another", TEXTS) == {}


def test_an_unwritable_cache_is_named_before_the_work(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(CacheError, match=r"the cache in .*file/cache cannot be used .* --cache-dir, or give --no-cache"),
        open_encoder(str(tiny_model), tmp_path / "file" / "cache"),
    ):
        pytest.fail("it was opened")


@pytest.mark.thorough
def test_without_a_cache_nothing_is_kept(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: Encoder
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_encoder(str(tiny_model)) as unremembering:
        np.testing.assert_array_equal(unremembering.encode_passages(TEXTS[:9]), encoder.encode_passages(TEXTS[:9]))
    assert not list(tmp_path.rglob("*"))


@pytest.fixture
def earlier(starter_dataset: Path, tmp_path: Path) -> Path:
    """A dataset to change."""
    return shutil.copytree(starter_dataset, tmp_path / "earlier")


def test_unchanged_passages_keep_the_previous_vectors(remembering: Encoder, earlier: Path, tmp_path: Path) -> None:
    before = [Passage("spell/x/a", "facts", "fire storm"), Passage("spell/x/b", "facts", "ice storm")]
    vectors, hashes = embed_passages(before, remembering)
    marked = vectors * np.float32(0.5)
    write_index(earlier, before, marked, hashes)
    manifest = read_manifest(earlier)
    (earlier / MANIFEST_FILE).unlink()
    manifest["files"] = file_entries(earlier, {})
    (earlier / MANIFEST_FILE).write_text(json.dumps(manifest))
    after = [Passage("spell/x/b", "facts", "ice storm"), Passage("spell/x/c", "facts", "a sword")]
    again, _ = embed_passages(after, remembering, previous=earlier)
    np.testing.assert_array_equal(again[0], marked[1])
    np.testing.assert_allclose(np.linalg.norm(again[1]), 1, rtol=1e-5)
    assert (tmp_path / CACHE_FILE).is_file()


def test_vectors_of_another_pooling_or_tokenizer_are_not_reused(
    encoder: Encoder, tiny_model: Path, tmp_path: Path
) -> None:
    """The weights are the same; the name is the folder's and affects no vector."""
    other = shutil.copytree(tiny_model, tmp_path / "tiny")
    hashes = [input_hash("fire storm", encoder)]
    (pooling,) = other.glob("*Pooling/config.json")
    for file, old, new in ((pooling, '"cls"', '"mean"'), (other / "tokenizer.json", "storm", "storms")):
        file.write_text(file.read_text().replace(old, new))
        hashes.append(input_hash("fire storm", replaced(encoder, other)))
    assert len(set(hashes)) == 3
    same = shutil.copytree(tiny_model, tmp_path / "under another name")
    assert input_hash("fire storm", replaced(encoder, same)) == hashes[0]


def replaced(encoder: Encoder, folder: Path) -> Encoder:
    """The encoder with the model in that folder."""
    other = copy.copy(encoder)
    other.model = find_model(str(folder))
    return other


def test_a_snapshot_without_entities_is_refused(encoder: Encoder) -> None:
    with pytest.raises(ExpectedError, match="the snapshot describes no entity"):
        embed_passages([], encoder)


def test_vectors_of_a_damaged_dataset_are_not_reused(encoder: Encoder, earlier: Path) -> None:
    index = earlier / INDEX_FILE
    flipped = bytearray(index.read_bytes())
    flipped[-10] ^= 0x7F
    index.write_bytes(flipped)
    with pytest.raises(DatasetError, match=rf"{earlier} is damaged: {INDEX_FILE} does not have the recorded sha256"):
        embed_passages([Passage("spell/x/a", "facts", "fire storm")], encoder, previous=earlier)
