"""The query encoder: text → vector, with onnxruntime and the tokenizer of the dataset, within a time limit."""

from __future__ import annotations

import json
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when it is imported; otherwise it reports every session to its maker
import onnxruntime
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

log = logging.getLogger(__name__)


class EncoderError(Exception):
    """The encoder gave no vector; the message says why in a few words."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A query as a vector of length 1, and whether some of its words did not fit."""

    vector: npt.NDArray[np.float32]
    cut: bool


class _Model:
    """A loaded encoder."""

    def __init__(self, path: Path) -> None:
        settings = json.loads((path / "encoder.json").read_text(encoding="utf-8"))
        self._prefix = settings["query_prefix"]
        self._tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(settings["max_tokens"])
        options = onnxruntime.SessionOptions()
        # One thread is faster than two for a dozen tokens, and leaves the cores to other calls.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path / "model.onnx"), options, ["CPUExecutionProvider"])

    def encode(self, text: str) -> Encoding:
        tokens = self._tokenizer.encode(self._prefix + text)
        inputs = {
            "input_ids": np.array([tokens.ids], dtype=np.int64),
            "attention_mask": np.array([tokens.attention_mask], dtype=np.int64),
        }
        (output,) = self._session.run(None, inputs)
        return Encoding(np.asarray(output[0], dtype=np.float32), cut=bool(tokens.overflowing))


class Encoder:
    """Loads in the background, so that only the calls that need it wait for it. Safe to use from several threads."""

    def __init__(self, path: Path, timeout: float) -> None:
        """`path`: the dataset's encoder folder; `timeout`: seconds a call waits for its vector."""
        self._timeout = timeout
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="encoder")
        self._model = self._threads.submit(_Model, path)

    def encode(self, text: str) -> Encoding:
        """The query's vector.

        Raises:
            EncoderError: it failed, or took longer than the time limit; the log has the cause.
        """
        running = self._threads.submit(lambda: self._model.result().encode(text))
        try:
            return running.result(self._timeout)
        except TimeoutError as error:
            running.cancel()
            log.warning("the encoder exceeded its time limit of %g s", self._timeout)
            msg = f"it took longer than {self._timeout:g} s"
            raise EncoderError(msg) from error
        except Exception as error:
            # onnxruntime raises its own exceptions without a common base; whatever failed, unranked results still come.
            log.warning("the encoder failed", exc_info=True)
            msg = "it failed"
            raise EncoderError(msg) from error

    def wait_until_ready(self) -> None:
        """Wait for the model; what went wrong with it is raised."""
        self._model.result()

    def close(self) -> None:
        """Let go of the threads; running calls end first."""
        self._threads.shutdown(wait=False)
