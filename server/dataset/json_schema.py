"""The tables' columns as JSON schema: what a response carries, derived from the one declaration in `schema.py`.

Schemas are compact: unknown facts are null, objects are closed, and nested types that several columns share are
written once under `$defs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.schema import ACTION, ATTACK, CHILD, NAMED_TEXT, REFERENCE, SPEED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.dataset.schema import Table

JsonSchema = dict[str, Any]

_SHARED: Final[dict[str, pl.Struct]] = {
    "action": ACTION,
    "attack": ATTACK,
    "child": CHILD,
    "named_text": NAMED_TEXT,
    "reference": REFERENCE,
    "speed": SPEED,
}
_MANY: Final = 5
"""From so many members of one type on (abilities, skills), an object is described as a map."""


def definitions() -> dict[str, JsonSchema]:
    """The nested types that columns refer to, by name: the content of `$defs`."""
    return {name: _object_schema(struct) for name, struct in _SHARED.items()}


def referenced(schema: Any, known: Mapping[str, JsonSchema]) -> set[str]:
    """The names of the definitions that a schema refers to, directly or through others."""
    found: set[str] = set()
    if isinstance(schema, dict):
        name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
        if name in known:
            found |= {name} | referenced(known[name], known)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            found |= referenced(part, known)
    return found


def record_properties(tables: Iterable[Table]) -> dict[str, JsonSchema]:
    """The response fields of these tables' records; a field whose type differs between tables takes either."""
    properties: dict[str, JsonSchema] = {}
    for table in tables:
        for column in table.columns:
            if column.response:
                schema = value_schema(column.dtype, nullable=not column.required)
                known = properties.get(column.name, schema)
                properties[column.name] = known if known == schema else _either(known, schema)
    return properties


def value_schema(dtype: pl.DataType | type[pl.DataType], *, nullable: bool = True) -> JsonSchema:
    """The JSON schema of a polars type."""
    if isinstance(dtype, pl.List):
        return {"type": _types("array", nullable=nullable), "items": value_schema(dtype.inner, nullable=False)}
    if isinstance(dtype, pl.Struct):
        name = next((name for name, struct in _SHARED.items() if struct == dtype), None)
        return {"$ref": f"#/$defs/{name}"} if name else _object_schema(dtype)
    if dtype == pl.String:
        return {"type": _types("string", nullable=nullable)}
    if dtype == pl.Boolean:
        return {"type": _types("boolean", nullable=nullable)}
    if dtype == pl.Int32:
        return {"type": _types("integer", nullable=nullable)}
    if dtype == pl.Float64:
        return {"type": _types("number", nullable=nullable)}
    msg = f"no JSON schema for {dtype}"
    raise TypeError(msg)


def _object_schema(struct: pl.Struct) -> JsonSchema:
    members = {field.name: value_schema(field.dtype) for field in struct.fields}
    first, *others = members.values()
    if len(others) + 1 >= _MANY and all(schema == first for schema in others):
        return {"type": ["object", "null"], "patternProperties": {"^[a-z_]+$": first}, "additionalProperties": False}
    return {"type": ["object", "null"], "properties": members, "additionalProperties": False}


def _types(name: str, *, nullable: bool) -> str | list[str]:
    return [name, "null"] if nullable else name


def _either(one: JsonSchema, other: JsonSchema) -> JsonSchema:
    if one.keys() == other.keys() == {"type"}:
        kinds = [kind for schema in (one, other) for kind in _as_list(schema["type"])]
        return {"type": list(dict.fromkeys(sorted(kinds, key=lambda kind: kind == "null")))}
    return {"anyOf": [one, other]}


def _as_list(kinds: str | list[str]) -> list[str]:
    return [kinds] if isinstance(kinds, str) else kinds
