"""The encoder as shipped: its token embeddings, half of a small model, in a file next to its graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import onnx
from onnx import TensorProto, helper
from onnx.external_data_helper import set_external_data

from server.dataset.files import MODEL_FILE, WORDS_FILE
from server.dataset.index.query_model import TOKENS


def write_model(model: Path, folder: Path) -> None:
    """Write a graph from tokens to vectors to a folder, its token embeddings in a separate file.

    They stay part of the graph, as external data, and become an optional input: a server passes only the rows of a
    text's tokens and keeps none. A graph that does not look up embeddings, or does more with them, is copied as it is.

    Args:
        model: the graph, in one file.
        folder: where to write.
    """
    graph = onnx.load(model)
    words = _words_looked_up(graph.graph)
    if words is None:
        shutil.copyfile(model, folder / MODEL_FILE)
        return
    (folder / WORDS_FILE).write_bytes(words.raw_data)
    set_external_data(words, WORDS_FILE, offset=0, length=len(words.raw_data))
    words.ClearField("raw_data")
    graph.graph.input.append(helper.make_tensor_value_info(words.name, TensorProto.FLOAT, ["words", words.dims[1]]))
    (folder / MODEL_FILE).write_bytes(graph.SerializeToString(deterministic=True))


def _words_looked_up(graph: onnx.GraphProto) -> onnx.TensorProto | None:
    """The embeddings, float32[words, width], if all that the graph does with them is look up tokens' rows, or None."""
    words: onnx.TensorProto
    for words in graph.initializer:
        uses = [(node.op_type, list(node.input)) for node in graph.node if words.name in node.input]
        if uses == [("Gather", [words.name, TOKENS])] and words.data_type == TensorProto.FLOAT and words.raw_data:
            return words
    return None
