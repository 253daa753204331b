"""The raw layer on disk: `snapshot.json` and the files of objects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from build_pipeline.expected import ExpectedError
from build_pipeline.snapshot.raw import SNAPSHOT_FILE, RawError, RawLayer, read_raw_layer
from build_pipeline.sources import ENDPOINTS
from server.dataset.manifest import NOTICE_CHARS
from server.dataset.strict_json import dump_json


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


def written_by_hand(folder: Path, text: bytes) -> RawLayer:
    """A layer of one file of Open5e's spells."""
    file = folder / "raw" / "open5e_v1" / "spells.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(text)
    (folder / SNAPSHOT_FILE).write_text('{"snapshot_at": "2026-11-01T00:00:00Z"}')
    return read_raw_layer(folder, ENDPOINTS)


@pytest.mark.parametrize("character", ["\u2028", "\x85"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, character: str) -> None:
    text = dump_json({"slug": "a", "desc": f"two{character}parts"}).encode()
    (found,) = written_by_hand(tmp_path, text + b"\r\n\n")
    assert found.data["desc"] == f"two{character}parts"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"slug":"a"}\n{"slug":"b"\n', r"spells\.jsonl, line 2: not an object with 'slug'"),
        (b'{"slug":"\xe9"}\n', r"spells\.jsonl cannot be read as UTF-8 text"),
    ],
)
def test_an_invalid_line_is_named(tmp_path: Path, text: bytes, message: str) -> None:
    with pytest.raises(ExpectedError, match=message):
        written_by_hand(tmp_path, text)
