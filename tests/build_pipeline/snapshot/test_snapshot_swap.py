"""A snapshot whose process was killed while it took its place."""

from __future__ import annotations

import shutil
from pathlib import Path

from build_pipeline.snapshot.raw import read_raw_layer
from build_pipeline.snapshot.swap import NEW
from build_pipeline.sources import SOURCES

STARTER = Path(__file__).parents[3] / "data" / "starter"


def test_a_first_snapshot_killed_after_its_rename_is_finished_by_who_reads_it(tmp_path: Path) -> None:
    out = tmp_path / "snapshot"
    shutil.copytree(STARTER / "raw", out / NEW / "raw")
    shutil.copy(STARTER / "snapshot.json", out / NEW)

    layer = read_raw_layer(out, (endpoint for source in SOURCES for endpoint in source.endpoints))

    assert layer["srd", "srd-2024"]
    assert not (out / NEW).exists()
