"""Facts that a query asks for in passing ("CR 5", "third level"), declared in `data/vocabulary/attributes.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from build_pipeline.index.vocabulary import FOLDER, VocabularyError, written_out
from server.dataset.schema import ENTITY_TABLES


@dataclass(frozen=True, slots=True)
class Attribute:
    """One fact.

    Attributes:
        says: the fact in words.
        tables: the tables that have it.
        when: an SQL condition over the columns of `entity_frames`: who has it.
        asked: a regular expression over a query in lower case: whether the query asks for it.
        filters: the tools' parameters that keep exactly what has it → value as text; empty if none can.
    """

    says: str
    tables: tuple[str, ...]
    when: str
    asked: str
    filters: Mapping[str, str] = field(default_factory=dict)


def read_attributes() -> list[Attribute]:
    """The attributes, those with `each` written out.

    Raises:
        VocabularyError: an entry is of a table that there is not.
    """
    entries = tomllib.loads((FOLDER / "attributes.toml").read_text(encoding="utf-8"))["attribute"]
    return list(_attributes(entries))


def reach(frames: Mapping[str, pl.DataFrame], attributes: Sequence[Attribute]) -> list[list[str]]:
    """For each attribute the ids of the entities that have it, sorted.

    Args:
        frames: what `entity_frames` makes.
        attributes: the facts.

    Raises:
        VocabularyError: a condition is not valid SQL, or names a column that its table lacks.
    """
    return [
        sorted(identity for name in attribute.tables for identity in _having(frames[name], name, attribute))
        for attribute in attributes
    ]


def _attributes(entries: Sequence[Mapping[str, Any]]) -> Iterator[Attribute]:
    for entry in entries:
        if unknown := set(entry["of"]) - {table.name for table in ENTITY_TABLES}:
            msg = f"{entry['says']!r}: unknown table {', '.join(sorted(unknown))}"
            raise VocabularyError(msg)
        for written in written_out(entry):
            filters = {parameter: _summed(value) for parameter, value in written.get("filter", {}).items()}
            yield Attribute(written["says"], tuple(written["of"]), written["when"], written["asked"], filters)


def _summed(value: str) -> str:
    """Of "3+4", "7"; any other text as it is."""
    terms = value.split("+")
    return str(sum(map(int, terms))) if len(terms) > 1 and all(map(str.isdecimal, terms)) else value


def _having(frame: pl.DataFrame, table: str, attribute: Attribute) -> list[str]:
    try:
        return frame.filter(pl.sql_expr(attribute.when))["id"].to_list()
    except pl.exceptions.PolarsError as error:
        msg = f"{attribute.says!r}, table {table}: {error}"
        raise VocabularyError(msg) from error
