"""A tiny but real query encoder: the mean of random word vectors, as an ONNX graph with its tokenizer."""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

DIMENSIONS = 48
MAX_TOKENS = 64
UNKNOWN = "[UNK]"


def write_tiny_encoder(folder: Path, texts: Iterable[str]) -> None:
    """Write an encoder whose vocabulary is the words of `texts`."""
    folder.mkdir()
    tokenizer = Tokenizer(models.WordLevel({UNKNOWN: 0}, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    words = {word for text in texts for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text.lower())}
    vocabulary = {word: i for i, word in enumerate([UNKNOWN, *sorted(words - {UNKNOWN})])}
    tokenizer.model = models.WordLevel(vocabulary, unk_token=UNKNOWN)
    tokenizer.save(str(folder / "tokenizer.json"))
    vectors = np.random.default_rng(7).standard_normal((len(vocabulary), DIMENSIONS)).astype(np.float32)
    onnx.save(_graph(vectors), str(folder / "model.onnx"))
    settings = {"max_tokens": MAX_TOKENS, "query_prefix": "", "dimensions": DIMENSIONS}
    (folder / "encoder.json").write_text(json.dumps(settings))


def _graph(vectors: np.ndarray) -> onnx.ModelProto:
    nodes = [
        helper.make_node("Gather", ["vectors", "input_ids"], ["tokens"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["weights"]),
        helper.make_node("Mul", ["tokens", "weights"], ["weighted"]),
        helper.make_node("ReduceSum", ["weighted", "one"], ["sum"], keepdims=0),
        helper.make_node("LpNormalization", ["sum"], ["embedding"], axis=-1, p=2),
    ]
    tokens = ["n", "t"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, tokens) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", DIMENSIONS])],
        [
            numpy_helper.from_array(vectors, "vectors"),
            numpy_helper.from_array(np.array([-1]), "last"),
            numpy_helper.from_array(np.array([1]), "one"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
