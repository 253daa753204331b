"""Queries that name a trait, an action or a feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest
from tiny_dataset import creature, entity

from server.dataset.schema import ENTITY_TABLES
from server.library.catalogue import Catalogue
from server.library.ranking.part_names import PART_MATCH, PartNames
from server.library.requests.request import Request

if TYPE_CHECKING:
    from server.library.library import Library


def _part(name: str) -> dict[str, str]:
    return {"name": name, "description": ""}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    rows = [
        creature("hearth", "Ash Hound", 1, "beast", "", traits=[_part("Keen Smell")], actions=[_part("Bite")]),
        creature("hearth", "Wyrm", 9, "dragon", "", actions=[_part("Fire Breath (Recharge 5-6)"), _part("Bite")]),
        entity("class", "hearth", "Stoker", "", features=[{"name": "Strike of the Forge", "level": 3}]),
    ]
    tables = {
        t.name: pl.DataFrame([row for row in rows if row["entity_type"] in t.entity_types], schema=t.schema)
        for t in ENTITY_TABLES
    }
    return Catalogue(tables, ["hearth"])


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("bite", {"Ash Hound", "Wyrm"}),
        ("What does the Ash Hound's bite do?", {"Ash Hound"}),
        ("fire breath", {"Wyrm"}),
        ("breath of fire", {"Wyrm"}),
        ("forge strike", {"Stoker"}),
        ("stoker: strike of the forge", {"Stoker"}),
        ("keen", set()),
        ("keen smell of roses", set()),
        ("what does it do", set()),
        ("", set()),
    ],
)
def test_a_query_that_names_a_part_finds_its_records(catalogue: Catalogue, query: str, named: set[str]) -> None:
    scores = PartNames(catalogue).scores(query)
    assert {catalogue.names[row] for row in scores.nonzero()[0]} == named
    assert set(scores.tolist()) <= {0.0, PART_MATCH}


@pytest.mark.parametrize(
    ("part", "having"),
    [
        ("bite attack", {"Ash Hound", "Wyrm"}),
        ("breath", {"Wyrm"}),
        ("smell of roses", set()),
        ("attack", set()),
        ("", set()),
    ],
)
def test_the_records_with_a_part_are_counted(catalogue: Catalogue, part: str, having: set[str]) -> None:
    assert {catalogue.names[row] for row in PartNames(catalogue).having(part).nonzero()[0]} == having


def test_records_with_a_part_of_that_name_come_first(tiny_library: Library) -> None:
    first = tiny_library.find(Request("creature", search="fire breath", limit=1, detail="summary"))["results"][0]
    assert "Dragon" in first["name"]
    assert first["part"] == "Fire Breath"
