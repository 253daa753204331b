"""Which members of a manifest may be missing: those that earlier datasets do not have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.dataset.manifest import MANIFEST_FILE, DatasetError, Manifest, read_manifest


def manifest_without(folder: Path, *missing: str) -> Manifest:
    facts = dict.fromkeys(Manifest.__annotations__)
    (folder / MANIFEST_FILE).write_text(json.dumps({k: v for k, v in facts.items() if k not in missing}))
    return read_manifest(folder)


def test_an_earlier_dataset_has_neither_checks_nor_a_notice(tmp_path: Path) -> None:
    assert not {"checks", "notice"} & manifest_without(tmp_path, "checks", "notice").keys()


@pytest.mark.parametrize("member", ["content_hash", "problems"])
def test_all_else_is_always_there(tmp_path: Path, member: str) -> None:
    with pytest.raises(DatasetError, match=f"lacks {member}; the dataset is damaged"):
        manifest_without(tmp_path, member)
