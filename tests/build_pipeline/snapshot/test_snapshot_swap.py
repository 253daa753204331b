"""Snapshots whose process was killed while replacing, or that two processes write."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from starter_rows import STARTER

from build_pipeline.snapshot.crawl import Snapshot, SnapshotError, _write
from build_pipeline.snapshot.raw import RawObject, read_raw_layer, write_endpoint
from build_pipeline.snapshot.swap import NEW, replacing
from build_pipeline.sources import SOURCES


def test_reading_finishes_a_swap_that_was_killed(tmp_path: Path) -> None:
    out = tmp_path / "snapshot"
    shutil.copytree(STARTER / "raw", out / NEW / "raw")
    shutil.copy(STARTER / "snapshot.json", out / NEW)

    layer = read_raw_layer(out, (endpoint for source in SOURCES for endpoint in source.endpoints))

    assert layer["srd", "srd-2024"]
    assert not (out / NEW).exists()


def test_a_second_snapshot_into_the_same_folder_is_refused(tmp_path: Path) -> None:
    spell = RawObject("open5e_v2", "spells", "a", "https://example.org/", "2026-11-01T00:00:00Z", "{}")
    other = Snapshot(objects={("open5e_v2", "items"): []}, info={"snapshot_at": spell.fetched_at})
    with replacing(tmp_path) as partial:
        write_endpoint(partial, spell.source, spell.endpoint, [spell])
        with pytest.raises(SnapshotError, match=f"another snapshot is being written to {tmp_path}"):
            _write(tmp_path, other)
        (partial / "snapshot.json").write_text(f'{{"snapshot_at": "{spell.fetched_at}"}}')
    assert list(read_raw_layer(tmp_path)) == [spell]
