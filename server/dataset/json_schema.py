"""JSON schemas of response fields, derived from the declaration of columns in `schema.py`.

Every client reads the schemas at every start, so they are compact: unknown facts are null, types that several columns
share are defined once under `$defs`, and members of nested objects are named but not typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.schema import ACTION, CHILD, NAMED_TEXT, REFERENCE, SPEED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.dataset.columns import PolarsType, Table

JsonSchema = dict[str, Any]

_SHARED: Final[dict[str, PolarsType]] = {
    "action": ACTION,
    "child": CHILD,
    "named_text": NAMED_TEXT,
    "reference": REFERENCE,
    "speed": SPEED,
    "texts": pl.List(pl.String),
}
_SCALARS: Final = {pl.String: "string", pl.Boolean: "boolean", pl.Int32: "integer", pl.Float64: "number"}
_MIN_MAP_MEMBERS: Final = 5
"""An object with at least this many members, all of one type (abilities, skills), is described as a map."""


def definitions() -> dict[str, JsonSchema]:
    """The content of `$defs`: name → schema of each shared type."""
    return {name: _nested(dtype) for name, dtype in _SHARED.items()}


def referenced(schema: Any) -> set[str]:
    """Names of the definitions that a schema refers to."""
    if isinstance(schema, list):
        return {name for part in schema for name in referenced(part)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"].removeprefix("#/$defs/")} if isinstance(schema.get("$ref"), str) else set()
    return own | referenced(list(schema.values()))


def record_properties(tables: Iterable[Table]) -> dict[str, JsonSchema]:
    """The response fields of the tables' records; a field that not all tables have is named but not typed."""
    tables = tuple(tables)
    columns = {column.name: column for table in tables for column in table.columns if column.response}
    return {
        name: value_schema(column.dtype, nullable=not column.required)
        if all(name in table.schema for table in tables)
        else {}
        for name, column in columns.items()
    }


def value_schema(dtype: PolarsType, *, nullable: bool = True) -> JsonSchema:
    """The JSON schema of a polars type."""
    for scalar, name in _SCALARS.items():
        if dtype == scalar:
            return {"type": [name, "null"] if nullable else name}
    shared = next((name for name, known in _SHARED.items() if known == dtype), None)
    return {"$ref": f"#/$defs/{shared}"} if shared else _nested(dtype)


def _nested(dtype: PolarsType) -> JsonSchema:
    if isinstance(dtype, pl.List):
        return {"type": ["array", "null"], "items": value_schema(dtype.inner, nullable=False)}
    if not isinstance(dtype, pl.Struct):
        msg = f"there is no JSON schema for the polars type {dtype}"
        raise TypeError(msg)
    types = {field.dtype for field in dtype.fields}
    members: JsonSchema
    if len(types) == 1 and len(dtype.fields) >= _MIN_MAP_MEMBERS:
        members = {"patternProperties": {"^[a-z_]+$": value_schema(types.pop())}}
    else:
        members = {"properties": {field.name: {} for field in dtype.fields}}
    return {"type": ["object", "null"], **members}
