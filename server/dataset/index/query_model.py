"""The query encoder of a dataset: text → vector, with onnxruntime and the dataset's tokenizer."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from server.dataset.files import CONFIG_FILE, MODEL_FILE, TOKENIZER_FILE, WORDS_FILE
from server.dataset.index.inference import open_session
from server.dataset.index.vectors import UNIT_TOLERANCE
from server.dataset.index.word_vectors import WordVectors
from server.dataset.manifest import DatasetError
from server.dataset.strict_json import read_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from server.dataset.manifest import EncoderEntry, SampleQuery

Vector = npt.NDArray[np.float32]
"""float32[dimensions]."""

TOKENS: Final = "input_ids"
"""The graph's input of tokens: int64[1, tokens], numbers of rows of the word vectors."""
MAX_DEVIATION: Final = 1e-3
"""Largest difference allowed in a vector's components between machines, which sum in different orders."""
_PROBE: Final = "a probe"
"""Encoded to check the vectors if the manifest has no samples."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoded query.

    Attributes:
        vector: float32[dimensions], length 1.
        cut: the query was longer than the encoder reads.
    """

    vector: Vector
    cut: bool


class QueryModel:
    """A loaded encoder. Thread-safe; a call uses one thread."""

    def __init__(self, folder: Path) -> None:
        """Load the encoder in a folder.

        Raises:
            DatasetError: its files are not an encoder.
        """
        self._prefix, max_tokens, self.dimensions = _read_config(folder / CONFIG_FILE)
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(max_tokens)
        except Exception as error:  # the exceptions of the Rust library have no class of their own
            raise _unusable(folder / TOKENIZER_FILE, "is not a tokenizer", error) from error
        try:
            self._session = open_session(folder / MODEL_FILE)
        except Exception as error:  # onnxruntime's exceptions have no common base class
            raise _unusable(folder / MODEL_FILE, "is not a model", error) from error
        try:
            self._words = self._open_words(folder / WORDS_FILE)
        except Exception as error:  # likewise, or the graph takes no such vectors
            raise _unusable(folder / WORDS_FILE, f"does not hold the word vectors of {MODEL_FILE}", error) from error

    def encode(self, text: str) -> Encoding:
        """The vector of a query; raises whatever onnxruntime raises."""
        tokens = self._tokenizer.encode(self._prefix + text)
        inputs: dict[str, npt.NDArray[Any]] = {
            TOKENS: np.array([tokens.ids], dtype=np.int64),
            "attention_mask": np.array([tokens.attention_mask], dtype=np.int64),
        }
        if self._words is not None:
            name, vectors = self._words
            inputs |= {TOKENS: np.arange(len(tokens.ids), dtype=np.int64)[np.newaxis], name: vectors[tokens.ids]}
        (output,) = self._session.run(None, inputs)
        return Encoding(np.asarray(output[0], dtype=np.float32), cut=bool(tokens.overflowing))

    def _open_words(self, file: Path) -> tuple[str, WordVectors] | None:
        """The input for the vectors of a text's words, and all word vectors; None if the graph contains them itself."""
        if not file.is_file():
            return None
        (given,) = self._session.get_overridable_initializers()
        vectors = WordVectors(file, given.shape[1])
        if vectors.size < self._tokenizer.get_vocab_size():
            msg = f"it has {vectors.size} vectors for {self._tokenizer.get_vocab_size()} words"
            raise ValueError(msg)
        return given.name, vectors


def load_query_model(folder: Path, entry: EncoderEntry) -> QueryModel:
    """Load a dataset's encoder and try it.

    Args:
        folder: the dataset's encoder folder.
        entry: what the manifest says about it.

    Raises:
        DatasetError: it cannot be loaded, or gives other vectors than the manifest records.
    """
    model = QueryModel(folder)
    if problem := next(_wrong_vectors(model, entry), None):
        msg = f"{folder.name}/{MODEL_FILE} {problem}: get the dataset again"
        raise DatasetError(msg)
    return model


def sample(text: str, vector: Vector) -> SampleQuery:
    """A query and its vector, as the manifest records them."""
    return {"text": text, "vector": base64.b64encode(vector.astype("<f4").tobytes()).decode()}


def _wrong_vectors(model: QueryModel, entry: EncoderEntry) -> Iterator[str]:
    if model.dimensions != entry["dimensions"]:
        yield f"makes vectors of {model.dimensions} dimensions, the manifest says {entry['dimensions']}"
        return
    samples: Sequence[SampleQuery] = entry.get("samples", ())
    wanted = {each["text"]: np.frombuffer(base64.b64decode(each["vector"]), dtype="<f4") for each in samples}
    for text in wanted or (_PROBE,):
        try:
            vector = model.encode(text).vector
        except Exception as error:  # noqa: BLE001 - onnxruntime's exceptions have no common base class
            yield f"fails to encode {text!r} ({_first_line(error)})"
            return
        if vector.shape != (entry["dimensions"],):
            yield f"gives vectors of shape {list(vector.shape)} instead of [{entry['dimensions']}]"
        elif not abs(float(np.linalg.norm(vector)) - 1) <= UNIT_TOLERANCE:
            yield f"gives {text!r} a vector of length {float(np.linalg.norm(vector)):.3g} instead of 1"
        elif text in wanted and not _close(vector, wanted[text]):
            yield f"gives {text!r} another vector than the manifest records"


def _close(vector: Vector, wanted: Vector) -> bool:
    return vector.shape == wanted.shape and bool(np.abs(vector - wanted).max() <= MAX_DEVIATION)


def _read_config(file: Path) -> tuple[str, int, int]:
    """The prefix of queries, the tokens that are read, the dimensions of vectors."""
    try:
        config: dict[str, Any] = read_json(file.read_bytes())
        prefix, max_tokens, dimensions = config["query_prefix"], config["max_tokens"], config["dimensions"]
    except (ValueError, KeyError, TypeError) as error:
        raise _unusable(file, "is not the encoder's configuration", error) from error
    if not isinstance(prefix, str) or not all(type(n) is int and n > 0 for n in (max_tokens, dimensions)):
        raise _unusable(file, "is not the encoder's configuration", TypeError(f"{config}"))
    return prefix, max_tokens, dimensions


def _unusable(file: Path, what: str, error: Exception) -> DatasetError:
    return DatasetError(f"{file.parent.name}/{file.name} {what} ({_first_line(error)}): get the dataset again")


def _first_line(error: Exception) -> str:
    return (f"{error}".splitlines() or [type(error).__name__])[0][:200]
