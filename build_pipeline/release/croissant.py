"""`croissant.json`: the tables as Croissant metadata (JSON-LD of MLCommons, version 1.0)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import polars as pl

from build_pipeline.release.allowed import AllowList, license_names
from build_pipeline.release.contents import Contents
from build_pipeline.release.datapackage import DESCRIPTION, NAME, TITLE, primary_key
from build_pipeline.text_files import as_json
from server.dataset.files import NOTICE_FILE
from server.dataset.forms.about import is_json, type_text
from server.dataset.manifest import Manifest, file_sha256
from server.dataset.schema import PUBLISHED_TABLES
from server.dataset.tables.columns import Column, PolarsType, Table

CROISSANT_FILE: Final = "croissant.json"

_TERMS: Final = (
    *("citeAs", "column", "extract", "field", "fileObject", "fileProperty", "fileSet", "format", "includes"),
    *("isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("equivalentProperty", "repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
_CONTEXT: Final[dict[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
_PARQUET: Final = "application/x-parquet"
_SCALARS: Final[dict[Any, str]] = {
    pl.String: "sc:Text",
    pl.Boolean: "sc:Boolean",
    pl.Int32: "sc:Integer",
    pl.Float64: "sc:Float",
}


def croissant(folder: Path, contents: Contents, manifest: Manifest, allowed: AllowList) -> str:
    """The description of the tables in `folder`, as JSON text."""
    names = sorted({name for row in contents.documents for name in license_names(row)})
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": NAME,
        "alternateName": TITLE,
        "description": DESCRIPTION,
        "version": manifest["dataset_version"],
        "datePublished": manifest["built_at"],
        "license": [allowed.url(name) or name for name in names],
        "creator": {"@type": "sc:Organization", "name": "LoreKeeper"},
        "isLiveDataset": False,
        "citeAs": f"{TITLE} {manifest['dataset_version']}; the credits of its documents are in {NOTICE_FILE}",
        "distribution": [_file(folder, table) for table in PUBLISHED_TABLES],
        "recordSet": [_record_set(table) for table in PUBLISHED_TABLES],
    }
    return as_json(described)


def _file(folder: Path, table: Table) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": table.file,
        "name": table.file,
        "description": table.doc,
        "contentUrl": table.file,
        "encodingFormat": _PARQUET,
        "contentSize": f"{(folder / table.file).stat().st_size} B",
        "sha256": file_sha256(folder / table.file),
    }


def _record_set(table: Table) -> dict[str, Any]:
    key = [{"@id": f"{table.name}/{name}"} for name in primary_key(table)]
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.doc,
        "key": key[0] if len(key) == 1 else key,
        "field": [_column(table, column) for column in table.columns],
    }


def _column(table: Table, column: Column) -> dict[str, Any]:
    source = {"fileObject": {"@id": table.file}, "extract": {"column": column.name}}
    field = _field(f"{table.name}/{column.name}", column.dtype, source)
    sentences = (table.meaning(column), f"Unit: {column.unit}." if column.unit else "", field.get("description", ""))
    return field | {"description": " ".join(filter(None, sentences))}


def _field(identity: str, dtype: PolarsType, source: dict[str, Any], steps: tuple[str, ...] = ()) -> dict[str, Any]:
    """A column or a member of one; lists repeat, and a struct's members are fields below it.

    mlcroissant follows the steps to a member one after the other, each from every item of a list. It cannot step from a
    list in a list, and then reads nothing of the table: such lists of structs are described in words instead.
    """
    field: dict[str, Any] = {"@type": "cr:Field", "@id": identity, "name": identity.rpartition("/")[2]}
    if isinstance(dtype, pl.List):
        field["repeated"] = True
    item = _item(dtype)
    if isinstance(item, pl.Struct):
        deep = [m for m in item.fields if "repeated" in field and m.dtype != _item(m.dtype) and is_json(_item(m.dtype))]
        if deep:
            more = "; ".join(f"{member.name}: {type_text(member.dtype)}" for member in deep)
            field["description"] = f"Each also has members that datapackage.json describes: {more}."
        members = [member for member in item.fields if member not in deep]
        return field | {
            "subField": [_field(f"{identity}/{m.name}", m.dtype, source, (*steps, m.name)) for m in members]
        }
    transform = {"transform": [{"jsonPath": step} for step in steps]} if steps else {}
    return field | {"dataType": _SCALARS[item.base_type()], "source": source | transform}


def _item(dtype: PolarsType) -> PolarsType:
    """The type of a list's items, however deeply nested; for any other type, the type itself."""
    return _item(dtype.inner) if isinstance(dtype, pl.List) else dtype
