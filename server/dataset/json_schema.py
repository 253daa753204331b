"""The tables' columns as JSON schema: what a response carries, derived from the one declaration in `schema.py`.

The schemas are read by every client at every start, so they are compact: unknown facts are null, what
several columns share stands once under `$defs`, and members of nested objects are named but not typed.
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
_MAP_FROM: Final = 5
"""From so many members of one type on (abilities, skills), an object is described as a map."""


def definitions() -> dict[str, JsonSchema]:
    """The types that columns refer to, by name: the content of `$defs`."""
    return {name: _nested(dtype) for name, dtype in _SHARED.items()}


def referenced(schema: Any) -> set[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, list):
        return {name for part in schema for name in referenced(part)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"].removeprefix("#/$defs/")} if isinstance(schema.get("$ref"), str) else set()
    return own | referenced(list(schema.values()))


def record_properties(tables: Iterable[Table]) -> dict[str, JsonSchema]:
    """The response fields of these tables' records; a field that not all tables have is named only."""
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
        msg = f"no JSON schema for {dtype}"
        raise TypeError(msg)
    types = {field.dtype for field in dtype.fields}
    members: JsonSchema
    if len(types) == 1 and len(dtype.fields) >= _MAP_FROM:
        members = {"patternProperties": {"^[a-z_]+$": value_schema(types.pop())}}
    else:
        members = {"properties": {field.name: {} for field in dtype.fields}}
    return {"type": ["object", "null"], **members}
