"""Vocabularies with a condition: what players call things (effects), and facts that a query asks for (attributes).

Each entry of `data/effects.toml` and `data/attributes.toml` says in SQL of which entities it is true.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from build_pipeline.index.passages import prose
from build_pipeline.resources import text
from build_pipeline.tables import Record
from server.dataset.columns import Table
from server.dataset.schema import ENTITY_TABLES


class VocabularyError(Exception):
    """An entry of a vocabulary that makes no sense; the message names it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry.

    Attributes:
        says: the words that stand for it.
        tables: where it applies.
        when: the SQL condition; beside the table's columns it has `text` (name and prose in lower case) and
            `property_names` (of weapons).
        asked: a regular expression over a query in lower case: whether the query asks for it; empty for effects.
    """

    says: str
    tables: tuple[str, ...]
    when: str
    asked: str = ""


def read_effects() -> list[Entry]:
    """The effect vocabulary of `data/`, entries with `each` written out."""
    return _read("effects.toml", "effect")


def read_attributes() -> list[Entry]:
    """The attributes of `data/`, entries with `each` written out."""
    return _read("attributes.toml", "attribute")


def reach(tables: Mapping[str, Iterable[Record]], entries: Sequence[Entry]) -> list[list[str]]:
    """For each entry the ids of the entities of which it is true, sorted.

    Args:
        tables: the records of each entity table, by its name.
        entries: the vocabulary.

    Raises:
        VocabularyError: a condition is no SQL, or names a column that its table lacks.
    """
    frames = {table.name: _frame(table, list(tables[table.name])) for table in ENTITY_TABLES}
    return [
        sorted(identity for name in entry.tables for identity in _reached(frames[name], name, entry))
        for entry in entries
    ]


def by_phrase(entries: Sequence[Entry], reached: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """What entries say → the ids of which it is true, both sorted; what is true of none is left out."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for entry, identities in zip(entries, reached, strict=True):
        ids[entry.says].update(identities)
    return {says: sorted(ids[says]) for says in sorted(ids) if ids[says]}


def _read(name: str, key: str) -> list[Entry]:
    return [entry for stored in tomllib.loads(text(name))[key] for entry in _written_out(stored)]


def _written_out(stored: Mapping[str, Any]) -> Iterator[Entry]:
    if unknown := set(stored["of"]) - {table.name for table in ENTITY_TABLES}:
        msg = f"{stored['says']!r}: there is no table {', '.join(sorted(unknown))}"
        raise VocabularyError(msg)
    for value in stored.get("each", [""]):
        says, when, asked = (stored.get(key, "").replace("{x}", value) for key in ("says", "when", "asked"))
        yield Entry(says, tuple(stored["of"]), when, asked)


def _frame(table: Table, records: list[Record]) -> pl.DataFrame:
    texts = [f"{record['name']}. {prose(record)}".lower() for record in records]
    names = [[item["name"] for item in record.get("properties") or []] for record in records]
    return pl.DataFrame(records, schema=table.schema).with_columns(
        pl.Series("text", texts, pl.String), pl.Series("property_names", names, pl.List(pl.String))
    )


def _reached(frame: pl.DataFrame, table: str, entry: Entry) -> list[str]:
    try:
        return frame.filter(pl.sql_expr(entry.when))["id"].to_list()
    except pl.exceptions.PolarsError as error:
        msg = f"{entry.says!r}, table {table}: {error}"
        raise VocabularyError(msg) from error
