"""The JSON types of each endpoint's fields, as the normalisers expect them.

They are in `field_types.json`: endpoint → types → paths. A value of another type would be misread later, so the
snapshot checks for it. Undeclared fields are not checked, and null instead of a scalar is an unknown value, not another
type.
After an API changed and the normalisers were adapted, regenerate the table: `lorekeeper-build field-types SNAPSHOT`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.text_files import write_json

TABLE: Final = Path(__file__).with_name("field_types.json")

_NAMES: Final = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
    type(None): "null",
}
_ABSENT: Final = "absent"
_EMPTY: Final = "empty"
_ENOUGH: Final = 10
"""Minimum number of objects for a field that all but one have to count as expected."""
_CONTAINERS: Final = {"array", "object"}
_DEPTH: Final = 2
"""Depth of objects described. Deeper ones are lists of choices of varying form."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A field of the wrong type. `field` is a path such as `document.key` or `classes[].name`."""

    field: str
    expected: str
    found: str


def json_type(value: object) -> str:
    """JSON's name for a parsed value's type."""
    return _NAMES[type(value)]


def mismatches(source: str, endpoint: str, value: Mapping[str, Any]) -> Iterator[Mismatch]:
    """The fields of an object with undeclared types, each path once."""
    declared = _declared().get(f"{source}/{endpoint}", {})
    seen: dict[str, Mismatch] = {}
    for path, found in _paths(value, "", _DEPTH):
        types = declared.get(path)
        if types is not None and found not in types and path not in seen:
            seen[path] = Mismatch(path, " or ".join(sorted(types - {_EMPTY, _ABSENT})), found)
    yield from seen.values()


def missing_fields(source: str, endpoint: str, value: Mapping[str, Any]) -> Iterator[str]:
    """The declared fields that an object lacks, although no object did when they were declared."""
    for path, types in _declared().get(f"{source}/{endpoint}", {}).items():
        if path.isidentifier() and path not in value and _ABSENT not in types:
            yield path


def empty_lists(source: str, endpoint: str, value: Mapping[str, Any]) -> Iterator[str]:
    """The declared fields that are empty lists in an object, although none was when they were declared."""
    for path, types in _declared().get(f"{source}/{endpoint}", {}).items():
        if path.isidentifier() and value.get(path) == [] and "array" in types and _EMPTY not in types:
            yield path


def lacking_one(source: str, endpoint: str, objects: Sequence[RawObject]) -> Iterator[tuple[str, RawObject]]:
    """Undeclared fields that all but one of an endpoint's objects have, with that one."""
    declared = _declared().get(f"{source}/{endpoint}", {})
    having = Counter(name for obj in objects for name in obj.data if name not in declared)
    if len(objects) >= _ENOUGH:
        for name in sorted(name for name, number in having.items() if number == len(objects) - 1):
            yield name, next(obj for obj in objects if name not in obj.data)


def describe(layer: RawLayer, endpoints: Iterable[Endpoint]) -> dict[str, dict[str, list[str]]]:
    """The table of a snapshot: endpoint → types → paths."""
    keys = {(endpoint.source, endpoint.name): endpoint.key for endpoint in endpoints}
    table = {}
    for (source, endpoint), objects in sorted(layer.endpoints.items()):
        if key := keys.get((source, endpoint)):
            table[f"{source}/{endpoint}"] = _describe([o.data for o in objects.values()], {key, "name"})
    return table


def _describe(values: Sequence[Mapping[str, Any]], identity: set[str]) -> dict[str, list[str]]:
    types: dict[str, set[str]] = defaultdict(set)
    for value in values:
        for path, found in _paths(value, "", _DEPTH):
            types[path].add(found)
    paths: dict[str, list[str]] = defaultdict(list)
    for path, kinds in types.items():
        # A field that was always null has no known type.
        if kinds == {"null"}:
            continue
        if path.isidentifier() and any(path not in value for value in values):
            kinds.add(_ABSENT)
        if path.isidentifier() and any(value.get(path) == [] for value in values):
            kinds.add(_EMPTY)
        if not kinds & _CONTAINERS and path not in identity:
            kinds.add("null")
        paths[" ".join(sorted(kinds))].append(path)
    return {kinds: sorted(paths[kinds]) for kinds in sorted(paths)}


def _paths(value: object, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every path in a value with the type found there."""
    if path:
        yield path, json_type(value)
    if isinstance(value, dict) and depth:
        for name, member in value.items():
            # Other keys are data, such as a skill's name, rather than fields.
            if name.isidentifier():
                yield from _paths(member, f"{path}.{name}" if path else name, depth - 1)
    elif isinstance(value, list):
        for element in value:
            yield from _paths(element, f"{path}[]", depth)


@cache
def _declared() -> dict[str, dict[str, frozenset[str]]]:
    """Endpoint → path → types."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    return {
        endpoint: {path: frozenset(kinds.split()) for kinds, paths in by_kinds.items() for path in paths.split()}
        for endpoint, by_kinds in table.items()
    }


def write_table(layer: RawLayer, endpoints: Iterable[Endpoint], path: Path = TABLE) -> None:
    """Write the table of a snapshot."""
    table = describe(layer, endpoints)
    lines = {endpoint: {kinds: " ".join(paths) for kinds, paths in rows.items()} for endpoint, rows in table.items()}
    write_json(path, lines)
