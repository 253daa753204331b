"""The server's query encoder: the model as one ONNX graph that includes pooling and normalisation.

The server then only needs onnxruntime and tokenizers. The graph is checked against the original model. The int8 version
(a quarter of the size, several times as fast) is shipped if it ranks passages as the model does.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import faiss
import numpy as np

from build_pipeline.index.embed import Encoder, Vectors

if TYPE_CHECKING:
    import torch

MIN_OVERLAP: Final = {"fp32": 0.99, "int8": 0.95}
"""Minimum overlap of the exported encoder's top ten with the model's, by precision."""

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
CONFIG_FILE: Final = "encoder.json"


os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read by onnxruntime on import


class ExportError(Exception):
    """The exported encoder ranks passages differently from the model."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The exported query encoder: shipped precision, top-10 overlap with the model by precision, size in bytes."""

    precision: str
    overlap: dict[str, float]
    bytes: dict[str, int]


def export_encoder(encoder: Encoder, folder: Path, passages: Vectors, sample_queries: Sequence[str]) -> Exported:
    """Write `model.onnx`, `tokenizer.json` and `encoder.json` to `folder`.

    Args:
        encoder: the model.
        folder: folder to write; created if missing.
        passages: the dataset's unit vectors, float32, (passages, dimensions), which the top tens are taken from.
        sample_queries: queries whose top tens are compared.

    Raises:
        ExportError: the fp32 graph differs from the model.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(encoder.folder / TOKENIZER_FILE, folder / TOKENIZER_FILE)
    config = {
        "max_tokens": encoder.max_tokens,
        "query_prefix": str(encoder.model.prompts.get("query", "")),
        "dimensions": encoder.dimensions,
    }
    (folder / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")

    graphs = {"fp32": folder / "fp32.onnx", "int8": folder / "int8.onnx"}
    _export_graph(encoder, graphs["fp32"])
    _quantize(graphs["fp32"], graphs["int8"])
    wanted = encoder.encode_queries(sample_queries)
    overlap = {
        precision: round(_top10_overlap(passages, wanted, _run(graph, folder, sample_queries, config)), 4)
        for precision, graph in graphs.items()
    }
    sizes = {precision: graph.stat().st_size for precision, graph in graphs.items()}
    if overlap["fp32"] < MIN_OVERLAP["fp32"]:
        msg = f"the exported encoder shares {overlap['fp32']:.1%} of its top tens with {encoder.name}; 99% is required"
        raise ExportError(msg)
    precision = "int8" if overlap["int8"] >= MIN_OVERLAP["int8"] else "fp32"
    graphs[precision].replace(folder / MODEL_FILE)
    for graph in graphs.values():
        graph.unlink(missing_ok=True)
    return Exported(precision, overlap, sizes)


def _export_graph(encoder: Encoder, path: Path) -> None:
    import torch  # noqa: PLC0415  (seconds to import; only exports need it)
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
            Pooled(encoder.model).eval(),
            (ids, mask),
            input_names=["input_ids", "attention_mask"],
            output_names=["unit_vector"],
            dynamic_shapes={"input_ids": shape, "attention_mask": shape},
            dynamo=True,
            verbose=False,
        )
    if program is None:
        msg = f"torch did not export a graph of {encoder.name}"
        raise ExportError(msg)
    # The exporter records source lines with this machine's paths for each node.
    ClearMetadataAndDocStringPass()(program.model)
    program.save(str(path))


@contextmanager
def _only_errors(logger: str) -> Iterator[None]:
    """Silence exporters' warnings about their own internals; the ranking is checked instead."""
    log = logging.getLogger(logger)
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(level)


def _quantize(source: Path, target: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415

    with _only_errors("root"):
        quantize_dynamic(str(source), str(target), per_channel=True, weight_type=QuantType.QInt8)


def _run(graph: Path, folder: Path, texts: Sequence[str], config: dict[str, Any]) -> Vectors:
    """Encode texts with an exported graph: unit vectors, float32, (len(texts), dimensions)."""
    import onnxruntime  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.enable_truncation(config["max_tokens"])
    session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    vectors = []
    for text in texts:
        encoding = tokenizer.encode(config["query_prefix"] + text)
        feeds = {"input_ids": np.array([encoding.ids]), "attention_mask": np.array([encoding.attention_mask])}
        vectors.append(session.run(None, feeds)[0][0])
    return np.asarray(vectors, dtype=np.float32)


def _top10_overlap(passages: Vectors, wanted: Vectors, got: Vectors) -> float:
    """Mean share of the top ten passages that two encodings of the same queries have in common.

    Args:
        passages: float32, (passages, dimensions).
        wanted: the model's vectors of the queries, float32, (queries, dimensions).
        got: the exported graph's, of the same shape.
    """
    index = faiss.IndexFlatIP(passages.shape[1])
    index.add(passages)
    count = min(10, len(passages))
    _, expected = index.search(wanted, count)
    _, found = index.search(got, count)
    return float(np.mean([len(set(e) & set(f)) / count for e, f in zip(expected, found, strict=True)]))
