"""The raw layer on disk: what `snapshot.json` may say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from build_pipeline.snapshot.raw import SNAPSHOT_FILE, RawError, read_raw_layer
from server.dataset.manifest import NOTICE_CHARS


def layer_with(folder: Path, **info: object) -> dict[str, object]:
    (folder / SNAPSHOT_FILE).write_text(json.dumps({"snapshot_at": "2026-11-01T00:00:00Z", **info}), encoding="utf-8")
    return read_raw_layer(folder).info


@pytest.mark.parametrize("notice", ["x", "Only for our table.", "x" * NOTICE_CHARS])
def test_a_snapshot_may_have_a_notice(tmp_path: Path, notice: str) -> None:
    assert layer_with(tmp_path, notice=notice)["notice"] == notice
    assert "notice" not in layer_with(tmp_path)


@pytest.mark.parametrize("notice", [None, "", " ", "two\nlines", "x" * (NOTICE_CHARS + 1), 7, ["x"]])
def test_a_notice_is_one_short_line(tmp_path: Path, notice: object) -> None:
    with pytest.raises(RawError, match=f"the notice is .* instead of one line of at most {NOTICE_CHARS} characters"):
        layer_with(tmp_path, notice=notice)
