"""What computes the vectors of passages: threads of this process, or the workers of a Ray cluster.

Every engine runs the same callable over batches of texts and yields the vectors as they are computed. The caller keeps
them, so an engine does not know the cache, and nothing is lost when it is killed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from build_pipeline.expected import ExpectedError
from build_pipeline.index.graph import Graph, Vectors

_BLOCK: Final = 128
"""Texts whose vectors are yielded together; a killed build loses at most these, about four seconds of work."""


class EngineError(ExpectedError):
    """An engine is not installed, not available, or cannot continue; the message says which and what to do."""


class PassageEncoder:
    """Texts of passages → vectors. Loads an export once, in each process that uses one; thread-safe.

    Attributes:
        folder: the export.
        graph: the loaded export.
    """

    def __init__(self, folder: Path) -> None:
        """Load the export in a folder."""
        self.folder = folder
        self.graph = Graph(folder)

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of n > 0 texts, float32, (n, dimensions)."""
        return np.stack([self.graph.vector(self.graph.passage_prefix + text) for text in texts])


Engine = Callable[[PassageEncoder, Sequence[str]], Iterator[dict[str, Vectors]]]
"""(encoder, distinct texts) → text → vector, float32, (dimensions,): some at a time, in any order, each text once."""


def in_threads(encoder: PassageEncoder, texts: Sequence[str]) -> Iterator[dict[str, Vectors]]:
    """The engine `local`: one thread per core."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for start in range(0, len(texts), _BLOCK):
            block = texts[start : start + _BLOCK]
            vectors = pool.map(encoder, ([text] for text in block))
            yield {text: vector for text, (vector,) in zip(block, vectors, strict=True)}
