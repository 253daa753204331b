"""`lorekeeper-build vocabulary` on the starter dataset."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

from build_pipeline import cli
from build_pipeline.commands.vocabulary import check, draw
from server.dataset.files import EFFECTS_FILE
from server.dataset.manifest import DatasetError
from server.dataset.schema import ENTITY_TABLES

if TYPE_CHECKING:
    from pathlib import Path

FLIES = '[[tags]]\ntag = "flies"\nphrases = ["flies: airborne, winged"]\nwhere = "speed.fly > 0"\n'


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    """A vocabulary of one tag, which has an effect in any dataset."""
    folder = tmp_path / "vocabulary"
    folder.mkdir()
    for table in ENTITY_TABLES:
        (folder / f"{table.name}.toml").write_text("tags = []", encoding="utf-8")
    (folder / "creatures.toml").write_text(FLIES, encoding="utf-8")
    return folder


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    """A file without verdicts."""
    path = tmp_path / "verdicts.csv"
    path.write_text("tag,entity_id,deserved\n", encoding="utf-8")
    return path


@pytest.fixture
def flying(starter_dataset: Path) -> list[str]:
    creatures = pl.read_parquet(starter_dataset / "creatures.parquet")
    return creatures.filter(pl.col("speed").struct.field("fly") > 0)["id"].to_list()


def test_a_vocabulary_whose_lines_all_have_an_effect_passes(
    starter_dataset: Path, vocabulary: Path, verdicts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(starter_dataset, vocabulary=vocabulary, verdicts=verdicts) == 0
    out = capsys.readouterr().out
    assert "0 lines have no effect" in out
    assert "entities without a tag" in out


def test_lines_without_effect_and_bad_verdicts_fail(
    starter_dataset: Path, vocabulary: Path, verdicts: Path, flying: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with (vocabulary / "creatures.toml").open("a") as stream:
        stream.write('[[tags.exclude]]\nnames = ["Nobody"]\nbecause = "there is none"\n')
    verdicts.write_text(f"tag,entity_id,deserved\nflies,{flying[0]},no\n", encoding="utf-8")
    assert check(starter_dataset, vocabulary=vocabulary, verdicts=verdicts) == 1
    out = capsys.readouterr().out
    assert "creatures: flies: exclude 'Nobody' has no effect" in out
    assert f"flies: {flying[0]} has it but does not deserve it" in out


def test_nine_of_ten_tagged_entities_must_deserve_the_tag(
    starter_dataset: Path, vocabulary: Path, verdicts: Path, flying: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(flying) >= 10
    said = [f"flies,{identity},{'no' if place < 2 else 'yes'}" for place, identity in enumerate(flying[:10])]
    verdicts.write_text("\n".join(["tag,entity_id,deserved", *said]), encoding="utf-8")
    assert check(starter_dataset, vocabulary=vocabulary, verdicts=verdicts, as_json=True) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["below"] == ["", "flies"]
    assert report["measures"]["flies"] == {"read": 10, "deserved": 8}


@pytest.fixture
def previous(starter_dataset: Path, flying: list[str], tmp_path: Path) -> Path:
    """The previous dataset, in which the first flying creature did not fly."""
    folder = tmp_path / "previous"
    shutil.copytree(starter_dataset, folder, ignore=shutil.ignore_patterns("raw", "encoder"))
    before = pl.DataFrame({"says": ["flies: airborne, winged"], "entity_ids": [flying[1:]]})
    before.write_parquet(folder / EFFECTS_FILE)
    return folder


def test_changes_of_reach_are_reported(
    starter_dataset: Path, vocabulary: Path, verdicts: Path, previous: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(starter_dataset, previous=previous, vocabulary=vocabulary, verdicts=verdicts, as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    (change,) = report["changes"]
    assert change["phrase"] == "flies: airborne, winged"
    assert (len(change["gained"]), change["lost"]) == (1, [])


def test_a_sample_is_written_as_csv(
    starter_dataset: Path, vocabulary: Path, flying: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw(starter_dataset, number=3, seed=7, vocabulary=vocabulary) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == 3
    assert {row["tag"] for row in rows} == {"flies"}
    assert {row["entity_id"] for row in rows} <= set(flying)
    assert all(row["evidence"].startswith("speed.fly: ") for row in rows)


def test_a_folder_that_is_not_a_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"manifest\.json"):
        check(tmp_path)


def test_a_damaged_table_gives_one_line(
    starter_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = shutil.copytree(starter_dataset, tmp_path / "damaged")
    table = damaged / ENTITY_TABLES[0].file
    table.write_bytes(table.read_bytes()[:-100])
    for command in (["vocabulary", "check", damaged], ["check", damaged], ["diff", starter_dataset, damaged]):
        monkeypatch.setattr(sys, "argv", ["lorekeeper-build", *map(str, command)])
        with pytest.raises(SystemExit, match="1"):
            cli.main()
        err = capsys.readouterr().err.splitlines()[-1]
        assert err.startswith("lorekeeper-build: ")
        assert table.name in err
