"""Numbers computed from the words or dice of a record."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from build_pipeline.normalize.merging.measures import MEASURES
from build_pipeline.normalize.text.dice import mean


@pytest.mark.parametrize(
    ("table", "column", "origins"),
    [(table, column, origins) for table, of in MEASURES.items() for column, (origins, _) in of.items()],
)
def test_numbers_are_computed_from_the_corrected_values(
    starter_dataset: Path, table: str, column: str, origins: tuple[str, ...]
) -> None:
    rows = pl.read_parquet(starter_dataset / f"{table}.parquet")
    measured = rows.filter(pl.col(column).is_not_null())

    assert measured.height
    assert measured[origins[0]].null_count() == 0
    for row in measured.iter_rows(named=True):
        assert row[column] == MEASURES[table][column][1](*map(row.get, origins))
        assert column in row["provenance"]["from_text"]


def test_the_average_of_a_spell_includes_all_damage_dealt_at_once() -> None:
    _, average = MEASURES["spells"]["damage_average"]
    assert average("2d6", "The kettle takes 2d6 fire damage and 2d6 cold damage.") == 14
    assert average("2d6", None) == 7


def test_damage_of_attacks_has_an_average(starter_dataset: Path) -> None:
    creatures = pl.read_parquet(starter_dataset / "creatures.parquet")
    rolls = [
        roll
        for actions in creatures["actions"].drop_nulls()
        for action in actions
        for attack in action["attacks"] or ()
        for roll in attack["damage"] or ()
    ]

    assert rolls
    assert all(roll["average"] == mean(roll["dice"]) for roll in rolls)
