"""Shell completion of commands: names and values of the dataset in use.

A dataset that cannot be read offers nothing; the command itself reports the reason when it opens the dataset.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import polars as pl

from server.dataset.manifest import DatasetError
from server.dataset.names import normalize_name
from server.dataset.paths import resolve
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES
from server.store.locate import locate_dataset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cyclopts.completion import CompletionContext

    from server.dataset.tables.columns import Table

Completer = Callable[["CompletionContext"], list[str]]

_ALL: Final = pl.lit(value=True)


def next_word_of_a_name(context: CompletionContext) -> list[str]:
    """The words that may follow the words of a name typed so far: names are typed without quotes."""
    words = [word for token in context.argument.tokens for word in token.value.split()]
    start = "".join(f"{normalize_name(word)} " for word in words)
    names = {name for name in _names() if normalize_name(name).startswith(start)}
    following = (name.split()[len(words) :] for name in names)
    return _continuing(context.incomplete, (rest[0] for rest in following if rest))


def whole_name(context: CompletionContext) -> list[str]:
    """Names, each as a single shell word."""
    return _continuing(context.incomplete, _names())


def class_name(context: CompletionContext) -> list[str]:
    """The names of classes."""
    return _continuing(context.incomplete, map(normalize_name, _names(pl.col("entity_type") == "class")))


def subclass_name(context: CompletionContext) -> list[str]:
    """The names of subclasses."""
    return _continuing(context.incomplete, _names(pl.col("entity_type") == "subclass"))


def document_key(context: CompletionContext) -> list[str]:
    """The keys of books and the editions, also as items of a comma-separated list."""
    before, comma, last = context.incomplete.rpartition(",")
    columns = _read(DOCUMENTS.file, pl.col("document_key", "game_system"))
    keys = {value for column in columns for value in column.drop_nulls()}
    return [f"{before}{comma}{key}" for key in _continuing(last, keys)]


def value_at(paths: Sequence[str], tables: Sequence[Table]) -> Completer:
    """A completer for the texts that the dataset holds at paths of tables."""
    return lambda context: _continuing(context.incomplete, values_at(paths, tables))


def values_at(paths: Sequence[str], tables: Sequence[Table]) -> list[str]:
    """The texts that the dataset holds at paths of tables, sorted."""
    found = [column for table in tables for path in paths for column in _read(table.file, resolve(table, path)[0])]
    flat = (column.explode() if column.dtype == pl.List else column for column in found)
    return sorted({value for column in flat for value in column.drop_nulls()})


def _continuing(typed: str, words: Iterable[str]) -> list[str]:
    """The words that begin with `typed`, ignoring case; they keep its letters as typed, as shells compare them."""
    folded = typed.casefold()
    return sorted({typed + word[len(typed) :] for word in words if word.casefold().startswith(folded)})


def _names(which: pl.Expr = _ALL) -> Iterator[str]:
    for table in ENTITY_TABLES:
        for column in _read(table.file, pl.col("name"), which):
            yield from column


def _read(file: str, what: pl.Expr, which: pl.Expr = _ALL) -> list[pl.Series]:
    """Columns of a table of the dataset in use; none if it cannot be read."""
    try:
        folder = locate_dataset(None, os.environ)
        if folder is None:
            return []
        return pl.scan_parquet(folder / file).filter(which).select(what).unique().collect().get_columns()
    except (DatasetError, OSError, pl.exceptions.PolarsError):
        return []
