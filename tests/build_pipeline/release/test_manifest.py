"""Versions: the snapshot's date, and a number for each rebuild."""

import json
from pathlib import Path

import pytest
from minimal_manifest import MINIMAL

from build_pipeline.release import manifest
from server.dataset.manifest import MANIFEST_FILE


@pytest.mark.parametrize(
    ("before", "version"),
    [
        (None, "2026.11.20"),
        ("2026.11.13", "2026.11.20"),
        ("2026.11.13.2", "2026.11.20"),
        ("2026.11.20", "2026.11.20.1"),
        ("2026.11.20.9", "2026.11.20.10"),
    ],
)
def test_different_datasets_have_different_versions(before: str | None, version: str, tmp_path: Path) -> None:
    if before is not None:
        stored = MINIMAL | {"dataset_version": before}
        (tmp_path / MANIFEST_FILE).write_text(json.dumps(stored), encoding="utf-8")

    assert manifest._dataset_version("2026-11-20T04:17:00Z", tmp_path if before else None) == version
