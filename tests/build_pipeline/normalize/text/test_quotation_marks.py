"""Straight quotation marks in every text of a record."""

import json
from pathlib import Path

import polars as pl
import pytest

from build_pipeline.normalize.text.quotation_marks import straight
from server.dataset.schema import ENTITY_TABLES


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("the dragon’s “hoard”", 'the dragon\'s "hoard"'),
        ([{"name": "Thieves’ Cant", "levels": [1, None]}], [{"name": "Thieves' Cant", "levels": [1, None]}]),
        ("1–2 — café … 5′", "1–2 — café … 5′"),
        (None, None),
    ],
)
def test_marks_are_straight_and_everything_else_stays(value: object, expected: object) -> None:
    assert straight(value) == expected
    assert straight(expected) == expected


def test_no_record_has_a_typographic_mark(starter_dataset: Path) -> None:
    for table in ENTITY_TABLES:
        for row in pl.read_parquet(starter_dataset / table.file).drop("document_name", "provenance").iter_rows():
            assert not set("‘’“”") & set(json.dumps(row, ensure_ascii=False))
