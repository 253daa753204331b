"""The vocabularies: conditions in SQL over real records."""

from typing import Any

import polars as pl
import pytest

from build_pipeline.index.effects import Entry, VocabularyError, by_phrase, reach, read_attributes, read_effects
from server.dataset.load import Dataset
from server.dataset.schema import ENTITY_TABLES

Tables = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def tables(dataset: Dataset) -> Tables:
    return {table.name: dataset.tables[table.name].to_dicts() for table in ENTITY_TABLES}


def test_every_entry_of_the_vocabularies_can_be_asked(tables: Tables) -> None:
    entries = [*read_effects(), *read_attributes()]
    reached = reach(tables, entries)
    assert len(reached) == len(entries)
    known = {row["id"] for rows in tables.values() for row in rows}
    assert all(set(ids) <= known for ids in reached)
    assert sum(map(bool, reached)) > 50


def test_conditions_see_columns_text_and_weapon_properties(tables: Tables) -> None:
    flies, burns, reaches = reach(
        tables,
        [
            Entry("flies", ("creatures",), "speed.fly > 0"),
            Entry("burns", ("spells", "equipment"), "text ~ 'fire'"),
            Entry("reach", ("equipment",), "array_contains(property_names, 'reach')"),
        ],
    )
    flying = {row["id"] for row in tables["creatures"] if (row["speed"] or {}).get("fly")}
    assert set(flies) == flying
    assert flies == sorted(flies)
    assert burns
    assert {identity.split("/")[0] for identity in burns} <= {
        "spell",
        "weapon",
        "armor",
        "magic-item",
        "adventuring-gear",
    }
    assert all(identity.startswith(("weapon/", "magic-item/")) for identity in reaches)


@pytest.mark.parametrize("when", ["no_such_column > 1", "level >", "level = 'a' + ("])
def test_a_condition_that_makes_no_sense_is_named(tables: Tables, when: str) -> None:
    with pytest.raises(VocabularyError, match="'odd', table spells"):
        reach(tables, [Entry("odd", ("spells",), when)])


def test_entries_with_the_same_words_are_one_phrase() -> None:
    entries = [Entry("tank", ("creatures",), "true"), Entry("tank", ("spells",), "true"), Entry("none", (), "true")]
    assert by_phrase(entries, [["b"], ["a", "b"], []]) == {"tank": ["a", "b"]}


def test_the_dataset_carries_them(dataset: Dataset) -> None:
    effects = pl.read_parquet(dataset.path / "lexicon" / "effects.parquet")
    lengths = {round(sum(x * x for x in vector), 3) for vector in effects["vector"].to_list()}
    assert lengths == {1.0}
    assert effects["says"].is_sorted()
