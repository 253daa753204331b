"""Vectors as 8-bit integers, in a graph that multiplies a query with all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model

from build_pipeline.index.graph import Vectors

_LARGEST: Final = 63
"""In 7 bits: processors without instructions for 8-bit products add two of them in 16 bits, which must not overflow."""
_OPSET: Final = 17
_IR_VERSION: Final = 8


def write_quantized(file: Path, vectors: Vectors) -> None:
    """Write the graph from `query`, float32[1, dimensions], to `products`, float32[1, vectors].

    Each vector has a scale of its own; the query is given one when the graph runs.

    Args:
        file: the file to write.
        vectors: unit vectors, float32, (vectors, dimensions).
    """
    scales = np.abs(vectors).max(axis=1, initial=np.finfo(np.float32).tiny) / np.float32(_LARGEST)
    integers = np.rint(vectors / scales[:, np.newaxis]).astype(np.int8)
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["query"], ["integers", "scale", "zero"]),
        helper.make_node("MatMulInteger", ["integers", "vectors", "zero"], ["sums"]),
        helper.make_node("Cast", ["sums"], ["as_floats"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["scales", "scale"], ["both_scales"]),
        helper.make_node("Mul", ["as_floats", "both_scales"], ["products"]),
    ]
    graph = helper.make_graph(
        nodes,
        "products",
        [helper.make_tensor_value_info("query", TensorProto.FLOAT, [1, vectors.shape[1]])],
        [helper.make_tensor_value_info("products", TensorProto.FLOAT, [1, vectors.shape[0]])],
        [
            numpy_helper.from_array(np.ascontiguousarray(integers.T), "vectors"),
            numpy_helper.from_array(scales[np.newaxis].astype(np.float32), "scales"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    save_model(model, str(file))
