"""The cache of vectors, which never gives wrong ones, whatever happens to its file."""

import random
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from build_pipeline.index.cache import CACHE_FILE, VectorCache
from build_pipeline.index.graph import Vectors

TEXTS = [f"text {number}" for number in range(500)]


def vector(text: str) -> Vectors:
    return np.random.default_rng(len(text) * 1000 + int(text.split()[1])).random(48, dtype=np.float32)


VECTORS = {text: vector(text) for text in TEXTS}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A cache with all vectors."""
    with VectorCache(tmp_path) as cache:
        cache.put("encoder", VECTORS)
    return tmp_path / CACHE_FILE


def right(found: dict[str, Vectors]) -> bool:
    return all(np.array_equal(got, VECTORS[text]) for text, got in found.items())


def test_it_returns_what_was_put(file: Path) -> None:
    with VectorCache(file.parent) as cache:
        found = cache.get("encoder", [*TEXTS, "text 0", "text never seen"])
        assert cache.get("another encoder", TEXTS) == {}
    assert found.keys() == VECTORS.keys()
    assert right(found)


def test_two_builds_may_use_it_at_the_same_time(tmp_path: Path) -> None:
    with VectorCache(tmp_path) as one, VectorCache(tmp_path) as other:
        one.put("encoder", {"text 1": VECTORS["text 1"]})
        other.put("encoder", {"text 1": VECTORS["text 1"], "text 2": VECTORS["text 2"]})
        assert one.get("encoder", TEXTS).keys() == {"text 1", "text 2"}


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_file_never_gives_wrong_vectors(file: Path, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    chance = random.Random(seed)
    data = bytearray(file.read_bytes())
    if seed % 3 == 0:
        del data[chance.randrange(len(data)) :]
    else:
        for _ in range(seed):
            start = chance.randrange(len(data))
            data[start : start + chance.choice([1, 16, 4096])] = chance.randbytes(1)
    file.write_bytes(data)
    with VectorCache(file.parent) as cache:
        found = cache.get("encoder", TEXTS)
        assert right(found)
        cache.put("encoder", VECTORS)
    with VectorCache(file.parent) as cache:
        assert right(cache.get("encoder", TEXTS))
    assert len(found) == len(TEXTS) or caplog.messages


@pytest.mark.parametrize("content", [b"not a database", b"SQLite format 3\0 and then nothing of the kind" * 99])
def test_a_file_that_is_not_a_cache_is_named_and_replaced(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / CACHE_FILE).write_bytes(content)
    with VectorCache(tmp_path) as cache:
        cache.put("encoder", VECTORS)
    (told,) = caplog.messages
    assert told.startswith(f"the cache {tmp_path / CACHE_FILE} is damaged (")
    assert told.endswith("): it is removed and rebuilt")
    with VectorCache(tmp_path) as cache:
        assert cache.get("encoder", TEXTS).keys() == VECTORS.keys()


def test_an_unusable_file_is_named_and_ignored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / CACHE_FILE).mkdir()
    with VectorCache(tmp_path) as cache:
        cache.put("encoder", VECTORS)
        assert cache.get("encoder", TEXTS) == {}
    (told,) = caplog.messages
    assert told.startswith(f"the cache {tmp_path / CACHE_FILE} cannot be used (")


def test_an_interrupted_put_stores_nothing(file: Path) -> None:
    """A killed process leaves an uncommitted journal."""
    with sqlite3.connect(file) as connection:
        (before,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    with VectorCache(file.parent) as cache, pytest.raises(AttributeError):
        cache.put("encoder", {"text 1001": VECTORS["text 1"], "text 1002": None})  # type: ignore[dict-item]
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (before,)


def test_the_most_recently_used_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_one = 48 * 4 + 8
    monkeypatch.setattr("time.time", lambda: 4e9)
    with VectorCache(file.parent, max_bytes=100 * of_one) as cache:
        cache.get("encoder", TEXTS[40:90])
    with VectorCache(file.parent) as cache:
        found = cache.get("encoder", TEXTS)
    assert len(found) == 100
    assert set(TEXTS[40:90]) <= found.keys()
    assert right(found)
