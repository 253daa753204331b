"""Datasets with correct hashes but invalid contents: `verify` names the file, and no server serves them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.reliability.damages import SIGNED, Write, column
from server.dataset.load import load_dataset
from server.dataset.manifest import MANIFEST_FILE, DatasetError
from server.dataset.verify import verify
from server.library.library import Library
from server.library.requests.request import Request

Altered = Callable[[dict[str, Write]], Path]
EXPLODING = r"(a|a)*(a|a)*(a|a)*b$"


def start(folder: Path) -> None:
    """Load a dataset as a server does before it serves."""
    library = Library(load_dataset(folder))
    try:
        library.wait_until_ready()
    finally:
        library.close()


@pytest.mark.parametrize("damage", SIGNED)
def test_verify_and_loading_find_damage_with_correct_hashes(altered: Altered, damage: str) -> None:
    name, write = SIGNED[damage]
    folder = altered({name: write})
    told = " ".join(verify(folder))
    assert any(each in told for each in (name, name.rpartition("/")[0] or name)), told
    with pytest.raises(DatasetError) as refused:
        start(folder)
    assert str(refused.value).splitlines() == [str(refused.value)]
    assert "again" in str(refused.value) or "pull" in str(refused.value)


@pytest.mark.parametrize("damage", ["a vector that is not a number", "no model", "an invalid pattern", "half a table"])
def test_serve_refuses_a_damaged_dataset_in_one_line(lorekeeper, altered: Altered, damage: str) -> None:
    name, write = SIGNED[damage]
    code, out, err = lorekeeper("serve", "--transport", "http", "--dataset", str(altered({name: write})))
    assert (code, out) == (1, "")
    assert err.startswith("lorekeeper: ")
    assert err.count("\n") == 1
    assert name in err


def test_a_pattern_cannot_backtrack_without_end(altered: Altered) -> None:
    library = Library(load_dataset(altered({"lexicon/attributes.parquet": column("asked", EXPLODING)})))
    try:
        assert library.find(Request("creature", search="a" * 500))["total"]
    finally:
        library.close()


def test_a_file_missing_from_the_manifest_is_named(altered: Altered) -> None:
    folder = altered({})
    manifest = json.loads((folder / MANIFEST_FILE).read_bytes())
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest | {"files": {}}))
    assert "ranking.json is not in manifest.json" in verify(folder)
    with pytest.raises(DatasetError, match=r"is not in manifest\.json"):
        load_dataset(folder)


def test_an_older_dataset_without_samples_and_with_lookbehind_is_served(altered: Altered) -> None:
    folder = altered({"lexicon/attributes.parquet": column("asked", r"(?<!very )\bundead\b")})
    manifest = json.loads((folder / MANIFEST_FILE).read_bytes())
    del manifest["encoder"]["samples"]
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest))
    assert verify(folder) == []
    library = Library(load_dataset(folder))
    try:
        scores = [
            library.find(Request("creature", search=search))["results"][0]["similarity_score"]
            for search in ("undead drain", "very undead drain")
        ]
    finally:
        library.close()
    assert scores[0] > scores[1]
