"""The source of docs/example_source.py, served on loopback and run end to end."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from origin_server import Origin, manners

from build_pipeline.pipeline import build_dataset
from build_pipeline.snapshot.crawl import SnapshotRequest, snapshot
from build_pipeline.sources import SOURCES
from server.dataset.load import load_dataset
from server.library.library import Library

EXAMPLE = Path(__file__).parents[2] / "docs" / "example_source.py"
DISHES = [
    {"id": "stew", "name": "Hunter's Stew", "about": "Venison and **turnips**.", "price": "4 sp", "in_srd": False},
    {"id": "waterskin", "name": "Waterskin", "about": "Filled at the pump.", "price": "3 sp", "in_srd": True},
    {"id": "soup", "name": "Soup", "about": "Hot.", "price": "for a song", "in_srd": False},
    {"id": "pie", "name": "Pie", "price": "1 sp", "in_srd": False},
]


@pytest.fixture(scope="module")
def tavern() -> Any:
    specification = importlib.util.spec_from_file_location("example_source", EXAMPLE)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["example_source"] = module
    specification.loader.exec_module(module)
    return module.TAVERN


def test_it_is_short_enough_to_copy() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.thorough
def test_the_example_source_works_from_web_to_dataset(
    origin: Origin, tavern: Any, tiny_model: Path, starter_raw: Path, tmp_path: Path
) -> None:
    origin.pages["/api/dishes"] = {"count": len(DISHES), "results": DISHES}
    taken = snapshot(
        SnapshotRequest(tmp_path / "web", [replace(tavern, base_url=origin.url)]), tmp_path / "cache", manners()
    )
    assert [obj.key for obj in taken.objects["tavern", "dishes"]] == [dish["id"] for dish in DISHES]

    # Together with the starter content, which has the SRD's waterskin too.
    layer = tmp_path / "layer"
    shutil.copytree(starter_raw, layer)
    shutil.copytree(tmp_path / "web" / "raw" / "tavern", layer / "raw" / "tavern")
    manifest = build_dataset(layer, tmp_path / "dataset", model=str(tiny_model), sources=(*SOURCES, tavern))

    equipment = pl.read_parquet(tmp_path / "dataset" / "equipment.parquet")
    rows = {row["id"]: row for row in equipment.to_dicts()}
    stew = rows["adventuring-gear/tavern-fare/hunters-stew"]
    assert (stew["cost_gp"], stew["document_name"], stew["sources"]) == (0.4, "Tavern Fare", ["tavern"])
    waterskin = rows["adventuring-gear/srd-2014/waterskin"]
    assert waterskin["sources"][-1] == "tavern"
    assert waterskin["document_source"] == "open5e_v2"
    assert waterskin["cost_gp"] == 0.3
    assert {"column": "cost_gp", "source": "tavern"} in waterskin["provenance"]["filled"]
    assert "tavern-fare" in set(pl.read_parquet(tmp_path / "dataset" / "documents.parquet")["document_key"])
    library = Library(load_dataset(tmp_path / "dataset"))
    (book, srd) = library.list_documents("tavern")["results"]
    assert {book["document_key"], srd["document_key"]} == {"tavern-fare", "srd-2014"}
    library.close()
    problems = {problem["raw"]: problem["reason"] for problem in manifest["problems"]}
    assert "not a price: 'for a song'" in problems["tavern/dishes/soup"]
    assert problems["tavern/dishes/pie"] == "not shaped like the other objects of its endpoint: it.about is missing"
