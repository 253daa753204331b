"""Datasets of older and newer builders: additions are served, changes are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from server.commands.verify import verify as verify_command
from server.dataset.compatibility import check_schema_version, misfits, read_table
from server.dataset.load import load_dataset
from server.dataset.manifest import DatasetError
from server.dataset.schema import ACTION, SCHEMA_VERSION, SPEED, SPELLS
from server.dataset.tables.columns import Column, Table
from server.dataset.verify import verify
from server.library.library import Library
from server.tools.registry import tool_named

Change = Callable[[pl.DataFrame], pl.DataFrame]


def rewrite(change: Change) -> Callable[[Path], None]:
    return lambda file: change(pl.read_parquet(file)).write_parquet(file)


def without_member(dtype: pl.Struct, name: str) -> pl.Struct:
    return pl.Struct([field for field in dtype.fields if field.name != name])


def as_type(column: str, dtype: pl.DataType) -> Change:
    """A column cast to another nested type: members that the type lacks are dropped, those that it adds are null."""
    return lambda frame: frame.with_columns(pl.Series(column, frame[column].to_list(), dtype, strict=False))


@contextmanager
def served(folder: Path) -> Iterator[Callable[..., dict[str, Any]]]:
    """Call tools over the dataset in a folder."""
    library = Library(load_dataset(folder))

    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        return tool_named(tool).call(library, arguments)

    yield call
    library.close()


@pytest.fixture
def older(altered) -> Path:
    """A dataset from before weapon masteries, hovering speeds and limited uses of actions."""
    old_actions = pl.List(without_member(ACTION, "usage"))
    return altered(
        {
            "equipment.parquet": rewrite(lambda frame: frame.drop("mastery", "properties")),
            "creatures.parquet": rewrite(
                lambda frame: frame.pipe(as_type("speed", without_member(SPEED, "hover"))).pipe(
                    as_type("actions", old_actions)
                )
            ),
            "documents.parquet": rewrite(lambda frame: frame.drop("author")),
        }
    )


@pytest.fixture
def newer(altered) -> Path:
    """A dataset with a table, columns and members that this server does not know, in another order."""
    new_actions = pl.List(pl.Struct([pl.Field("recharge", pl.Int32), *reversed(ACTION.fields)]))
    new_speed = pl.Struct([*SPEED.fields, pl.Field("teleport", pl.Int32)])
    return altered(
        {
            "equipment.parquet": rewrite(lambda frame: frame.select("mastery", pl.all().exclude("mastery"))),
            "creatures.parquet": rewrite(
                lambda frame: (
                    frame.pipe(as_type("speed", new_speed))
                    .pipe(as_type("actions", new_actions))
                    .with_columns(initiative=pl.lit(3))
                )
            ),
            "spells.parquet": rewrite(lambda frame: frame.with_columns(pl.struct(a=1).alias("casting"))),
            "vectors.parquet": rewrite(lambda frame: frame.with_columns(weight=pl.lit(0.5))),
            "omens.parquet": lambda file: pl.DataFrame({"id": ["omen/hearth/raven"]}).write_parquet(file),
        }
    )


def test_an_older_dataset_is_served_with_nulls_for_missing_facts(older: Path):
    assert verify(older) == []
    with served(older) as call:
        (scout,) = call("lookup_creature", name="scout")["results"]
        assert scout["speed"] == {"walk": 30}
        dragon = call("lookup_creature", name="adult red dragon")["results"][0]
        assert {action["name"] for action in dragon["actions"]} == {"Fire Breath"}
        assert not any("usage" in action for action in dragon["actions"])
        (longsword,) = call("lookup_equipment", name="longsword", type="weapon")["results"][:1]
        assert (longsword["mastery"], longsword["properties"]) == (None, None)
        assert call("search_creature", search="a keen watch", cr_max=1)["results"]


def test_a_newer_dataset_is_served_without_its_additions(newer: Path):
    assert verify(newer) == []
    with served(newer) as call:
        (scout,) = call("lookup_creature", name="scout")["results"]
        assert "initiative" not in scout
        assert "teleport" not in scout["speed"]
        dragon = call("lookup_creature", name="adult red dragon")["results"][0]
        assert dragon["actions"][0].keys() <= {field.name for field in ACTION.fields}
        assert dragon["actions"][0]["name"] == "Fire Breath"
        assert call("search_spell", search="fire", level=3)["results"][0]["name"] == "Fireball"


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        (
            "spells.parquet",
            lambda frame: frame.drop("slug"),
            r"table spells, column slug: found none, expected String \(required\): get a newer dataset",
        ),
        (
            "spells.parquet",
            lambda frame: frame.cast({"level": pl.String}),
            "table spells, column level: found String, expected Int32: upgrade the server .*, then get a newer dataset",
        ),
        (
            "creatures.parquet",
            lambda frame: frame.with_columns(pl.struct(walk=pl.lit("30 ft."), glide=1).alias("speed")),
            r"table creatures, column speed\.walk: found String, expected Int32",
        ),
        (
            "creatures.parquet",
            lambda frame: frame.with_columns(actions=pl.lit([{"name": "Bite", "attacks": [{"to_hit": "+4"}]}])),
            r"table creatures, column actions\[\]\.attacks\[\]\.to_hit: found String, expected Int32",
        ),
        (
            "equipment.parquet",
            lambda frame: frame.with_columns(properties=pl.lit(["light"])),
            r"table equipment, column properties\[\]: found String, expected Struct",
        ),
        (
            "rules.parquet",
            lambda frame: frame.with_columns(headings=pl.struct(first=pl.lit("combat"))),
            r"table rules, column headings: found Struct, expected List\(String\)",
        ),
        ("vectors.parquet", lambda frame: frame.drop("passage"), "table vectors, column passage: found none"),
    ],
)
def test_a_changed_column_is_refused_naming_table_column_and_types(altered, file, change, said, capsys):
    folder = altered({file: rewrite(change)})
    with pytest.raises(DatasetError, match=said):
        load_dataset(folder)
    (problem,) = verify(folder)
    assert re.match(said, problem)
    assert verify_command(folder) == 1
    assert problem in capsys.readouterr().err


def test_every_change_is_named(altered):
    folder = altered({"spells.parquet": rewrite(lambda frame: frame.drop("slug", "name").cast({"level": pl.Int64}))})
    assert [problem.partition(":")[0] for problem in verify(folder)] == [
        "table spells, column name",
        "table spells, column slug",
        "table spells, column level",
    ]


def test_a_missing_table_is_refused_unless_optional(tmp_path: Path):
    (problem,) = misfits(tmp_path / SPELLS.file, SPELLS)
    assert problem == "table spells: there is no spells.parquet: get a newer dataset (lorekeeper pull)"
    omens = Table("omens", "Omens.", (), (Column("id", pl.String, "Id.", required=True),), optional=True)
    frame = read_table(tmp_path / omens.file, omens)
    assert (frame.height, frame.schema) == (0, pl.Schema({"id": pl.String}))


@pytest.mark.parametrize(
    ("version", "advice"), [(SCHEMA_VERSION + 1, "upgrade the server"), (0, "get a newer dataset")]
)
def test_another_schema_version_is_refused(tiny_folder: Path, tmp_path: Path, version: int, advice: str):
    manifest = json.loads((tiny_folder / "manifest.json").read_bytes())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"schema_version": version}))
    with pytest.raises(DatasetError, match=rf"has schema version {version}, this server reads \d+: {advice}"):
        load_dataset(tmp_path)
    assert advice in verify(tmp_path)[0]
    check_schema_version("2026.11.20", SCHEMA_VERSION)
