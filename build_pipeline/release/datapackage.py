"""`datapackage.json`: the tables as a Frictionless data package (Data Package version 2)."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from build_pipeline.release.allowed import AllowList, license_names
from build_pipeline.release.contents import Contents
from build_pipeline.text_files import as_json
from server.dataset.columns import Column, Table
from server.dataset.manifest import Manifest
from server.dataset.schema import DOCUMENTS, PUBLISHED_TABLES, TAGS

DATAPACKAGE_FILE: Final = "datapackage.json"
NAME: Final = "lorekeeper-dataset"
TITLE: Final = "LoreKeeper dataset"
DESCRIPTION: Final = "Rules, spells, creatures, equipment and character options of fifth edition games."

_KEYS: Final = {DOCUMENTS: ["document_key", "source_api"], TAGS: ["entity_id", "tag"]}
"""What identifies a row, where that is not `id`."""

_SCALARS: Final[dict[Any, str]] = {
    pl.String: "string",
    pl.Boolean: "boolean",
    pl.Int32: "integer",
    pl.Float64: "number",
}


def datapackage(contents: Contents, manifest: Manifest, allowed: AllowList) -> str:
    """The description, as JSON text."""
    licenses = sorted({name for row in contents.documents for name in license_names(row)})
    package = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "version": manifest["dataset_version"],
        "created": manifest["built_at"],
        "licenses": [_license(name, allowed) for name in licenses],
        "sources": [_source(entry) for entry in manifest["sources"]],
        "resources": [_resource(table) for table in PUBLISHED_TABLES],
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


def _resource(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.doc,
        "path": table.file,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "schema": {"fields": [_field(column) for column in table.columns], "primaryKey": primary_key(table)},
    }


def _field(column: Column) -> dict[str, Any]:
    constraints = {"constraints": {"required": True}} if column.required else {}
    unit = {"x-unit": column.unit} if column.unit else {}
    return {"name": column.name, **_type(column.dtype), "description": column.doc, **unit, **constraints}


def _type(dtype: Any) -> dict[str, Any]:
    """A polars type as a Frictionless type; members of nested types are described as JSON schema in `x-items`."""
    if isinstance(dtype, pl.List):
        return {"type": "array", "x-items": json_schema(dtype.inner)}
    if isinstance(dtype, pl.Struct):
        return {"type": "object", "x-properties": json_schema(dtype)["properties"]}
    return {"type": _scalar(dtype)}


def json_schema(dtype: Any) -> dict[str, Any]:
    """A polars type as JSON schema, all members named and typed."""
    if isinstance(dtype, pl.List):
        return {"type": "array", "items": json_schema(dtype.inner)}
    if isinstance(dtype, pl.Struct):
        return {"type": "object", "properties": {field.name: json_schema(field.dtype) for field in dtype.fields}}
    return {"type": _scalar(dtype)}


def _scalar(dtype: Any) -> str:
    return _SCALARS[dtype if isinstance(dtype, type) else type(dtype)]
