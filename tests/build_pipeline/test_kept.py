"""Results kept between builds: the same as computed, whatever happened to the file."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_pipeline import kept as module
from build_pipeline.kept import RESULTS_FILE, keeping, kept

calls: list[str] = []


@kept
def doubled(text: str) -> dict[str, list[str]]:
    calls.append(text)
    return {"rows": [text, text]}


@pytest.fixture(autouse=True)
def _none_called() -> Iterator[None]:
    calls.clear()
    yield
    calls.clear()


def build(folder: Path | None, *texts: str) -> list[str]:
    """The texts for which something was computed."""
    calls.clear()
    with keeping(folder):
        for text in texts:
            assert doubled(text) == {"rows": [text, text]}
    return list(calls)


def test_a_build_computes_what_the_one_before_lacks(tmp_path: Path) -> None:
    assert build(tmp_path, "one", "two") == ["one", "two"]
    assert build(tmp_path, "one", "two", "three") == ["three"]


def test_what_a_build_did_not_use_is_gone(tmp_path: Path) -> None:
    build(tmp_path, "one", "two")
    build(tmp_path, "two")
    assert build(tmp_path, "one", "two") == ["one"]


def test_without_a_folder_nothing_is_kept() -> None:
    assert build(None, "one", "one") == ["one", "one"]


def test_other_code_uses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, "one")
    monkeypatch.setattr(module, "_code", lambda: b"other code".ljust(32))
    assert build(tmp_path, "one") == ["one"]


def test_other_texts_maintained_by_hand_use_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    cache.mkdir()
    monkeypatch.setattr(module, "DATA", data)
    build(cache, "one")
    assert build(cache, "one") == []
    (data / "names.toml").write_text("names = []", encoding="utf-8")
    assert build(cache, "one") == ["one"]


def test_every_result_is_a_copy(tmp_path: Path) -> None:
    build(tmp_path, "one")
    with keeping(tmp_path):
        doubled("one")["rows"].append("changed by a caller")
        assert doubled("one") == {"rows": ["one", "one"]}


def test_equal_arguments_have_one_result_shared_or_not(tmp_path: Path) -> None:
    @kept
    def joined(words: list[str]) -> str:
        calls.append("joined")
        return " ".join(words)

    with keeping(tmp_path):
        assert joined(["one"] * 2) == joined([chr(111) + "ne", chr(111) + "ne"]) == "one one"
    assert calls == ["joined"]


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_file_counts_as_none(tmp_path: Path, seed: int) -> None:
    build(tmp_path, "one", "two")
    file, chance = tmp_path / RESULTS_FILE, random.Random(seed)
    data = bytearray(file.read_bytes())
    if seed % 2:
        del data[chance.randrange(len(data)) :]
    else:
        data[chance.randrange(len(data))] ^= 1
    file.write_bytes(data)
    assert build(tmp_path, "one", "two") == ["one", "two"]
    assert build(tmp_path, "one", "two") == []


def test_a_build_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    build(tmp_path, "one")
    with pytest.raises(AttributeError), keeping(tmp_path):
        doubled("two").fail()  # type: ignore[attr-defined]
    assert build(tmp_path, "one", "two") == ["two"]
