"""Fields of records by the names that people give them: "AC", "hit points", "saving throws", "starting equipment"."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import polars as pl

from server.dataset.index.terms import FUNCTION_WORDS
from server.dataset.schema import ENTITY_TABLES
from server.library.requests.synonyms import SYNONYMS, all_with_words, readings, same_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from server.library.catalogue import Catalogue


def fields_named(catalogue: Catalogue, rows: Sequence[int], name: str) -> tuple[str, ...]:
    """The paths of the fields that a name means in some entities (catalogue rows) of one table; empty if none has any.

    The first rule that finds something wins: a field so called (`armor_class`), a member with the name of its field
    ("armor proficiency", `proficiencies.armor`), members so called, fields whose names begin or end with the words: for
    `hit points` those at 1st level and per level after it. A member comes with those that begin with its name (the
    description of a material); the whole field stands for a member that none of the entities has: all of its speeds
    answer whether a creature flies.
    """
    for part in catalogue.parts:
        own = [row - part.start for row in rows if part.start <= row < part.stop]
        for paths in _meant(part.table.name, name) if own else ():
            if having := tuple(path for path in paths if _has_value(part.frame, own, path)):
                return having
            fields = dict.fromkeys(path.partition(".")[0] for path in paths)
            if having := tuple(field for field in fields if _has_value(part.frame, own, field)):
                return having
    return ()


def may_name_fields(words: Iterable[str]) -> bool:
    """Whether some of the words is one of a field's name, or stands for one: "ac"."""
    return not _words_of_fields().isdisjoint(words)


@cache
def _words_of_fields() -> frozenset[str]:
    names = [column.name for table in ENTITY_TABLES for column in table.columns if column.response]
    words = {word for name in names for word in name.split("_")} - FUNCTION_WORDS
    return frozenset(words | {each for each, (meant, *_) in SYNONYMS.items() if words.issuperset(meant.split())})


@lru_cache(maxsize=4_096)
def _meant(table: str, name: str) -> tuple[tuple[str, ...], ...]:
    """What a name may mean in a table, by one rule after the other: each time the paths of fields."""
    columns = [column for each in ENTITY_TABLES if each.name == table for column in each.columns if column.response]
    members = [(each.name, member) for each in columns if isinstance(each.dtype, pl.Struct) for member in each.members]
    called = [(field,) for field in all_with_words(name, [column.name for column in columns])]
    within = [path.replace(" ", ".") for path in all_with_words(name, [" ".join(each) for each in members])]
    member = same_words(name, dict.fromkeys(each for _, each in members))
    inside = within or [f"{field}.{each}" for field, each in members if each == member]
    paths = [f"{field}.{each}" for field, each in members]
    with_more = tuple(path for path in paths if any(path == each or path.startswith(f"{each}_") for each in inside))
    words = {form for reading in readings(name) for form in ("_".join(reading.split()), reading.removesuffix("s"))}
    like = tuple(c.name for c in columns if any(c.name.startswith(f"{w}_") or c.name.endswith(f"_{w}") for w in words))
    return (*called, with_more, like)


def _has_value(frame: pl.DataFrame, rows: Sequence[int], path: str) -> bool:
    field, _, member = path.partition(".")
    values = frame[field][rows]
    return (values.struct.field(member) if member else values).null_count() < len(rows)
