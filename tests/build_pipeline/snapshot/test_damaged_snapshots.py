"""A snapshot is compared with its `snapshot.json` before a build."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from build_pipeline.pipeline import build_dataset
from build_pipeline.snapshot import swap
from build_pipeline.snapshot.crawl import Snapshot, _sources, _write
from build_pipeline.snapshot.raw import (
    RawError,
    RawObject,
    read_raw_layer,
    recounted,
    write_endpoint,
)
from build_pipeline.snapshot.swap import LOCK

OBJECTS = [
    RawObject(source, endpoint, key, "https://example.org/", "2026-11-01T00:00:00Z", json.dumps({endpoint: key}))
    for source, endpoint in (("open5e_v2", "spells"), ("open5e_v2", "items"), ("dnd5e_api", "2014/spells"))
    for key in "abcd"
]


def write(folder: Path, objects: list[RawObject]) -> Path:
    """A snapshot as written by the crawl."""
    folder.mkdir(exist_ok=True)
    grouped: dict[tuple[str, str], list[RawObject]] = {}
    for obj in objects:
        grouped.setdefault((obj.source, obj.endpoint), []).append(obj)
    info = {"snapshot_at": "2026-11-01T00:00:00Z", "sources": _sources(grouped, {})}
    _write(folder, Snapshot(objects=grouped, info=info))
    return folder


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write(tmp_path / "whole", OBJECTS)


def spells(folder: Path) -> Path:
    return folder / "raw" / "open5e_v2" / "spells.parquet"


def half(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(0, 2), path)


def copied(path: Path, source: str, target: str) -> None:
    shutil.copy(path.with_stem(source), path.with_stem(target))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def no_numbers(path: Path) -> None:
    obj = RawObject("open5e_v2", "spells", "a", "", "", '{"level": NaN}')
    write_endpoint(path.parents[2], "open5e_v2", "spells", [obj])


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file is missing": (lambda f: spells(f).unlink(), r"spells\.parquet has 0 objects, snapshot\.json says 4"),
    "a source is missing": (lambda f: shutil.rmtree(f / "raw" / "dnd5e_api"), "has 0 objects"),
    "there is no raw": (lambda f: shutil.rmtree(f / "raw"), "has 0 objects"),
    "half of the rows": (lambda f: half(spells(f)), "has 2 objects"),
    "a file of another endpoint": (lambda f: copied(spells(f), "items", "spells"), "hash differs"),
    "a file too many": (lambda f: copied(spells(f), "spells", "feats"), r"is not in snapshot\.json"),
    "a file cut off": (lambda f: cut(spells(f)), "cannot be read as a file of raw objects"),
    "other columns": (lambda f: pq.write_table(pa.table({"key": ["a"]}), spells(f)), "cannot be read"),
    "a number that is none": (lambda f: no_numbers(spells(f)), "not a finite number"),
    "no JSON": (lambda f: (f / "snapshot.json").write_text("{"), r"snapshot\.json does not describe a snapshot"),
    "a list": (lambda f: (f / "snapshot.json").write_text("[]"), r"snapshot\.json does not describe a snapshot"),
    "deep": (lambda f: (f / "snapshot.json").write_text("[" * 100_000), r"snapshot\.json does not describe a snapshot"),
    "no time": (lambda f: (f / "snapshot.json").write_text('{"snapshot_at": 7}'), "snapshot_at is 7"),
    "sources in words": (
        lambda f: (f / "snapshot.json").write_text('{"snapshot_at": "2026-11-01T00:00:00Z", "sources": "all"}'),
        "sources is",
    ),
    "a warning of nothing": (
        lambda f: (f / "snapshot.json").write_text('{"snapshot_at": "2026-11-01T00:00:00Z", "warnings": [{"n": 1}]}'),
        r"warnings\.0\.raw: field required",
    ),
    "problems in words": (
        lambda f: (f / "snapshot.json").write_text('{"snapshot_at": "2026-11-01T00:00:00Z", "problems": ["none"]}'),
        r"problems\.0 is 'none'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_snapshot_is_refused_naming_what_is_wrong(whole: Path, tmp_path: Path, damage: str) -> None:
    change, complaint = DAMAGES[damage]
    change(whole)
    with pytest.raises(RawError, match=complaint):
        read_raw_layer(whole)
    with pytest.raises(RawError, match=complaint):
        build_dataset(whole, tmp_path / "dataset")
    assert not (tmp_path / "dataset").exists()


def test_a_layer_with_added_objects_is_recounted(whole: Path) -> None:
    layer = read_raw_layer(whole)
    layer.add(RawObject("orcbrew", "spells", "zap", "my.orcbrew", "2026-11-01T00:00:00Z", "{}"))
    info = recounted(layer)
    (added,) = [row for row in info["sources"] if row["source"] == "orcbrew"]
    assert added["endpoints"]["spells"]["count"] == 1
    (same,) = [row for row in info["sources"] if row["source"] == "dnd5e_api"]
    assert same in layer.info["sources"]


class KilledError(BaseException):
    """An exception that no handler catches, as a kill would not be."""


def test_a_swap_killed_at_any_step_leaves_the_old_or_new_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = [*OBJECTS[:4], RawObject("open5e_v2", "items", "z", "", "2026-11-02T00:00:00Z", '{"key": "z"}')]
    outcomes = []
    for step in range(20):
        folder = write(tmp_path / str(step), OBJECTS)
        left = step

        def counted(real: Callable[..., object]) -> Callable[..., object]:
            def run(*args: object, **kwargs: object) -> object:
                nonlocal left
                left -= 1
                if left < 0:
                    raise KilledError
                return real(*args, **kwargs)

            return run

        with monkeypatch.context() as killing:
            for name in ("rename", "replace", "rmdir"):
                killing.setattr(Path, name, counted(getattr(Path, name)))
            killing.setattr(swap.shutil, "rmtree", counted(shutil.rmtree))
            try:
                write(folder, new)
                outcomes.append("done")
            except KilledError:
                outcomes.append("killed")
        found = {obj.id for obj in read_raw_layer(folder)}
        assert found in ({obj.id for obj in OBJECTS}, {obj.id for obj in new})
        write(folder, new)
        assert {obj.id for obj in read_raw_layer(folder)} == {obj.id for obj in new}
        assert {path.name for path in folder.iterdir()} == {"raw", "snapshot.json", LOCK}
    assert outcomes.count("killed") >= 6
    assert outcomes[-1] == "done"
