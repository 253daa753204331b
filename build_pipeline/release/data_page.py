"""`docs/data.md`: every column of the dataset, from the schema; examples and coverage as measured."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from build_pipeline.release.card import type_name
from build_pipeline.release.contents import Contents
from build_pipeline.release.templates import render
from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.compatibility import read_table
from server.dataset.forms.about import is_json
from server.dataset.manifest import read_manifest
from server.dataset.migrations import MIGRATIONS, introduced_in
from server.dataset.schema import ENTITY_TABLES, PUBLISHED_TABLES
from server.dataset.strict_json import dump_json
from server.dataset.tables.columns import Column, Table

_LONGEST: Final = 60
"""Longest example, in characters."""

Measured = dict[str, Any]
"""What `measure` found: a dataset's `version` and `rows`, `known` (path → share, 0 to 1), `examples` (path → text)."""


def measure(dataset: Path, examples: Path) -> Measured:
    """The share of known values per column of a dataset, and examples from another dataset, whose texts are our own."""
    known: dict[str, float] = {}
    shown: dict[str, str] = {}
    contents = Contents.of(dataset)
    for table in PUBLISHED_TABLES:
        small = read_table(examples / table.file, table)
        for column in table.columns:
            path = f"{table.name}.{column.name}"
            known[path] = round(contents.filled(table, column).share, 4)
            if example := _example(small, column):
                shown[path] = example
    version = read_manifest(dataset)["dataset_version"]
    rows = sum(contents.tables[table.name].height for table in ENTITY_TABLES)
    return {"version": version, "rows": rows, "known": known, "examples": shown}


def data_page(measured: Measured) -> str:
    """The page, as Markdown."""
    return render(
        "data.md.j2",
        measured=measured,
        tables=[(table, list(_columns(table, measured))) for table in PUBLISHED_TABLES],
        closed_sets=CLOSED_SETS,
        migrations=MIGRATIONS,
    )


def read_measured(path: Path) -> Measured:
    """Read what `measure` found, as the repository keeps it."""
    measured: Measured = json.loads(path.read_text(encoding="utf-8"))
    return measured


def _columns(table: Table, measured: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for column in table.columns:
        path = f"{table.name}.{column.name}"
        share = measured["known"].get(path)
        yield {
            "name": column.name,
            "type": type_name(column.dtype),
            "meaning": table.meaning(column),
            "unit": column.unit,
            "source": column.source,
            "example": measured["examples"].get(path, ""),
            "known": "" if share is None else f"{100 * share:.0f} %",
            "since": introduced_in(path),
        }


def _example(frame: pl.DataFrame, column: Column) -> str:
    """The first value that is not empty and fits a table cell."""
    for value in frame[column.name]:
        plain = value.to_list() if isinstance(value, pl.Series) else value
        text = dump_json(_without_nulls(plain)) if is_json(column.dtype) else _scalar(plain)
        if plain not in (None, []) and text not in ("{}", "[]") and len(text) <= _LONGEST and "\n" not in text:
            return text
    return ""


def _without_nulls(value: object) -> object:
    """A value without members that are null."""
    if isinstance(value, dict):
        return {name: _without_nulls(member) for name, member in value.items() if member is not None}
    return [_without_nulls(member) for member in value] if isinstance(value, list) else value


def _scalar(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
