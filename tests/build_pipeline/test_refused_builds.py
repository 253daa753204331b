"""A dataset that no server would load replaces none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from starter_rows import STARTER

from build_pipeline.normalize import records
from build_pipeline.normalize.merging.merge import Entity, assign_slugs
from build_pipeline.pipeline import build_dataset
from server.dataset.manifest import DatasetError


def _one_slug(entities: Iterable[Entity]) -> None:
    """A bug in the builder: two spells of a book get the same id."""
    found = list(entities)
    assign_slugs(found)
    first, second, *_ = (e for e in found if e.entity_type == "spell" and e.document_key == "srd-2014")
    second.slug = first.slug


@pytest.mark.thorough
def test_a_dataset_that_no_server_loads_replaces_none(
    tiny_model: Path, build_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = tmp_path / "dataset"
    earlier.mkdir()
    (earlier / "manifest.json").write_text("earlier")
    monkeypatch.setattr(records, "assign_slugs", _one_slug)
    with pytest.raises(DatasetError, match=r"spells\.parquet: duplicate ids: 1, such as spell/srd-2014/"):
        build_dataset(STARTER, earlier, model=str(tiny_model), cache=build_cache, chunks=1)
    assert [file.name for file in earlier.iterdir()] == ["manifest.json"]
