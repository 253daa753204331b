"""A model exported for onnxruntime: one graph from tokens to unit vector, with pooling and normalisation inside.

Builder and server encode with the same graph, so neither needs torch to do it. The cache keeps an export under a hash
of the model and of all code that makes the export; torch is loaded only to make one.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from filelock import FileLock

from build_pipeline.expected import ExpectedError
from build_pipeline.index import adapter, models
from build_pipeline.index.graph import FACTS_FILE, Graph
from build_pipeline.index.models import Model, load
from build_pipeline.resources import lines
from build_pipeline.text_files import write_json
from server.dataset.files import CONFIG_FILE, ENCODER_FILES, MODEL_FILE, TOKENIZER_FILE
from server.dataset.manifest import file_sha256

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

MAX_DEVIATION: Final = 1e-4
"""Maximum difference between a component of an exported encoder's unit vector and the model's."""

_KEPT: Final = 3
"""Maximum number of exports in the cache, of about 90 MB each; the least recently used are removed."""

_MAKERS: Final = ("sentence-transformers", "transformers", "torch", "onnxscript", "onnx-ir")
"""Packages that an export depends on: those that are traced, and those that trace them."""

log = logging.getLogger(__name__)


class ExportError(ExpectedError):
    """The exported encoder gives different vectors from the model's."""


def exported(model: Model, cache: Path) -> Path:
    """The folder of a model's export, made unless the cache has it.

    Args:
        model: the model.
        cache: folder of the cache.

    Raises:
        ModelError: it is not a sentence encoder.
        ExportError: the export gives different vectors from the model's.
    """
    folder = cache / "encoders" / _key(model)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.parent / "lock"):
        if folder.exists() and not _is_whole(folder):
            log.warning("%s is damaged: the model is exported again", folder)
            shutil.rmtree(folder)
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent) as work:
                export_model(model, Path(work) / "export")
                (Path(work) / "export").rename(folder)
        os.utime(folder)
        _forget_oldest(folder.parent)
    return folder


def export_model(model: Model, folder: Path) -> None:
    """Write `model.onnx`, `tokenizer.json`, `encoder.json` and `export.json` to a new folder.

    Raises:
        ModelError: it is not a sentence encoder.
        ExportError: the graph's vectors of sample queries differ from the model's.
    """
    loaded = _load(model)
    folder.mkdir(parents=True)
    shutil.copyfile(model.folder / TOKENIZER_FILE, folder / TOKENIZER_FILE)
    prompts: Mapping[str, str | None] = loaded.prompts
    config = {
        "max_tokens": int(loaded.max_seq_length or 512),
        "query_prefix": prompts.get("query") or "",
        "dimensions": int(loaded.get_embedding_dimension() or 0),
    }
    write_json(folder / CONFIG_FILE, config, indent=2)
    _export_graph(loaded, model.name, folder / MODEL_FILE)
    facts = {
        "pooling": next((str(mode) for part in loaded if (mode := getattr(part, "pooling_mode", None))), "unknown"),
        "passage_prefix": next((str(p) for n in ("document", "passage", "corpus") if (p := prompts.get(n))), ""),
        "files": {name: file_sha256(folder / name) for name in ENCODER_FILES},
    }
    write_json(folder / FACTS_FILE, facts, indent=2)
    _check(loaded, model.name, folder)


def _key(model: Model) -> str:
    """A key that changes with everything an export depends on: the model, the packages and the modules that make it."""
    parts = [model.files_sha256, *map(version, _MAKERS)]
    makers = [file_sha256(Path(module)) for module in (__file__, adapter.__file__, models.__file__)]
    return hashlib.sha256("\n".join([*parts, *makers]).encode()).hexdigest()[:32]


def _is_whole(folder: Path) -> bool:
    try:
        hashes = json.loads((folder / FACTS_FILE).read_text(encoding="utf-8"))["files"]
        return all(file_sha256(folder / name) == hashes[name] for name in ENCODER_FILES)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _forget_oldest(exports: Path) -> None:
    folders = sorted((f for f in exports.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[_KEPT:]:
        shutil.rmtree(folder)


def _load(model: Model) -> SentenceTransformer:
    import torch  # noqa: PLC0415  (seconds to import; only exports need it)
    from transformers.utils import logging as transformers_logging  # noqa: PLC0415

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    loaded = load(model)
    # Splitting a sum over threads would change its last bit.
    torch.set_num_threads(1)
    if model.adapter is not None and loaded.transformers_model is not None:
        adapter.adapt(loaded.transformers_model, model.adapter)
    return loaded


def _export_graph(loaded: SentenceTransformer, name: str, path: Path) -> None:
    import torch  # noqa: PLC0415
    from onnx_ir.passes.common import ClearMetadataAndDocStringPass  # noqa: PLC0415

    class Pooled(torch.nn.Module):
        """Tokens → unit vector: the model with its pooling, always followed by normalisation."""

        def __init__(self, model: torch.nn.Module) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            features: dict[str, Any] = self.model({"input_ids": input_ids, "attention_mask": attention_mask})
            return torch.nn.functional.normalize(features["sentence_embedding"], p=2.0, dim=1)

    # Two tensors: if given one twice, the exporter merges ids and mask into one input.
    ids, mask = torch.ones(2, 7, dtype=torch.int64), torch.ones(2, 7, dtype=torch.int64)
    shape = {0: torch.export.Dim("batch"), 1: torch.export.Dim("tokens")}
    with _only_errors("torch.onnx"):
        program = torch.onnx.export(
            Pooled(loaded).eval(),
            (ids, mask),
            input_names=["input_ids", "attention_mask"],
            output_names=["unit_vector"],
            dynamic_shapes={"input_ids": shape, "attention_mask": shape},
            dynamo=True,
            verbose=False,
        )
    if program is None:
        msg = f"torch did not export a graph of {name}"
        raise ExportError(msg)
    # The exporter records source lines with this machine's paths for each node.
    ClearMetadataAndDocStringPass()(program.model)
    program.save(str(path))


@contextmanager
def _only_errors(logger: str) -> Iterator[None]:
    """Silence the exporter's warnings about its own internals; the vectors are compared instead."""
    exporter = logging.getLogger(logger)
    level = exporter.level
    exporter.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        exporter.setLevel(level)


def _check(loaded: SentenceTransformer, name: str, folder: Path) -> None:
    """Compare the export's vectors of the sample queries with the model's."""
    samples = lines("sample_queries.txt")
    graph = Graph(folder)
    got = np.stack([graph.vector(graph.query_prefix + text) for text in samples])
    wanted = loaded.encode_query(samples, batch_size=8, normalize_embeddings=True, show_progress_bar=False)
    deviation = float(np.abs(got - wanted).max())
    if not deviation <= MAX_DEVIATION:
        most = f"up to {deviation:.2g}, not {MAX_DEVIATION:g}"
        msg = f"the vectors of the exported {name} differ from the model's by {most}"
        raise ExportError(msg)
