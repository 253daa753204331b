"""The words of every entity, for BM25: how much of what a query asks for an entity's text literally says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from server.dataset.schema import Table
    from server.library.catalogue import Catalogue

K1: Final = 1.5
B: Final = 0.75
NAME_WEIGHT: Final = 3
"""How often an entity's name counts beside its text."""

_WORD: Final = r"[a-z0-9]+"
_SUFFIX: Final = re.compile(r"(?<=\w{3})(?:ing|ed|es|s)$")
_NOT_TEXT: Final = frozenset(
    {"id", "entity_type", "slug", "document_key", "document_name", "document_source", "sources", "game_system"}
    | {"license", "name_normalized", "keys", "related"}
)


def stem(word: str) -> str:
    """A word without its commonest endings: "burning" → "burn"."""
    return _SUFFIX.sub("", word)


class Lexicon:
    """Postings of all words over the numbers of a catalogue, with their BM25 weights."""

    def __init__(self, catalogue: Catalogue) -> None:
        words = pl.concat(_words(catalogue))
        stems = words.select(pl.col("word").unique()).with_columns(
            stem=pl.col("word").map_elements(stem, return_dtype=pl.String)
        )
        counts = (
            words.join(stems, on="word")
            .group_by("stem", "entity")
            .agg(count=pl.col("count").sum())
            .sort("stem", "entity")
        )
        self._size = catalogue.size
        self._entities = counts["entity"].to_numpy()
        tally = counts["count"].to_numpy().astype(np.float64)
        terms = counts.group_by("stem", maintain_order=True).len()
        frequency = terms["len"].to_numpy()
        ends = np.cumsum(frequency)
        self._slices = dict(zip(terms["stem"].to_list(), zip(ends - frequency, ends, strict=True), strict=True))
        length = np.bincount(self._entities, weights=tally, minlength=self._size)
        norm = K1 * (1 - B + B * length / max(1.0, float(length.mean()) if self._size else 1.0))
        self._weights = (
            np.repeat(self._rarity(frequency), frequency) * tally * (K1 + 1) / (tally + norm[self._entities])
        )

    def coverage(self, query: str) -> npt.NDArray[np.float64]:
        """For every entity, BM25 of the query over the sum of its terms' rarity: 0 to a little over 1.

        Words that no text has count in the sum: a query that is mostly foreign is hardly covered.
        """
        scores = np.zeros(self._size)
        rarity = 0.0
        for term in sorted({stem(word) for word in re.findall(_WORD, query.casefold())}):
            start, end = self._slices.get(term, (0, 0))
            rarity += float(self._rarity(np.array(end - start)))
            scores[self._entities[start:end]] += self._weights[start:end]
        return scores / rarity if rarity else scores

    def _rarity(self, frequency: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        return np.asarray(np.log1p((self._size - frequency + 0.5) / (frequency + 0.5)))


def _words(catalogue: Catalogue) -> Iterator[pl.DataFrame]:
    """Columns entity, word, count: the words of each table."""
    for part in catalogue.parts:
        name = pl.concat_list([pl.col("name")] * NAME_WEIGHT).list.join(" ")
        text = pl.concat_str([name, *_texts(part.table)], separator=" ", ignore_nulls=True)
        words = text.str.to_lowercase().str.extract_all(_WORD).alias("word")
        yield (
            part.frame.select(words)
            .with_row_index("entity", part.start)
            .explode("word")
            .drop_nulls()
            .group_by("entity", "word")
            .len("count")
        )


def _texts(table: Table) -> Iterator[pl.Expr]:
    """Every column that holds words, as one text per row: texts, lists of texts, lists of what has name and text."""
    for column in table.columns:
        match column.dtype:
            case _ if column.name in _NOT_TEXT:
                continue
            case pl.String:
                yield pl.col(column.name)
            case pl.List(inner=pl.String):
                yield pl.col(column.name).list.join(" ")
            case pl.List(inner=pl.Struct(fields=fields)) if {"name", "description"} <= {f.name for f in fields}:
                pair = [pl.element().struct.field("name"), pl.element().struct.field("description")]
                both = pl.concat_str(pair, separator=" ", ignore_nulls=True)
                yield pl.col(column.name).list.eval(both).list.join(" ")
            case _:
                continue
