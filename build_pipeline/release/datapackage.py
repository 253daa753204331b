"""`datapackage.json`: the tables as a Frictionless data package (Data Package version 2)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import polars as pl

from build_pipeline.release.allowed import AllowList, license_names
from build_pipeline.release.contents import Contents
from build_pipeline.text_files import as_json
from server.dataset.forms.about import enum_rows
from server.dataset.manifest import Manifest
from server.dataset.schema import DOCUMENTS, PUBLISHED_TABLES, TAGS
from server.dataset.tables.columns import Column, PolarsType, Table

DATAPACKAGE_FILE: Final = "datapackage.json"
NAME: Final = "lorekeeper-dataset"
TITLE: Final = "LoreKeeper dataset"
DESCRIPTION: Final = "Rules, spells, creatures, equipment and character options of fifth edition games."

_KEYS: Final = {DOCUMENTS: ["document_key", "source_api"], TAGS: ["entity_id", "tag"]}
"""The columns that identify a row, where that is not `id`."""

_SCALARS: Final[dict[Any, str]] = {
    pl.String: "string",
    pl.Boolean: "boolean",
    pl.Int32: "integer",
    pl.Float64: "number",
}
_INSIDE: Final = {"items": "x-items", "properties": "x-properties"}

Enums = dict[str, list[str]]
"""Path of a column, or of a value inside one, with a closed set of values → the values."""


def datapackage(contents: Contents, manifest: Manifest, allowed: AllowList) -> str:
    """The description, as JSON text."""
    licenses = sorted({name for row in contents.documents for name in license_names(row)})
    enums: Enums = defaultdict(list)
    for row in enum_rows(contents.tables):
        enums[f"{row['table_name']}.{row['column_name']}"].append(row["value"])
    package = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "version": manifest["dataset_version"],
        "created": manifest["built_at"],
        "licenses": [_license(name, allowed) for name in licenses],
        "sources": [_source(entry) for entry in manifest["sources"]],
        "resources": [_resource(table, enums) for table in PUBLISHED_TABLES],
    }
    return as_json(package)


def primary_key(table: Table) -> list[str]:
    """The columns that identify a row."""
    return _KEYS.get(table, ["id"])


def _license(name: str, allowed: AllowList) -> dict[str, str]:
    url = allowed.url(name)
    return {"title": name, **({"path": url} if url else {})}


def _source(entry: dict[str, Any]) -> dict[str, str]:
    return {"title": entry["source"], **({"path": entry["base_url"]} if "base_url" in entry else {})}


def _resource(table: Table, enums: Enums) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.doc,
        "path": table.file,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "schema": {
            "fields": [_field(table, column, enums) for column in table.columns],
            "primaryKey": primary_key(table),
        },
    }


def _field(table: Table, column: Column, enums: Enums) -> dict[str, Any]:
    """A column; values inside it are described as JSON schema in `x-items` or `x-properties`."""
    described = _json_schema(column.dtype, f"{table.name}.{column.name}", enums)
    constraints = {"required": True} if column.required else {}
    if "enum" in described:
        constraints |= {"enum": described.pop("enum")}
    return {
        "name": column.name,
        **{_INSIDE.get(key, key): value for key, value in described.items()},
        "description": table.meaning(column),
        **({"x-unit": column.unit} if column.unit else {}),
        **({"constraints": constraints} if constraints else {}),
    }


def _json_schema(dtype: PolarsType, path: str, enums: Enums) -> dict[str, Any]:
    """The type of the value at a path as JSON schema, with all members named and typed."""
    if isinstance(dtype, pl.List):
        return {"type": "array", "items": _json_schema(dtype.inner, f"{path}[]", enums)}
    if isinstance(dtype, pl.Struct):
        members = {field.name: _json_schema(field.dtype, f"{path}.{field.name}", enums) for field in dtype.fields}
        return {"type": "object", "properties": members}
    values = enums.get(path.removesuffix("[]"))
    return {"type": _SCALARS[dtype.base_type()], **({"enum": values} if values else {})}
