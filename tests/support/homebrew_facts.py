"""Helpers of the tests of homebrew's facts: raw layers from files, and the facts of one entity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from build_pipeline.normalize.homebrew.orcbrew import drafts
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.snapshot.orcbrew.reader import read_orcbrew
from build_pipeline.snapshot.raw import RawLayer


def raw_layer(*paths: Path) -> RawLayer:
    return RawLayer.of(read_orcbrew(paths).objects)


def facts_of(tmp_path: Path, kind: str, fields: str) -> dict[str, Any]:
    path = tmp_path / "x.orcbrew"
    path.write_text(f'{{:orcpub.dnd.e5/{kind} {{:a {{:key :a :name "A" {fields}}}}}}}')
    return next(drafts(raw_layer(path), Problems())).facts
