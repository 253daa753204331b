"""`croissant.json`: it has the properties that Croissant 1.0 requires, and describes the files beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from server.dataset.forms.about import type_text
from server.dataset.schema import PUBLISHED_TABLES
from server.dataset.tables.columns import PolarsType

REQUIRED = {
    "sc:Dataset": {"@context", "conformsTo", "name", "description", "license", "creator", "datePublished"}
    | {"version", "distribution", "recordSet"},
    "cr:FileObject": {"@id", "name", "contentUrl", "encodingFormat", "sha256"},
    "cr:RecordSet": {"@id", "name", "field"},
    "cr:Field": {"@id", "name"},
}
DATA_TYPES = {"sc:Text", "sc:Integer", "sc:Float", "sc:Boolean"}


@pytest.fixture(scope="module")
def metadata(starter_dataset: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((starter_dataset / "croissant.json").read_text(encoding="utf-8"))
    return found


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every node with a type of Croissant or schema.org."""
    if isinstance(value, dict):
        if value.get("@type") in REQUIRED:
            yield value
        for name, member in value.items():
            if name != "@context":
                yield from nodes(member)
    elif isinstance(value, list):
        for member in value:
            yield from nodes(member)


def test_required_properties_are_present(metadata: dict[str, Any]) -> None:
    found = list(nodes(metadata))

    assert {node["@type"] for node in found} == set(REQUIRED)
    assert [(node.get("@id"), missing) for node in found if (missing := REQUIRED[node["@type"]] - node.keys())] == []
    assert metadata["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert metadata["@context"]["recordSet"] == "cr:recordSet"


def test_ids_are_unique_and_references_valid(metadata: dict[str, Any]) -> None:
    ids = [node["@id"] for node in nodes(metadata) if "@id" in node]
    assert len(ids) == len(set(ids))
    files = {entry["@id"] for entry in metadata["distribution"]}
    fields = [node for node in nodes(metadata) if node["@type"] == "cr:Field"]
    assert {field["source"]["fileObject"]["@id"] for field in fields if "source" in field} == files
    for records in metadata["recordSet"]:
        key = records["key"] if isinstance(records["key"], list) else [records["key"]]
        assert {part["@id"] for part in key} <= set(ids)


def test_a_field_has_members_or_a_type_and_a_source(metadata: dict[str, Any]) -> None:
    for node in nodes(metadata):
        if node["@type"] == "cr:Field" and "subField" not in node:
            assert node["dataType"] in DATA_TYPES, node["@id"]
            steps = [step["jsonPath"] for step in node["source"].get("transform", [])]
            file, column = node["source"]["fileObject"]["@id"], node["source"]["extract"]["column"]
            assert "/".join((file.removesuffix(".parquet"), column, *steps)) == node["@id"]


def test_the_files_are_those_beside_it(metadata: dict[str, Any], starter_dataset: Path) -> None:
    assert [entry["contentUrl"] for entry in metadata["distribution"]] == [table.file for table in PUBLISHED_TABLES]
    for entry in metadata["distribution"]:
        content = (starter_dataset / entry["contentUrl"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["contentSize"] == f"{len(content)} B"


def test_every_column_and_member_is_a_field_of_its_type(metadata: dict[str, Any]) -> None:
    for table, records in zip(PUBLISHED_TABLES, metadata["recordSet"], strict=True):
        assert [field["name"] for field in records["field"]] == [column.name for column in table.columns]
        for column, field in zip(table.columns, records["field"], strict=True):
            assert_described(field, column.dtype)


def assert_described(field: dict[str, Any], dtype: PolarsType) -> None:
    types = {pl.String: "sc:Text", pl.Boolean: "sc:Boolean", pl.Int32: "sc:Integer", pl.Float64: "sc:Float"}
    assert bool(field.get("repeated")) == isinstance(dtype, pl.List)
    repeated = isinstance(dtype, pl.List)
    while isinstance(dtype, pl.List):
        dtype = dtype.inner
    if isinstance(dtype, pl.Struct):
        described = {member["name"]: member for member in field["subField"]}
        for member in dtype.fields:
            if repeated and isinstance(member.dtype, pl.List) and isinstance(member.dtype.inner, pl.Struct):
                assert member.name not in described  # no loader reads them
                assert f"{member.name}: {type_text(member.dtype)}" in field["description"]
            else:
                assert_described(described[member.name], member.dtype)
    else:
        assert field["dataType"] == types[dtype.base_type()]
