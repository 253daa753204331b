"""Runs an exported encoder: one text → one unit vector, with onnxruntime.

Each text is encoded by itself, in a batch of one. There is no padding to compute, and a vector depends on nothing but
its text: neither on the other texts nor on the number of cores.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read by onnxruntime on import
import onnxruntime
import tokenizers

from server.dataset.files import CONFIG_FILE, MODEL_FILE, TOKENIZER_FILE
from server.dataset.manifest import file_sha256

FACTS_FILE: Final = "export.json"
"""Facts that only the builder needs: the model's pooling, the prefix of passages, hashes of the other files."""

Vectors = npt.NDArray[np.float32]
"""float32[n, dimensions]: one unit vector per row."""

_SLOWER: Final = ["SkipLayerNormFusion"]
"""Optimisers of onnxruntime that cost a tenth of the time here instead of saving any."""


class Graph:
    """A loaded export. Thread-safe; each call uses one thread."""

    def __init__(self, folder: Path) -> None:
        """Load the export in a folder."""
        config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
        facts = (folder / FACTS_FILE).read_bytes()
        self.max_tokens = int(config["max_tokens"])
        self.dimensions = int(config["dimensions"])
        self.query_prefix = str(config["query_prefix"])
        self.passage_prefix = str(json.loads(facts)["passage_prefix"])
        self.pooling = str(json.loads(facts)["pooling"])
        readers = f"{onnxruntime.__version__} {tokenizers.__version__} {file_sha256(Path(__file__))}"
        self.fingerprint = hashlib.sha256(facts + readers.encode()).hexdigest()
        """Changes with everything a vector depends on besides its text: the export, and the code that runs it."""
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_tokens)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / MODEL_FILE), options, ["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )

    def vector(self, text: str) -> Vectors:
        """The unit vector of a text with its prefix, float32, (dimensions,)."""
        tokens = self._tokenizer.encode(text)
        inputs = {
            "input_ids": np.array([tokens.ids], dtype=np.int64),
            "attention_mask": np.array([tokens.attention_mask], dtype=np.int64),
        }
        (output,) = self._session.run(None, inputs)
        vector: Vectors = output[0]
        return vector
