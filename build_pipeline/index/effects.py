"""The effect vocabulary: words of the players that the rules' text lacks, found for each entity by what it does."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from build_pipeline.index.passages import prose
from build_pipeline.resources import text
from build_pipeline.tables import Record
from server.dataset.schema import ENTITY_TABLES, Table


class EffectError(Exception):
    """An entry of the effect vocabulary that makes no sense; the message names it."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What players say of something (`says`), in which tables, and the SQL condition under which they do."""

    says: str
    tables: tuple[str, ...]
    when: str


def read_effects(name: str = "effects.toml") -> list[Effect]:
    """The effects of a vocabulary in `data/`, those with `each` written out."""
    return [effect for entry in tomllib.loads(text(name))["effect"] for effect in _written_out(entry)]


def effects_of(tables: Mapping[str, Iterable[Record]], effects: Sequence[Effect]) -> dict[str, list[str]]:
    """Entity id → what players say of it, in the vocabulary's order; entities of which they say nothing are left out.

    Args:
        tables: the records of each entity table, by its name.
        effects: the vocabulary.

    Raises:
        EffectError: a condition is no SQL, or names a column that its table lacks.
    """
    said: defaultdict[str, list[str]] = defaultdict(list)
    for table in ENTITY_TABLES:
        frame = _frame(table, list(tables[table.name]))
        for effect in effects:
            if table.name in effect.tables:
                for identity in _reached(frame, table, effect):
                    said[identity].append(effect.says)
    return dict(said)


def _written_out(entry: Mapping[str, object]) -> Iterator[Effect]:
    says, when, of = str(entry["says"]), str(entry["when"]), entry["of"]
    tables = tuple(of) if isinstance(of, list) else ()
    if unknown := set(tables) - {table.name for table in ENTITY_TABLES}:
        msg = f"effect {says!r}: there is no table {', '.join(sorted(unknown))}"
        raise EffectError(msg)
    each = entry.get("each", [""])
    for value in each if isinstance(each, list) else ():
        yield Effect(says.replace("{x}", value), tables, when.replace("{x}", value))


def _frame(table: Table, records: list[Record]) -> pl.DataFrame:
    frame = pl.DataFrame(records, schema=table.schema)
    texts = [f"{record['name']}. {prose(record)}".lower() for record in records]
    names = [[item["name"] for item in record.get("properties") or []] for record in records]
    derived = [pl.Series("text", texts, pl.String), pl.Series("list_names", names, pl.List(pl.String))]
    return frame.with_columns(derived)


def _reached(frame: pl.DataFrame, table: Table, effect: Effect) -> list[str]:
    try:
        return frame.filter(pl.sql_expr(effect.when))["id"].to_list()
    except pl.exceptions.PolarsError as error:
        msg = f"effect {effect.says!r}, table {table.name}: {error}"
        raise EffectError(msg) from error
