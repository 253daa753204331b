"""The sentence encoder at build time: passages → vectors. Vectors computed before are taken from the cache."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from build_pipeline.index.cache import VectorCache, check_folder
from build_pipeline.index.engines import Engine, PassageEncoder, in_threads
from build_pipeline.index.export import exported
from build_pipeline.index.graph import Vectors
from build_pipeline.index.models import DEFAULT_MODEL, Model, find_model
from build_pipeline.index.word_vectors import write_model
from server.dataset.files import CONFIG_FILE, MODEL_FILE, TOKENIZER_FILE

Counted = Callable[[int, int], None]
"""Progress callback: (done, total)."""


class Encoder:
    """A loaded sentence encoder.

    Attributes:
        model: the model that it was exported from.
        dimensions: the number of dimensions of its vectors.
        max_tokens: the maximum number of tokens that it reads of a text.
        pooling: how token vectors are pooled: mean, cls…
    """

    def __init__(
        self, model: Model, folder: Path, cache: VectorCache | None = None, engine: Engine = in_threads
    ) -> None:
        """Load an export.

        Args:
            model: the model.
            folder: its export.
            cache: vectors computed earlier; None computes all.
            engine: what computes the vectors of passages.
        """
        self.model = model
        self._folder = folder
        self._passages = PassageEncoder(folder)
        self._graph = self._passages.graph
        self._cache = cache
        self._engine = engine
        self.dimensions = self._graph.dimensions
        self.max_tokens = self._graph.max_tokens
        self.pooling = self._graph.pooling

    def encode_passages(self, texts: Sequence[str], progress: Counted = lambda *_: None) -> Vectors:
        """Unit vectors of passages, float32, (len(texts), dimensions); equal texts are computed once.

        Args:
            texts: the passages.
            progress: called with the number of texts computed, and of those to compute because the cache lacks them.

        Raises:
            EngineError: the engine cannot continue; what it computed is in the cache.
        """
        known = self._cache.get(self._graph.fingerprint, texts) if self._cache is not None else {}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        progress(0, len(missing))
        done = 0
        for computed in self._engine(self._passages, missing) if missing else ():
            if self._cache is not None:
                self._cache.put(self._graph.fingerprint, computed)
            known |= computed
            done += len(computed)
            progress(done, len(missing))
        return np.stack([known[text] for text in texts]) if texts else np.empty((0, self.dimensions), np.float32)

    def encode_means(self, groups: Sequence[Sequence[str]], progress: Counted = lambda *_: None) -> Vectors:
        """The mean of each group of passages as a unit vector, float32, (len(groups), dimensions).

        Args:
            groups: groups of texts, none of them empty.
            progress: as for `encode_passages`.

        Raises:
            EngineError: as `encode_passages`.
        """
        vectors = self.encode_passages([text for group in groups for text in group], progress)
        starts = np.cumsum([0, *map(len, groups)])[:-1]
        sums = np.add.reduceat(vectors, starts, axis=0) if groups else vectors
        means: Vectors = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return means

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of queries, float32, (len(texts), dimensions), with the model's query prompt."""
        return np.stack([self._graph.vector(self._graph.query_prefix + text) for text in texts])

    def write(self, folder: Path) -> None:
        """Write what the server needs to encode queries."""
        folder.mkdir(parents=True, exist_ok=True)
        write_model(self._folder / MODEL_FILE, folder)
        for name in (TOKENIZER_FILE, CONFIG_FILE):
            shutil.copyfile(self._folder / name, folder / name)


@contextmanager
def open_encoder(
    name_or_path: str = DEFAULT_MODEL, cache: Path | None = None, engine: Engine = in_threads
) -> Iterator[Encoder]:
    """A sentence encoder from a folder, an installed package or the model hub.

    Args:
        name_or_path: the model.
        cache: folder that keeps vectors and exported models between builds; None keeps nothing.
        engine: what computes the vectors of passages.

    Raises:
        ModelError: none of these has it, or it is not a sentence encoder.
        ExportError: its export gives different vectors from the model's.
        CacheError: the folder cannot be made or written.
    """
    model = find_model(name_or_path)
    if cache is None:
        with TemporaryDirectory() as temporary:
            yield Encoder(model, exported(model, Path(temporary)), engine=engine)
        return
    check_folder(cache)
    with VectorCache(cache) as vectors:
        yield Encoder(model, exported(model, cache), vectors, engine)
