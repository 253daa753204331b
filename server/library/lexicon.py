"""The words of every entity, for BM25: how much of what a query asks for an entity's text literally says."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from server.dataset.schema import Table
    from server.library.catalogue import Catalogue

    Counts = npt.NDArray[np.int64]

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
        self._size = catalogue.size
        terms, entities, count = _postings(catalogue)
        self._entities = entities
        length = np.bincount(entities, weights=count, minlength=self._size)
        norm = K1 * (1 - B + B * length / max(1.0, float(length.sum()) / max(1, self._size)))
        frequency = np.array([end - start for start, end in terms.values()], dtype=np.int64)
        self._slices = terms
        self._weights = np.repeat(self._rarity(frequency), frequency) * count * (K1 + 1) / (count + norm[entities])

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


def _postings(catalogue: Catalogue) -> tuple[dict[str, tuple[int, int]], Counts, Counts]:
    """Term → its slice of the postings; and the postings, entity numbers and counts, by term and entity."""
    words = pl.concat(_words(catalogue))
    # Words as numbers: what follows sorts two million of them.
    codes = words["word"].to_physical().to_numpy()
    distinct = words["word"].unique()
    stems = [stem(word) for word in distinct.cast(pl.String).to_list()]
    terms = sorted(set(stems))
    place = {term: i for i, term in enumerate(terms)}
    term_of = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
    term_of[distinct.to_physical().to_numpy()] = [place[term] for term in stems]
    postings, count = np.unique(term_of[codes] * catalogue.size + words["entity"].to_numpy(), return_counts=True)
    ends = np.cumsum(np.bincount(postings // max(1, catalogue.size), minlength=len(terms))).tolist()
    return dict(zip(terms, pairwise([0, *ends]), strict=True)), postings % max(1, catalogue.size), count


def _words(catalogue: Catalogue) -> Iterator[pl.DataFrame]:
    """Columns entity and word: every word of each table, one row each time it occurs."""
    for part in catalogue.parts:
        name = pl.concat_list([pl.col("name")] * NAME_WEIGHT).list.join(" ")
        text = pl.concat_str([name, *_texts(part.table)], separator=" ", ignore_nulls=True)
        words = text.str.to_lowercase().str.extract_all(_WORD).alias("word")
        found = part.frame.select(words).with_row_index("entity", part.start).explode("word").drop_nulls()
        yield found.with_columns(pl.col("entity").cast(pl.Int64), pl.col("word").cast(pl.Categorical))


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
