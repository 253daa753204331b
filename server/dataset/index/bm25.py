"""The BM25 index of a dataset, as bm25s saves it: a sparse matrix of entities by words, column after column."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from server.dataset.files import BM25_FILES
from server.dataset.manifest import DatasetError
from server.dataset.strict_json import read_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SCORES, _ROWS, _STARTS, _PARAMETERS, _WORDS = BM25_FILES
_HOW_KEPT: Final[Literal["r"] | None] = "r" if sys.platform == "linux" else None
"""Memory-mapped, as the vectors' index is: a query reads only the columns of its words."""


class Bm25(NamedTuple):
    """The score that each word gives the entities that have it.

    Attributes:
        words: each word, without its ending → its column.
        starts: int64[words + 1]: where the values of each column begin.
        rows: int32[values]: the entity of each, by its position among those of the row map.
        scores: float32[values]: BM25.
        entities: how many there are.
    """

    words: dict[str, int]
    starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]
    entities: int


def read_bm25(folder: Path, entities: int) -> Bm25:
    """The BM25 index; its entity `n` is the `n`-th of the vectors' row map.

    Args:
        folder: `LEXICON_FOLDER` of a dataset.
        entities: how many it has.

    Raises:
        DatasetError: its files are not such an index, or do not fit each other or the entities.
    """
    try:
        problem = next(_problems(_index(folder), entities), None)
        index = _index(folder, _HOW_KEPT)  # the copy that was checked in memory is not kept
    except Exception as error:  # NumPy's have no common base class: EOFError, ValueError, OverflowError…
        why = f"its files are not a BM25 index ({type(error).__name__}: {str(error)[:200]})"
        raise _unusable(folder, why) from error
    if problem:
        raise _unusable(folder, problem)
    return index


def _unusable(folder: Path, problem: str) -> DatasetError:
    return DatasetError(f"{folder.name}: {problem}: get the dataset again")


def _index(folder: Path, how: Literal["r"] | None = None) -> Bm25:
    scores, rows, starts = (np.load(folder / name, how).view(np.ndarray) for name in (_SCORES, _ROWS, _STARTS))
    words, parameters = (read_json((folder / name).read_bytes()) for name in (_WORDS, _PARAMETERS))
    return Bm25(words, starts, rows, scores, parameters["num_docs"])


def _problems(index: Bm25, entities: int) -> Iterator[str]:
    if index.entities != entities:
        yield f"the BM25 index is of {index.entities} entities, but there are {entities}"
    kinds = ((index.scores, "f"), (index.rows, "iu"), (index.starts, "iu"))
    if not all(part.ndim == 1 and part.dtype.kind in kind for part, kind in kinds) or not index.starts.size:
        yield "the BM25 index consists of arrays of the wrong shape or type"
    starts, rows, scores = index.starts, index.rows, index.scores
    if sorted(index.words.values()) != list(range(starts.size - 1)):
        yield f"the BM25 index has {starts.size - 1} columns, which its {len(index.words)} words do not match"
    if starts[0] != 0 or starts[-1] != scores.size or scores.size != rows.size or (np.diff(starts) < 0).any():
        yield "the columns of the BM25 index do not cover its values"
    if rows.size and not (rows.min() >= 0 and rows.max() < entities):
        yield "the BM25 index has rows outside of the entities"
    if not (np.isfinite(scores).all() and (scores >= 0).all()):
        yield "the BM25 index has values that are not finite numbers, 0 or more"
