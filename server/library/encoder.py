"""The query encoder: text → vector, with onnxruntime and the tokenizer of the dataset, within a time limit."""

from __future__ import annotations

import json
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it on import; without it every session is reported
import onnxruntime
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from pathlib import Path

    from server.library.arrays import Vector

log = logging.getLogger(__name__)


class EncoderError(Exception):
    """The encoder gave no vector; the message is the reason in a few words."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoded query.

    Attributes:
        vector: float32[dimensions], length 1.
        cut: the query was longer than the encoder reads.
    """

    vector: Vector
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
        # For a dozen tokens one thread is faster than two, and it leaves the other cores to other calls.
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


class QueryEncoder:
    """Loads in the background, so that only calls that need it wait for it. Thread-safe."""

    def __init__(self, path: Path, timeout: float) -> None:
        """Start to load.

        Args:
            path: the dataset's encoder folder.
            timeout: seconds that a call waits for its vector.
        """
        self._timeout = timeout
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="encoder")
        self._model = self._threads.submit(_Model, path)

    def encode(self, text: str) -> Encoding:
        """The query's vector.

        Raises:
            EncoderError: it failed, or exceeded the time limit; the log has the cause.
        """
        running = self._threads.submit(lambda: self._model.result().encode(text))
        try:
            return running.result(self._timeout)
        except TimeoutError as error:
            running.cancel()
            log.warning("the encoder exceeded its time limit of %g s", self._timeout)
            msg = f"the encoder took longer than {self._timeout:g} s"
            raise EncoderError(msg) from error
        except Exception as error:
            # onnxruntime's exceptions have no common base class. Whatever failed, the caller can answer unranked.
            log.warning("the encoder failed", exc_info=True)
            msg = "the encoder failed"
            raise EncoderError(msg) from error

    def wait_until_ready(self) -> None:
        """Wait for the model; errors in loading it are raised."""
        self._model.result()

    def close(self) -> None:
        """Stop the threads after the calls that are running."""
        self._threads.shutdown(wait=False)
