"""Words of the texts that mean nearly the same, so that a text that says "hare" answers a query for a rabbit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from build_pipeline.index.graph import Vectors
from build_pipeline.tables import write_frame
from server.dataset.files import NEAR_WORDS_FILE
from server.dataset.index.lexicon import NEAR_WORDS_SCHEMA
from server.dataset.index.terms import FUNCTION_WORDS

MIN_SIMILARITY: Final = 0.6
"""Minimum similarity of two words' vectors for one to stand for the other."""
NEIGHBOURS: Final = 3
"""Maximum number of words that stand for one: the nearest."""
_SHORTEST: Final = 4
"""Minimum letters of the words that are compared: most shorter ones are abbreviations and fragments."""
_BLOCK: Final = 1024
_DECIMALS: Final = 3
"""Decimals of a similarity; more would depend on the machine that computed it."""


def with_neighbours(words: Mapping[str, str]) -> dict[str, str]:
    """The terms, each with its word, that may have neighbours."""
    return {
        term: word
        for term, word in words.items()
        if len(word) >= _SHORTEST and word.isalpha() and term not in FUNCTION_WORDS
    }


def write_near_words(folder: Path, terms: Sequence[str], vectors: Vectors) -> None:
    """Write the pairs of words that may stand for each other.

    Args:
        folder: the dataset's folder.
        terms: the terms of its BM25 index that may have neighbours.
        vectors: float32[terms, dimensions], the unit vectors of their words.
    """
    rows = sorted(_near(terms, vectors))
    write_frame(folder / NEAR_WORDS_FILE, pl.DataFrame(rows, schema=NEAR_WORDS_SCHEMA, orient="row"))


def _near(terms: Sequence[str], vectors: Vectors) -> Iterator[tuple[str, str, float]]:
    """Each term with its nearest others and their similarity; ties are ordered by name."""
    names = np.argsort(np.argsort(np.array(terms)))
    for start in range(0, len(terms), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        np.fill_diagonal(block[:, start:], 0)
        near = np.flatnonzero(block >= MIN_SIMILARITY - 10**-_DECIMALS)  # few, so only these are rounded and sorted
        rows, others = np.divmod(near, len(terms))
        similarities = np.round(block[rows, others], _DECIMALS)
        nearest = np.lexsort((names[others], -similarities, rows))  # by row, as they were
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        chosen = nearest[(place < NEIGHBOURS) & (similarities[nearest] >= MIN_SIMILARITY)]
        for row, other, similarity in zip(rows[chosen], others[chosen], similarities[chosen].tolist(), strict=True):
            yield terms[start + row], terms[other], round(similarity, _DECIMALS)
