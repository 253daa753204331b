"""Check drafts against the schema: a fact of the wrong type is dropped and reported instead of failing the build."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.tables import mismatches
from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.names import normalize_name
from server.dataset.schema import REFERENCE, TABLE_OF
from server.dataset.tables.columns import Table

_VOCABULARY: Final = {path: tuple(closed.meanings) for closed in CLOSED_SETS for path in closed.paths}
_QUOTED: Final = 60
_LONGEST_NAME: Final = 200
"""Characters; the longest name of any public source has about a hundred."""
_COLUMNS: Final = {table.name: {c.name: c.dtype for c in table.columns} for table in set(TABLE_OF.values())}


def conforming(drafts: Iterable[Draft], problems: Problems) -> Iterator[Draft]:
    """The drafts, without facts whose type does not match their column.

    Drafts without a name or a document are dropped; everything dropped is reported in `problems`.
    """
    for draft in drafts:
        nameless = [what for what in ("name", "document_key") if not _is_label(getattr(draft, what))]
        if nameless:
            problems.add(draft.raw[0], f"no {nameless[0]}")
            continue
        if len(draft.name) > _LONGEST_NAME:
            problems.add(draft.raw[0], f"its name has {len(draft.name):,} characters; it is cut after {_LONGEST_NAME}")
            draft.name = draft.name[:_LONGEST_NAME].rstrip()
        draft.keys = tuple(key for key in draft.keys if key)
        table = TABLE_OF[draft.entity_type]
        for column, complaint in list(_complaints(draft, table)):
            problems.add(draft.raw[0], complaint)
            draft.facts[column] = None
        yield draft


def keep_to_vocabulary(entities: Iterable[Entity], problems: Problems) -> None:
    """Drop and report values outside the game's vocabulary, in columns for which it has a closed set.

    The values of these columns appear in tool descriptions, where only the game's own words may appear.
    """
    for entity in entities:
        for column, left, complaint in list(_outside(entity.facts, TABLE_OF[entity.entity_type])):
            problems.add(entity.raw[0], complaint)
            entity.facts[column] = left


def _is_label(text: object) -> bool:
    return isinstance(text, str) and bool(normalize_name(text))


def _complaints(draft: Draft, table: Table) -> Iterator[tuple[str, str]]:
    """(column, complaint about its value) for each of a draft's ill-typed facts."""
    columns = _COLUMNS[table.name]
    for column, value in draft.facts.items():
        dtype = columns[column]
        if complaint := next(mismatches(_resolved(value, dtype), dtype, column), None):
            yield column, complaint


def _outside(facts: Mapping[str, Any], table: Table) -> Iterator[tuple[str, Any, str]]:
    """(column, the rest of its value, complaint) for each fact with values outside the closed set of its column."""
    for column, value in facts.items():
        known = _VOCABULARY.get(f"{table.name}.{column}")
        if known is None:
            continue
        if isinstance(value, str) and value not in known:
            yield column, None, _unknown(column, value, known)
        elif isinstance(value, list) and (strange := [each for each in value if each not in known]):
            yield column, [each for each in value if each in known] or None, _unknown(column, strange[0], known)


def _unknown(column: str, value: object, known: Collection[str]) -> str:
    return f"{column} = {str(value)[:_QUOTED]!r} is not one of {', '.join(known)}"


def _resolved(value: Any, dtype: Any) -> Any:
    """The value with references replaced by what they resolve to: structs, or strings where the column holds ids."""
    if isinstance(value, Reference):
        if dtype == REFERENCE and _is_label(value.name):
            return {"id": None, "name": value.name, "document_key": None}
        return value.name if dtype == pl.String else value
    if isinstance(value, list) and isinstance(dtype, pl.List):
        return [_resolved(part, dtype.inner) for part in value]
    if isinstance(value, dict) and isinstance(dtype, pl.Struct):
        members = {member.name: member.dtype for member in dtype.fields}
        return {name: _resolved(part, members.get(name)) for name, part in value.items()}
    return value
