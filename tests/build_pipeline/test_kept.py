"""Results cached between builds, which equal computed ones whatever happens to the file."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import build_pipeline
import server
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
    """The texts for which results were computed."""
    calls.clear()
    with keeping(folder):
        for text in texts:
            assert doubled(text) == {"rows": [text, text]}
    return list(calls)


def test_a_build_computes_what_the_previous_one_lacks(tmp_path: Path) -> None:
    assert build(tmp_path, "one", "two") == ["one", "two"]
    assert build(tmp_path, "one", "two", "three") == ["three"]


def test_results_that_a_build_does_not_use_are_dropped(tmp_path: Path) -> None:
    build(tmp_path, "one", "two")
    build(tmp_path, "two")
    assert build(tmp_path, "one", "two") == ["one"]


def test_without_a_folder_nothing_is_cached() -> None:
    assert build(None, "one", "one") == ["one", "one"]


def test_other_code_or_hand_maintained_data_invalidate_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, cache = tmp_path / "files", tmp_path / "cache"
    monkeypatch.setattr(build_pipeline, "__path__", [str(files / "builder")])
    monkeypatch.setattr(server, "__path__", [str(files / "server")])
    monkeypatch.setattr(module, "DATA", files / "data")
    cache.mkdir()
    for name in ("builder/below/rules.py", "server/schema.py", "data/below/names.toml"):
        (files / name).parent.mkdir(parents=True)
        (files / name).touch()
        build(cache, "one")
        (files / name).write_text("changed = true", encoding="utf-8")
        assert build(cache, "one") == ["one"], name
        assert build(cache, "one") == [], name


def test_another_version_of_a_package_invalidates_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of a parser may read the same text differently."""
    installed, cache = tmp_path / "parser.dist-info", tmp_path / "cache"
    installed.mkdir()
    cache.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    for version in ("1.0", "1.1"):
        metadata = f"Metadata-Version: 2.1\nName: parser\nVersion: {version}\n"
        (installed / "METADATA").write_text(metadata, encoding="utf-8")
        assert build(cache, "one") == ["one"]


def test_a_result_depends_on_the_function_and_all_arguments(tmp_path: Path) -> None:
    @kept
    def tripled(text: str) -> dict[str, list[str]]:
        return {"rows": [text, text, text]}

    for _ in range(2):
        with keeping(tmp_path):
            assert doubled("one") == {"rows": ["one", "one"]}
            assert tripled("one") == {"rows": ["one", "one", "one"]}
            assert tripled(text="two") == {"rows": ["two", "two", "two"]}
            assert tripled(text="three") == {"rows": ["three", "three", "three"]}


def test_every_result_is_a_copy(tmp_path: Path) -> None:
    build(tmp_path, "one")
    with keeping(tmp_path):
        doubled("one")["rows"].append("changed by a caller")
        assert doubled("one") == {"rows": ["one", "one"]}


def test_equal_arguments_have_the_same_result_shared_or_not(tmp_path: Path) -> None:
    @kept
    def joined(words: list[str]) -> str:
        calls.append("joined")
        return " ".join(words)

    with keeping(tmp_path):
        assert joined(["one"] * 2) == joined([chr(111) + "ne", chr(111) + "ne"]) == "one one"
    assert calls == ["joined"]


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_file_counts_as_missing(tmp_path: Path, seed: int) -> None:
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


def test_an_unusable_file_only_costs_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / RESULTS_FILE).mkdir()
    assert build(tmp_path, "one") == ["one"]
    reading, writing = (record.getMessage() for record in caplog.records)
    assert reading.startswith(f"the cache {tmp_path / RESULTS_FILE} cannot be read (")
    assert writing.startswith(f"the cache {tmp_path / RESULTS_FILE} cannot be written (")


def test_a_build_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    build(tmp_path, "one")
    with pytest.raises(AttributeError), keeping(tmp_path):
        doubled("two").fail()  # type: ignore[attr-defined]
    assert build(tmp_path, "one", "two") == ["two"]
