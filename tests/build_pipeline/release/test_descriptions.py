"""Descriptions beside the tables: notice, card, data package, report."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starter_rows import STARTER

from build_pipeline.release.allowed import AllowList
from build_pipeline.release.card import type_name
from build_pipeline.release.notice import notice
from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.manifest import read_manifest
from server.dataset.schema import PUBLISHED_TABLES


def test_the_manifest_has_their_hashes(small_dataset: Path) -> None:
    files = read_manifest(small_dataset)["files"]

    assert {"NOTICE.md", "README.md", "datapackage.json", "report.html", "snapshot.json", "checks.json"} <= files.keys()


def test_the_snapshots_notice_is_in_manifest_and_card(small_dataset: Path) -> None:
    told = json.loads((STARTER / "snapshot.json").read_text(encoding="utf-8"))["notice"]

    assert read_manifest(small_dataset).get("notice") == told
    assert f"**{told}**" in (small_dataset / "README.md").read_text(encoding="utf-8").splitlines()[:4]


def test_the_notice_credits_every_document_and_has_the_licences(small_dataset: Path) -> None:
    text = (small_dataset / "NOTICE.md").read_text(encoding="utf-8")

    for key in ("core", "srd-2014", "srd-2024"):
        assert f"(`{key}`)" in text
    assert "Share and adapt freely, as long as the authors are credited." in text
    assert "System Reference Document 5.2 by Wizards of the Coast" in text
    assert "Attribution 4.0 International License available at <https://creativecommons.org/licenses/by/4.0/" in text
    section_15 = text.partition("section 15")[2]
    assert "Game facts from the System Reference Document 5.1" in section_15
    assert "5.2" not in section_15  # it is not under the Open Game License


def test_a_document_without_licence_must_not_be_redistributed(allowed: AllowList) -> None:
    row: dict[str, Any] = dict.fromkeys(("publisher", "author", "license", "attribution", "permalink"))
    row |= {"document_key": "coast", "document_name": "The Coast"}

    assert "none is known; do not pass it on" in notice([row], allowed, {})


def test_a_prescribed_credit_is_separate_from_section_15_notices(allowed: AllowList) -> None:
    credit = (
        "This work includes lamps and is licensed under the Creative Commons Attribution 4.0 International License."
    )
    row: dict[str, Any] = {
        "document_key": "lamps",
        "document_name": "Lamps",
        "publisher": "Lantern Press",
        "author": "A. Author",
        "license": "Creative Commons Attribution 4.0, Open Game License 1.0a",
        "attribution": credit,
        "copyright": "Lamps. Copyright 2016, Lantern Press",
        "permalink": "https://example.org",
    }
    text = notice([row], allowed, {})
    told, _, section_15 = text.partition("section 15")
    assert f"- Credit: {credit}" in told
    assert told.count("Creative Commons Attribution 4.0 International") == 1
    for other in ("Lantern Press", "A. Author", "https://example.org"):
        assert other not in told
    assert "Lamps. Copyright 2016, Lantern Press" in section_15
    assert credit not in section_15


def test_the_card_explains_every_column(small_dataset: Path) -> None:
    text = (small_dataset / "README.md").read_text(encoding="utf-8")

    for table in PUBLISHED_TABLES:
        section = text.partition(f"## {table.file}\n")[2].partition("\n## ")[0]
        for column in table.columns:
            assert f"| `{column.name}` |" in section


def test_the_card_names_every_file(small_dataset: Path) -> None:
    text = (small_dataset / "README.md").read_text(encoding="utf-8")
    beside = {path.name for path in small_dataset.iterdir()} - {"README.md", "raw"}
    assert {name for name in beside if name not in text} == set()


@pytest.mark.parametrize(
    ("dtype", "words"),
    [
        (pl.Int32, "integer"),
        (pl.List(pl.String), "list of text"),
        (pl.Struct({"a": pl.Int32, "b": pl.Int32}), "{a, b: integer}"),
        (pl.List(pl.Struct({"a": pl.Boolean, "b": pl.Float64})), "list of {a: yes/no, b: number}"),
    ],
)
def test_types_are_described_in_words(dtype: Any, words: str) -> None:
    assert type_name(dtype) == words


def test_the_data_package_has_the_values_of_every_closed_set(small_dataset: Path) -> None:
    package = json.loads((small_dataset / "datapackage.json").read_text(encoding="utf-8"))
    fields = {f"{r['name']}.{field['name']}": field for r in package["resources"] for field in r["schema"]["fields"]}

    for closed in CLOSED_SETS:
        for path in closed.paths:
            table, column, *inside = path.split(".")
            field = fields[f"{table}.{column.removesuffix('[]')}"]
            for member in inside:
                described = field.get("x-items") or field.get("items") or field
                members = described.get("x-properties") or described["properties"]
                field = members[member.removesuffix("[]")]
            values = field.get("constraints") or field.get("x-items") or field.get("items") or field
            assert set(values["enum"]) >= set(closed.meanings), path


def test_descriptions_for_machines_say_which_types_have_a_column(small_dataset: Path) -> None:
    package = json.loads((small_dataset / "datapackage.json").read_text(encoding="utf-8"))
    (equipment,) = (resource for resource in package["resources"] if resource["name"] == "equipment")
    described = {field["name"]: field["description"] for field in equipment["schema"]["fields"]}
    assert described["charges"].endswith(" Only for: magic-item.")
    assert "Only for" not in described["name"]

    metadata = json.loads((small_dataset / "croissant.json").read_text(encoding="utf-8"))
    (records,) = (records for records in metadata["recordSet"] if records["name"] == "equipment")
    told = {field["name"]: field["description"] for field in records["field"]}
    assert "Only for: weapon, magic-item." in told["range"]
    assert "Only for" not in told["name"]


def test_the_data_package_describes_the_files(small_dataset: Path) -> None:
    package = json.loads((small_dataset / "datapackage.json").read_text(encoding="utf-8"))

    kinds = {"string": pl.String, "integer": pl.Int32, "number": pl.Float64, "boolean": pl.Boolean}
    for resource in package["resources"]:
        frame = pl.read_parquet(small_dataset / resource["path"])
        fields = resource["schema"]["fields"]
        assert [f["name"] for f in fields] == frame.columns
        for field in fields:
            if field["type"] in kinds:
                assert frame.schema[field["name"]] == kinds[field["type"]]
            constraints = field.get("constraints", {})
            if constraints.get("required"):
                assert frame[field["name"]].null_count() == 0
            if "enum" in constraints:
                assert set(frame[field["name"]].drop_nulls()) <= set(constraints["enum"])
        assert not frame.select(resource["schema"]["primaryKey"]).is_duplicated().any()
    assert {x["title"] for x in package["licenses"]} == {"Creative Commons Attribution 4.0", "Open Game License 1.0a"}
    assert all(x["path"].startswith("https://") for x in package["licenses"])
