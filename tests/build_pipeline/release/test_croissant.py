"""`croissant.json`: the properties that Croissant 1.0 requires, and that it describes the files that lie beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from server.dataset.schema import PUBLISHED_TABLES

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
    """Every node with a type of Croissant's or schema.org's."""
    if isinstance(value, dict):
        if value.get("@type") in REQUIRED:
            yield value
        for name, member in value.items():
            if name != "@context":
                yield from nodes(member)
    elif isinstance(value, list):
        for member in value:
            yield from nodes(member)


def test_nothing_required_is_missing(metadata: dict[str, Any]) -> None:
    found = list(nodes(metadata))

    assert {node["@type"] for node in found} == set(REQUIRED)
    assert [(node.get("@id"), missing) for node in found if (missing := REQUIRED[node["@type"]] - node.keys())] == []
    assert metadata["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert metadata["@context"]["recordSet"] == "cr:recordSet"


def test_ids_are_unique_and_references_lead_to_them(metadata: dict[str, Any]) -> None:
    ids = [node["@id"] for node in nodes(metadata) if "@id" in node]
    assert len(ids) == len(set(ids))
    files = {entry["@id"] for entry in metadata["distribution"]}
    fields = [node for node in nodes(metadata) if node["@type"] == "cr:Field"]
    assert {field["source"]["fileObject"]["@id"] for field in fields if "source" in field} == files
    for records in metadata["recordSet"]:
        key = records["key"] if isinstance(records["key"], list) else [records["key"]]
        assert {part["@id"] for part in key} <= set(ids)


def test_a_field_has_a_type_and_a_source_or_members(metadata: dict[str, Any]) -> None:
    for node in nodes(metadata):
        if node["@type"] == "cr:Field" and "subField" not in node:
            assert node["dataType"] in DATA_TYPES, node["@id"]
            assert node["source"]["extract"]["column"], node["@id"]
        elif node["@type"] == "cr:Field":
            assert node["subField"], node["@id"]


def test_the_files_are_the_ones_beside_it(metadata: dict[str, Any], starter_dataset: Path) -> None:
    assert [entry["contentUrl"] for entry in metadata["distribution"]] == [table.file for table in PUBLISHED_TABLES]
    for entry in metadata["distribution"]:
        content = (starter_dataset / entry["contentUrl"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["contentSize"] == f"{len(content)} B"


def test_every_column_is_a_field_of_its_type(metadata: dict[str, Any]) -> None:
    types = {pl.String: "sc:Text", pl.Boolean: "sc:Boolean", pl.Int32: "sc:Integer", pl.Float64: "sc:Float"}
    for table, records in zip(PUBLISHED_TABLES, metadata["recordSet"], strict=True):
        assert [field["name"] for field in records["field"]] == [column.name for column in table.columns]
        for column, field in zip(table.columns, records["field"], strict=True):
            assert bool(field.get("repeated")) == isinstance(column.dtype, pl.List)
            if not isinstance(column.dtype, pl.List | pl.Struct):
                assert field["dataType"] == types[column.dtype.base_type()]


def test_members_are_found_by_a_path(metadata: dict[str, Any]) -> None:
    creatures = next(records for records in metadata["recordSet"] if records["@id"] == "creatures")
    by_id = {node["@id"]: node for node in nodes(creatures)}

    average = by_id["creatures/actions/attacks/damage/average"]
    assert average["dataType"] == "sc:Float"
    assert average["source"]["transform"] == {"jsonPath": "$[*].attacks[*].damage[*].average"}
    assert by_id["creatures/speed/fly"]["source"]["transform"] == {"jsonPath": "$.fly"}
    assert "transform" not in by_id["creatures/name"]["source"]
