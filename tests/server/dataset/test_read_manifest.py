"""Strict reading of manifests: types of members and names of files; messages name the member."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.dataset.manifest import MANIFEST_FILE, DatasetError, Manifest, read_manifest

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def changed(tiny_folder: Path, tmp_path: Path) -> Callable[[Change], Path]:
    """Writes a changed copy of the tiny dataset's manifest to a folder."""

    def write(change: Change) -> Path:
        facts = json.loads((tiny_folder / MANIFEST_FILE).read_bytes())
        change(facts)
        (tmp_path / MANIFEST_FILE).write_text(json.dumps(facts))
        return tmp_path

    return write


def test_checks_notice_and_samples_are_optional(changed: Callable[[Change], Path]) -> None:
    manifest: Manifest = read_manifest(changed(lambda facts: facts["encoder"].pop("samples")))
    assert not {"checks", "notice"} & manifest.keys()


def test_members_of_a_later_builder_are_kept(changed: Callable[[Change], Path]) -> None:
    assert "colour" in read_manifest(changed(lambda facts: facts.update(colour="red")))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda m: m.pop("content_hash"), "content_hash: field required"),
        (lambda m: m.update(schema_version="1"), "schema_version is '1': input should be a valid integer"),
        (lambda m: m.update(schema_version=True), "schema_version is True"),
        (lambda m: m.update(snapshot_at="2026-13-40T00:00:00Z"), "snapshot_at is '2026-13-40T00:00:00Z'"),
        (lambda m: m.update(snapshot_at="\x1b[2J"), "snapshot_at is"),
        (lambda m: m.update(dataset_version="../../etc"), "dataset_version is"),
        (lambda m: m.update(notice="two\nlines"), "notice is"),
        (lambda m: m.update(built_at="now"), r"built_at is 'now': string should match pattern '.*T\["),
        (lambda m: m.update(files=[]), "files: input should be"),
        (lambda m: m["files"].update({"../manifest.json": m["files"]["ranking.json"]}), r"files\.\.\./manifest"),
        (lambda m: m["files"].update({"/etc/passwd": m["files"]["ranking.json"]}), r"files\./etc/passwd"),
        (lambda m: m["files"]["ranking.json"].update(bytes=-1), "bytes is -1"),
        (lambda m: m["files"]["ranking.json"].update(sha256="0"), "sha256 is '0'"),
        (lambda m: m["encoder"].update(dimensions=0), "dimensions is 0"),
        (lambda m: m["encoder"]["samples"][0].update(vector="AAA="), "vector is 'AAA='"),
    ],
)
def test_an_invalid_manifest_is_refused_naming_the_member(
    changed: Callable[[Change], Path], change: Change, complaint: str
) -> None:
    with pytest.raises(DatasetError, match=complaint) as refused:
        read_manifest(changed(change))
    assert "the dataset is damaged" in str(refused.value)


def test_the_message_for_no_manifest_names_no_member(tmp_path: Path) -> None:
    (tmp_path / MANIFEST_FILE).write_text("[]")
    with pytest.raises(DatasetError, match=r"is not a manifest \(it: input should be"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("text", ["[]", "1", "[" * 100_000, '{"counts": NaN}', "\ud800", "\xff", ""])
def test_a_manifest_that_is_not_a_json_object_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST_FILE).write_bytes(text.encode("latin-1" if text == "\xff" else "utf-8", "surrogatepass"))
    with pytest.raises(DatasetError, match=r"manifest\.json is not"):
        read_manifest(tmp_path)
