"""The dataset as SQLite, JSON lines and CSV, each of which equals the Parquet tables."""

from __future__ import annotations

import csv
import json
import sqlite3
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.compatibility import read_table
from server.dataset.dataset import Dataset
from server.dataset.forms.about import EXPLAINING_TABLES, type_text
from server.dataset.forms.forms import FORMS, write_form
from server.dataset.manifest import DatasetError
from server.dataset.paths import resolve
from server.dataset.schema import PUBLISHED_TABLES
from server.dataset.strict_json import dump_json
from server.dataset.tables.columns import Table

TABLES = (*PUBLISHED_TABLES, *EXPLAINING_TABLES)


@pytest.fixture(scope="module")
def forms(starter_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter dataset in every form, each under the form's name."""
    folder = tmp_path_factory.mktemp("forms")
    for form in FORMS:
        write_form(form, starter_dataset, folder / form)
    return folder


def described(rows: list[dict[str, object]]) -> dict[tuple[str, str], tuple[str, bool]]:
    """(table, column) → its type and whether it is JSON text, as the form describes them."""
    return {(row["table_name"], row["column_name"]): (row["type"], row["is_json"]) for row in rows}


def restored(value: object, kind: str, *, is_json: bool) -> object:
    """The value of a cell under its described type; an empty cell is null."""
    if value in ("", None):
        return None
    if is_json:
        return json.loads(value)
    return {"int32": int, "float64": float, "boolean": {"true": True, "false": False}.get, "string": str}[kind](value)


def from_sqlite(folder: Path) -> dict[str, list[dict[str, object]]]:
    connection = sqlite3.connect(folder / "sqlite")
    connection.row_factory = sqlite3.Row
    tables = {t.name: [dict(row) for row in connection.execute(f'SELECT * FROM "{t.name}"')] for t in TABLES}
    connection.close()
    kinds = described(tables["columns"])
    for name, rows in tables.items():
        for row in rows:
            for column, value in row.items():
                kind, is_json = kinds[name, column]
                if value is not None and (is_json or kind == "boolean"):
                    row[column] = json.loads(value) if is_json else bool(value)
    return tables


def from_jsonl(folder: Path) -> dict[str, list[dict[str, object]]]:
    return {
        t.name: [json.loads(line) for line in (folder / "jsonl" / f"{t.name}.jsonl").open(encoding="utf-8")]
        for t in TABLES
    }


def from_csv(folder: Path) -> dict[str, list[dict[str, object]]]:
    def read(name: str) -> list[dict[str, str]]:
        with (folder / "csv" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    kinds = described([row | {"is_json": row["is_json"] == "true"} for row in read("columns")])
    return {
        t.name: [
            {c: restored(v, kinds[t.name, c][0], is_json=kinds[t.name, c][1]) for c, v in row.items()}
            for row in read(t.name)
        ]
        for t in TABLES
    }


READERS = {"sqlite": from_sqlite, "jsonl": from_jsonl, "csv": from_csv}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_equals_the_parquet_tables(form: str, forms: Path, starter_dataset: Path) -> None:
    csv.field_size_limit(10_000_000)
    tables = READERS[form](forms)

    for table in PUBLISHED_TABLES:
        expected = read_table(starter_dataset / table.file, table)
        assert expected.height
        assert_frame_equal(pl.DataFrame(tables[table.name], schema=table.schema), expected)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_describes_its_columns(form: str, forms: Path) -> None:
    csv.field_size_limit(10_000_000)
    rows = READERS[form](forms)["columns"]

    assert described(rows) == {
        (table.name, column.name): (type_text(column.dtype), isinstance(column.dtype, pl.List | pl.Struct))
        for table in TABLES
        for column in table.columns
    }
    spell_range = next(row for row in rows if row["column_name"] == "range_feet")
    assert (spell_range["unit"], spell_range["introduced_in"]) == ("feet", "1.7")


def test_the_sqlite_file_is_sound_and_its_tables_are_strict(forms: Path) -> None:
    connection = sqlite3.connect(forms / "sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
        connection.execute("UPDATE spells SET level = 'third'")
    connection.close()


def test_full_text_search_finds_names_first_and_texts_inside_records(forms: Path, dataset: Dataset) -> None:
    connection = sqlite3.connect(forms / "sqlite")

    def found(words: str) -> list[str]:
        query = "SELECT id FROM text_search WHERE text_search MATCH ? ORDER BY rank"
        return [row[0] for row in connection.execute(query, (words,))]

    assert found("fireball")[0].startswith("spell/")
    entities = sum(frame.height for frame in dataset.tables.values())
    assert connection.execute("SELECT count(*) FROM text_search").fetchone() == (entities,)
    creatures = dataset.tables["creatures"].filter(pl.col("traits").list.len() > 0)
    creature = creatures.row(0, named=True)
    trait = creature["traits"][0]["name"]
    assert creature["id"] in found(f'"{trait}"')
    connection.close()


def test_enums_list_every_value_of_their_columns(starter_dataset: Path, forms: Path) -> None:
    tables = {table.name: table for table in PUBLISHED_TABLES}
    for closed in CLOSED_SETS:
        for path in closed.paths:
            name, _, column = path.partition(".")
            frame = read_table(starter_dataset / tables[name].file, tables[name])
            values = frame.select(resolve(tables[name], column)[0].alias("v"))["v"]
            flat = values.explode() if values.dtype == pl.List else values
            assert set(flat.drop_nulls()) <= set(closed.meanings), path
    enums = from_sqlite(forms)["enums"]
    assert all(row["meaning"] for row in enums)
    assert sum(row["row_count"] for row in enums if row["column_name"] == "school") > 0


def test_a_homebrew_value_is_listed_without_a_meaning(starter_dataset: Path) -> None:
    from server.dataset.forms.about import explaining_frames
    from server.dataset.manifest import read_manifest

    frames = {table.name: read_table(starter_dataset / table.file, table) for table in PUBLISHED_TABLES}
    frames["spells"] = frames["spells"].with_columns(school=pl.lit("chronomancy"))
    enums = explaining_frames(frames, read_manifest(starter_dataset), "")["enums"]
    schools = enums.filter(pl.col("column_name") == "school")

    assert schools.filter(value="chronomancy").select("meaning", "row_count").row(0) == (None, frames["spells"].height)
    assert schools.filter(value="evocation")["row_count"].item() == 0


def test_a_form_can_be_limited_to_documents(starter_dataset: Path, tmp_path: Path) -> None:
    write_form("sqlite", starter_dataset, tmp_path / "one.sqlite", {"srd-2024"})
    connection = sqlite3.connect(tmp_path / "one.sqlite")

    for table in ("documents", "spells", "creatures", "equipment", "rules"):
        keys = connection.execute(f"SELECT DISTINCT document_key FROM {table}").fetchall()
        assert keys == [("srd-2024",)]
    assert connection.execute("SELECT count(*) FROM tags").fetchone()[0] > 0
    stray = "SELECT count(*) FROM tags WHERE entity_id NOT LIKE '%/srd-2024/%'"
    assert connection.execute(stray).fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize("form", FORMS)
def test_the_same_dataset_gives_the_same_bytes(form: str, forms: Path, starter_dataset: Path, tmp_path: Path) -> None:
    write_form(form, starter_dataset, tmp_path / form)
    again = [tmp_path / form] if form == "sqlite" else sorted((tmp_path / form).iterdir())

    assert again
    for path in again:
        assert path.read_bytes() == (forms / path.relative_to(tmp_path)).read_bytes()


def test_an_export_replaces_only_an_earlier_one(starter_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_form("csv", starter_dataset, out)
    write_form("csv", starter_dataset, out)
    assert (out / "NOTICE.md").is_file()

    (out / "thesis.tex").write_text("\\dots")
    with pytest.raises(FileExistsError, match=r"holds what no export wrote.*: thesis\.tex; move that elsewhere"):
        write_form("csv", starter_dataset, out)
    with pytest.raises(FileExistsError, match="is a folder; name the file"):
        write_form("sqlite", starter_dataset, out)
    with pytest.raises(FileExistsError, match="is a file; name a new folder"):
        write_form("jsonl", starter_dataset, out / "thesis.tex")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_a_folder_that_is_not_a_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="is not a dataset"):
        write_form("sqlite", tmp_path, tmp_path / "x.sqlite")
    assert not (tmp_path / "x.sqlite").exists()


def test_types_are_written_as_text() -> None:
    assert type_text(pl.List(pl.Struct({"a": pl.Int32, "b": pl.List(pl.String)}))) == (
        "list<struct<a: int32, b: list<string>>>"
    )
    assert dump_json({"name": "Œuvre", "n": None}) == '{"name":"Œuvre","n":null}'


def test_descriptive_tables_are_declared_like_others() -> None:
    assert all(isinstance(table, Table) and table.doc and all(c.doc for c in table.columns) for table in TABLES)
