"""A record leaves out what is unknown, also inside its parts: every export and sheet does without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from server.dataset.schema import COMMON
from server.exports.records import FAMILIES, FAMILIES_OF, TARGETS
from server.library.requests.kinds import FAMILY_TABLES
from server.sheets.sheet import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.library.library import Library

Path = tuple[str, ...]

REQUIRED: Final = {"document", *(column.name for column in COMMON if column.required)}
STATED: Final = {"name", "kind", "ability", "bonus", "section", "abilities"}
"""Members without which a part would say nothing: the builder always writes them."""
EACH: Final = "[]"


def paths(value: Any, above: Path = ()) -> Iterator[Path]:
    """The paths to everything in a record that may be unknown."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name not in (STATED if above else REQUIRED):
                yield (*above, name)
            yield from paths(member, (*above, name))
    elif isinstance(value, list):
        for member in value:
            yield from paths(member, (*above, EACH))


def without(value: Any, path: Path) -> Any:
    """A value without what a path leads to."""
    first, *rest = path
    if isinstance(value, list):
        return [without(member, tuple(rest)) for member in value]
    if not isinstance(value, dict):
        return value
    if not rest:
        return {name: member for name, member in value.items() if name != first}
    return {name: without(member, tuple(rest)) if name == first else member for name, member in value.items()}


def records(library: Library, family: str) -> Iterator[dict[str, Any]]:
    for entity_type in FAMILY_TABLES[family].entity_types:
        for document in sorted(library.document_keys):
            for slug in library.slugs(entity_type, document):
                record = library.entity(f"{entity_type}/{document}/{slug}")
                assert record is not None
                yield record


def convert(record: dict[str, Any], family: str) -> None:
    assert render(record)
    for target, write in TARGETS.items():
        if family in FAMILIES_OF.get(target, FAMILIES):
            assert dict(write([record], ""))


@pytest.mark.parametrize("family", FAMILY_TABLES)
def test_no_unknown_fact_stops_an_export_or_a_sheet(library: Library, family: str) -> None:
    tried: set[Path] = set()
    for record in records(library, family):
        new = set(paths(record)) - tried
        for path in new:
            convert(without(record, path), family)
        tried |= new
    assert tried
