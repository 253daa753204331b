"""Phrases and questions: read, assigned to entities by name, and checked against the books."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from build_pipeline.commands.vocabulary import phrases as check_phrases
from build_pipeline.index.phrases import (
    FOLDER,
    QUESTIONS,
    PhraseError,
    kin_of,
    phrases_of,
    read_phrases,
    read_questions,
    summaries_of,
    unknown_names,
)
from build_pipeline.text_files import TextFileError
from server.dataset.dataset import Dataset
from server.dataset.files import PHRASE_VECTORS_FILE, PHRASES_FILE
from server.dataset.index.phrases import load_phrases
from server.dataset.manifest import DatasetError
from server.dataset.schema import ENTITY_TABLES

GOBLIN = {"kind": "creature", "names": ["Goblin"], "phrases": ["ankle biter", "green cave pest"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Phrases for a goblin only."""
    for table in ENTITY_TABLES:
        (tmp_path / f"{table.name}.jsonl").touch()
    write(tmp_path, GOBLIN)
    return tmp_path


def write(folder: Path, *entries: dict[str, object]) -> None:
    (folder / "creatures.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")


def test_the_repositorys_phrases_are_sorted() -> None:
    read_phrases()
    for path in (*FOLDER.glob("*.jsonl"), *QUESTIONS.glob("*.jsonl")):
        entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert entries == sorted(entries, key=lambda entry: (entry["kind"], entry["names"][0].lower())), path


def test_entities_with_kind_and_name_get_the_phrases(folder: Path) -> None:
    records = [
        {"id": "creature/tob/goblin", "entity_type": "creature", "name": "goblin"},
        {"id": "creature/srd-2014/goblin", "entity_type": "creature", "name": "Goblin"},
        {"id": "race/x/goblin", "entity_type": "race", "name": "Goblin"},
        {"id": "creature/srd-2014/orc", "entity_type": "creature", "name": "Orc"},
    ]
    goblins = ["creature/srd-2014/goblin", "creature/tob/goblin"]
    assert phrases_of(read_phrases(folder), records) == {"ankle biter": goblins, "green cave pest": goblins}
    assert phrases_of(read_phrases(folder), records[2:]) == {}


def creature(name: str, creature_type: str = "monstrosity") -> dict[str, str]:
    return {"id": name, "entity_type": "creature", "name": name, "type": creature_type}


@pytest.mark.parametrize(
    ("asked", "kin"),
    [
        ("Giant Rat", ["Diseased Giant Rat", "Rat, Giant"]),
        ("Gynosphinx", ["Greater Sphinx"]),
        ("Sphinx of Lore", ["Greater Sphinx"]),
        ("Mammoth", []),  # which only ends like "moth"
        ("Wererat", []),
        ("Scholar", []),  # of another type
    ],
)
def test_names_with_the_same_ending_are_kin(folder: Path, asked: str, kin: list[str]) -> None:
    write(folder, {**GOBLIN, "names": [asked]})
    others = ["Corpselight Moth", "Diseased Giant Rat", "Greater Sphinx", "Rat, Giant"]
    records = [*map(creature, (asked, *others)), creature("Night Scholar", "humanoid")]
    expected = dict.fromkeys(("ankle biter", "green cave pest"), kin) if kin else {}
    assert kin_of(read_phrases(folder), records) == expected


def test_an_ending_of_many_names_does_not_mean_kinship(folder: Path) -> None:
    whelps = [f"{color} Whelp" for color in ("Red", "Blue", "Green", "Black", "White")]
    for names, kin in ((whelps[:4], ["Storm Whelp"]), (whelps, [])):
        write(folder, {**GOBLIN, "names": names})
        found = kin_of(read_phrases(folder), map(creature, (*names, "Storm Whelp")))
        assert found.get("ankle biter", []) == kin


def test_creatures_without_a_type_have_no_kin(folder: Path) -> None:
    write(folder, GOBLIN)
    unknown = {"id": "Cave Goblin", "entity_type": "creature", "name": "Cave Goblin"}
    assert kin_of(read_phrases(folder), [creature("Goblin"), unknown, unknown | {"type": None}]) == {}


def test_an_entity_with_phrases_gets_none_of_its_kin(folder: Path) -> None:
    write(folder, GOBLIN, {"kind": "creature", "names": ["Cave Goblin"], "phrases": ["lives below"]})
    assert kin_of(read_phrases(folder), map(creature, ("Goblin", "Cave Goblin"))) == {}


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"phrases": ["ankle biter"]}, "the creature 'goblin' has the phrase 'ankle biter' twice"),
        ({"phrases": ["one " * 15]}, r"line 2: .* has more than 14 words"),
        ({"phrases": ["x" * 201]}, r"line 2: phrases\.0 String should have at most 200 characters"),
        ({"phrases": []}, r"line 2: phrases Tuple should have at least 1 item"),
        ({"weight": 2}, r"line 2: weight Extra inputs are not permitted"),
    ],
)
def test_invalid_lines_are_refused(folder: Path, entry: dict[str, object], complaint: str) -> None:
    write(folder, GOBLIN, {**GOBLIN, "phrases": ["other words"], **entry})
    with pytest.raises(PhraseError, match=complaint):
        read_phrases(folder)


def test_a_question_may_be_longer_than_a_phrase(folder: Path) -> None:
    write(folder, {**GOBLIN, "phrases": ["one " * 34]})
    assert len(read_questions(folder)) == 1
    write(folder, {**GOBLIN, "phrases": ["one " * 35]})
    with pytest.raises(PhraseError, match="has more than 34 words"):
        read_questions(folder)


def test_the_readme_counts_the_questions() -> None:
    entries = read_questions()
    readme = (QUESTIONS / "README.md").read_text(encoding="utf-8")
    assert f"{sum(len(entry.phrases) for entry in entries):,} questions for {len(entries):,} things" in readme


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "rules.jsonl").unlink()
    with pytest.raises(TextFileError, match=r"rules\.jsonl cannot be read"):
        read_phrases(folder)


def test_names_that_no_book_has_are_reported(folder: Path) -> None:
    record = {"entity_type": "creature", "name": "Goblin", "document_key": "tob"}
    assert unknown_names(read_phrases(folder), {"creatures": [record]}) == ["creature Goblin"]
    assert unknown_names(read_phrases(folder), {"creatures": [record | {"document_key": "srd-2014"}]}) == []


def test_the_check_reports_names_that_nothing_has(
    starter_dataset: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = pl.read_parquet(starter_dataset / "creatures.parquet").filter(document_key="srd-2014")["name"][0]
    write(folder, {**GOBLIN, "names": [name]})
    assert check_phrases(starter_dataset, folder=folder) == 0
    write(folder, {**GOBLIN, "names": [name, "Nobody"]})
    assert check_phrases(starter_dataset, folder=folder) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "nothing in the SRDs is the creature Nobody",
        "2 phrases in 1 entries; 1 names that nothing has",
    ]


def test_questions_about_a_thing_are_summarised(folder: Path) -> None:
    write(folder, {**GOBLIN, "phrases": ["ankle biter", "cave pest"]}, {**GOBLIN, "phrases": ["small and mean"]})
    records = [{"id": f"creature/{book}/goblin", "entity_type": "creature", "name": "Goblin"} for book in "ba"]
    questions = ["ankle biter", "cave pest", "small and mean"]
    assert summaries_of(read_questions(folder), records) == {
        "creature goblin: 3 questions": (["creature/a/goblin", "creature/b/goblin"], questions)
    }
    assert summaries_of(read_questions(folder), []) == {}
    assert summaries_of(read_questions(folder), records, 2) == {
        "creature goblin: 2 questions": (["creature/a/goblin", "creature/b/goblin"], questions[:2])
    }
    assert summaries_of(read_questions(folder), records, 0) == {}


def test_a_dataset_has_the_phrases_of_its_entities(dataset: Dataset) -> None:
    said = pl.read_parquet(dataset.path / PHRASES_FILE)
    records = [record for table in ENTITY_TABLES for record in dataset.tables[table.name].to_dicts()]
    expected = phrases_of(read_phrases(), records)
    one_question = 1  # as `starter_dataset` is built
    summaries = {says: ids for says, (ids, _) in summaries_of(read_questions(), records, one_question).items()}
    assert summaries
    expected |= summaries
    assert dict(said.select("says", "entity_ids").iter_rows()) == expected
    kin = kin_of(read_phrases(), records)
    assert dict(said.filter(pl.col("kin_ids").list.len() > 0).select("says", "kin_ids").iter_rows()) == kin
    asked = load_phrases(dataset)
    assert asked is not None
    assert asked.entities.to_list() == list(expected.values())
    assert asked.products.shape == (len(expected), dataset.manifest["encoder"]["dimensions"])


@pytest.fixture
def copied(dataset: Dataset, tmp_path: Path) -> Dataset:
    """The dataset with a copy of its phrases."""
    (tmp_path / "lexicon").mkdir()
    for name in (PHRASES_FILE, PHRASE_VECTORS_FILE):
        shutil.copyfile(dataset.path / name, tmp_path / name)
    return replace(dataset, path=tmp_path)


def test_vectors_of_other_phrases_are_refused(copied: Dataset) -> None:
    file = copied.path / PHRASES_FILE
    pl.read_parquet(file)[1:].write_parquet(file)
    with pytest.raises(DatasetError, match=r"phrases\.int8\.onnx is for vectors of shape"):
        load_phrases(copied)


@pytest.mark.parametrize("column", ["entity_ids", "kin_ids"])
def test_phrases_of_unknown_entities_are_refused(copied: Dataset, column: str) -> None:
    file = copied.path / PHRASES_FILE
    strangers = pl.lit(["creature/nowhere/nobody"]).alias(column)
    pl.read_parquet(file).with_columns(strangers).write_parquet(file)
    with pytest.raises(DatasetError, match="entities that do not exist: 1, such as creature/nowhere/nobody"):
        load_phrases(copied)


def test_phrases_of_older_datasets_have_no_kin(copied: Dataset) -> None:
    file = copied.path / PHRASES_FILE
    pl.read_parquet(file).drop("kin_ids").write_parquet(file)
    asked = load_phrases(copied)
    assert asked is not None
    assert not any(asked.kin.to_list())


def test_older_datasets_have_no_phrases(dataset: Dataset, tmp_path: Path) -> None:
    assert load_phrases(replace(dataset, path=tmp_path)) is None
