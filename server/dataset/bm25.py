"""The BM25 index of a dataset: how much of each word each entity has, as bm25s saves it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from server.dataset.files import BM25_FILES
from server.dataset.manifest import DatasetError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Scores = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Bm25:
    """A sparse matrix of entities by words, column after column.

    Attributes:
        scores: float32[n]: the values.
        rows: int[n]: the entity of each.
        starts: int[words + 1]: where each word's values begin, and where the last one's end.
        columns: the column of each word.
        entities: how many rows there are.
    """

    scores: Scores
    rows: Numbers
    starts: Numbers
    columns: dict[str, int]
    entities: int

    def of_words(self, columns: Sequence[int]) -> Scores:
        """float32[entities]: what each entity has of some words together."""
        total = np.zeros(self.entities, dtype=np.float32)
        for column in columns:
            values = slice(self.starts[column], self.starts[column + 1])
            np.add.at(total, self.rows[values], self.scores[values])
        return total


def read_bm25(folder: Path, entities: int) -> Bm25:
    """The BM25 index; its row `n` is the `n`-th entity of the vectors' row map.

    bm25s itself would import SciPy to read three arrays.

    Args:
        folder: `LEXICON_FOLDER` of a dataset.
        entities: how many it has.

    Raises:
        DatasetError: its files are not such an index, or do not fit each other or the entities.
    """
    *arrays, parameters, vocabulary = (folder / name for name in BM25_FILES)
    try:
        scores, rows, starts = (np.load(file, allow_pickle=False) for file in arrays)
        found = json.loads(parameters.read_bytes())["num_docs"]
        index = Bm25(scores, rows, starts, json.loads(vocabulary.read_bytes()), found)
        problem = next(_wrong(index, entities), None)
    except Exception as error:  # numpy's and JSON's, and those of comparing what is no array
        msg = f"{folder.name}: its files are not a BM25 index ({str(error)[:200]}): get the dataset again"
        raise DatasetError(msg) from error
    if problem:
        msg = f"{folder.name}/{BM25_FILES[0]}: {problem}: get the dataset again"
        raise DatasetError(msg)
    return index


def _wrong(index: Bm25, entities: int) -> Iterator[str]:
    """Complaints about an index."""
    if index.entities != entities:
        yield f"the BM25 index is of {index.entities} entities, but there are {entities}"
        return
    kinds = ((index.scores, "f"), (index.rows, "iu"), (index.starts, "i"))
    if not all(part.ndim == 1 and part.dtype.kind in kind for part, kind in kinds) or not index.starts.size:
        yield "the BM25 index consists of arrays of another shape or type"
        return
    if sorted(index.columns.values()) != list(range(index.starts.size - 1)):
        yield f"the BM25 index has {index.starts.size - 1} columns, which its {len(index.columns)} words do not number"
    starts = index.starts
    if starts[0] != 0 or not starts[-1] == index.scores.size == index.rows.size or (np.diff(starts) < 0).any():
        yield "the columns of the BM25 index do not cover its values"
    if index.rows.size and not (index.rows.min() >= 0 and index.rows.max() < entities):
        yield "the BM25 index has rows outside of the entities"
    if not (np.isfinite(index.scores).all() and (index.scores >= 0).all()):
        yield "the BM25 index has values that are not finite numbers, 0 or more"
