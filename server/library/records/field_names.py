"""Fields of records by the names that people give them: "AC", "hit points", "saving throws", "starting equipment"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from server.library.requests.synonyms import readings, same_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.dataset.tables.columns import PolarsType
    from server.library.catalogue import Catalogue


def fields_named(catalogue: Catalogue, rows: Sequence[int], name: str) -> tuple[str, ...]:
    """The paths of the fields that a name means in some entities (catalogue rows) of one table; empty if none has any.

    The first rule that finds something wins: a field so called (`armor_class`), a member with the name of its field
    ("armor proficiency", `proficiencies.armor`), members so called, fields whose names begin or end with the words: for
    `hit points` those at 1st level and per level after it.
    """
    for part in catalogue.parts:
        if own := [row - part.start for row in rows if part.start <= row < part.stop]:
            known = part.frame.select(column.name for column in part.table.columns if column.response)[own]
            fields = [each.name for each in known if each.null_count() < len(own)]
            if field := same_words(name, fields):
                return (field,)
            members = [(field, each) for field in fields for each in _members(known.schema[field])]
            if path := same_words(name, [f"{field} {each}" for field, each in members]):
                return (path.replace(" ", "."),)
            member = same_words(name, dict.fromkeys(each for _, each in members))
            whole = tuple(f"{field}.{each}" for field, each in members if each == member)
            words = ["_".join(reading.split()) for reading in readings(name)]
            return whole or tuple(f for f in fields if any(f.startswith(f"{w}_") or f.endswith(f"_{w}") for w in words))
    return ()


def _members(dtype: PolarsType) -> list[str]:
    return [field.name for field in dtype.fields] if isinstance(dtype, pl.Struct) else []
