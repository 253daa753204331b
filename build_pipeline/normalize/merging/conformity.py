"""Check drafts against the schema: a fact of the wrong type is dropped and reported instead of failing the build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import polars as pl

from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.tables import mismatches
from server.dataset.columns import Table
from server.dataset.names import normalize_name
from server.dataset.schema import REFERENCE, TABLE_OF

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
        draft.keys = tuple(key for key in draft.keys if key)
        table = TABLE_OF[draft.entity_type]
        for column, complaint in list(_complaints(draft, table)):
            problems.add(draft.raw[0], complaint)
            draft.facts[column] = None
        yield draft


def _is_label(text: object) -> bool:
    return isinstance(text, str) and bool(normalize_name(text))


def _complaints(draft: Draft, table: Table) -> Iterator[tuple[str, str]]:
    """(column, complaint about its value) for each of a draft's ill-typed facts."""
    columns = _COLUMNS[table.name]
    for column, value in draft.facts.items():
        dtype = columns[column]
        if complaint := next(mismatches(_resolved(value, dtype), dtype, column), None):
            yield column, complaint


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
