"""Drafts against the declared schema: a fact of another type is left out and told, so that it stops no build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from build_pipeline.normalize.draft import Draft, Problems, Reference
from build_pipeline.tables import mismatches
from server.dataset.names import normalize_name
from server.dataset.schema import REFERENCE, TABLE_OF, Table

_COLUMNS: Final = {table.name: {c.name: c.dtype for c in table.columns} for table in set(TABLE_OF.values())}


def conforming(drafts: Iterable[Draft], problems: Problems) -> Iterator[Draft]:
    """The drafts, without the facts that are not what their column holds; those without a name go into `problems`."""
    for draft in drafts:
        if not isinstance(draft.name, str) or not normalize_name(draft.name):
            problems.add(draft.raw[0], f"no name: {draft.name!r}")
            continue
        table = TABLE_OF[draft.entity_type]
        for column, complaint in list(_complaints(draft, table)):
            problems.add(draft.raw[0], complaint)
            draft.facts[column] = None
        yield draft


def _complaints(draft: Draft, table: Table) -> Iterator[tuple[str, str]]:
    """(column, what is wrong with its value) of a draft's facts."""
    columns = _COLUMNS[table.name]
    for column, value in draft.facts.items():
        dtype = columns[column]
        if isinstance(value, Reference) and dtype == REFERENCE and isinstance(value.name, str):
            continue
        if complaint := next(mismatches(value, dtype, column), None):
            yield column, complaint
