"""Facts that a query asks for in passing ("CR 5", "third level"), declared in `data/vocabulary/attributes.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import polars as pl
from pydantic import AfterValidator, Field

from build_pipeline.declared import Declared, DeclaredError, read_file, validated
from build_pipeline.index.vocabulary.vocabulary import FOLDER, written_out
from server.dataset.schema import ENTITY_TABLES


@dataclass(frozen=True, slots=True)
class Attribute:
    """One fact.

    Attributes:
        says: the fact in words.
        tables: the tables that have it.
        when: an SQL condition over the columns of `entity_frames` that is true for the entities that have it.
        asked: a regular expression that matches queries, in lower case, that ask for it.
        filters: tool parameter → value as text, which keep exactly the entities that have it; empty if none can.
    """

    says: str
    tables: tuple[str, ...]
    when: str
    asked: str
    filters: Mapping[str, str] = field(default_factory=dict)


def _table(name: str) -> str:
    if name not in (tables := [table.name for table in ENTITY_TABLES]):
        msg = f"{name!r} is not one of the tables {', '.join(tables)}"
        raise ValueError(msg)
    return name


class _Entry(Declared):
    """An entry of the file, with `each` expanded."""

    says: str
    asked: str
    of: tuple[Annotated[str, AfterValidator(_table)], ...] = Field(min_length=1)
    when: str
    filter: dict[str, str] = Field(default_factory=dict)


def read_attributes(path: Path = FOLDER / "attributes.toml") -> list[Attribute]:
    """The attributes, with `each` expanded.

    Raises:
        DeclaredError: the file is missing or not TOML, or an entry is invalid.
    """
    entries = read_file(path, "attribute")["attribute"]
    return [_attribute(written, path) for entry in entries for written in written_out(entry)]


def reach(frames: Mapping[str, pl.DataFrame], attributes: Sequence[Attribute]) -> list[list[str]]:
    """For each attribute, the sorted ids of the entities that have it.

    Args:
        frames: the result of `entity_frames`.
        attributes: the facts.

    Raises:
        DeclaredError: a condition is not valid SQL, or names a column that its table lacks.
    """
    return [
        sorted(identity for name in attribute.tables for identity in _having(frames[name], name, attribute))
        for attribute in attributes
    ]


def _attribute(written: Mapping[str, Any], path: Path) -> Attribute:
    entry = validated(_Entry, written, f"{path.name}: {written.get('says', written)}")
    filters = {parameter: _summed(value) for parameter, value in entry.filter.items()}
    return Attribute(entry.says, entry.of, entry.when, entry.asked, filters)


def _summed(value: str) -> str:
    """The sum of a text such as "3+4", as text; any other text as it is."""
    terms = value.split("+")
    return str(sum(map(int, terms))) if len(terms) > 1 and all(map(str.isdecimal, terms)) else value


def _having(frame: pl.DataFrame, table: str, attribute: Attribute) -> list[str]:
    try:
        return frame.filter(pl.sql_expr(attribute.when))["id"].to_list()
    except pl.exceptions.PolarsError as error:
        msg = f"{attribute.says!r}, table {table}: {error}"
        raise DeclaredError(msg) from error
