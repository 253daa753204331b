"""The query encoder of the library in service: text → vector, within a time limit."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from server.dataset.index.query_model import load_query_model

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    from server.dataset.index.query_model import Encoding
    from server.dataset.manifest import EncoderEntry

log = logging.getLogger(__name__)


KEPT: Final = 300
"""Queries whose vectors are cached, half a megabyte: further pages and other filters repeat the same words."""


class EncoderError(Exception):
    """The encoder gave no vector; the message is the reason in a few words."""


class QueryEncoder:
    """An encoder that loads in the background, so that only calls that need it wait for it. Thread-safe."""

    def __init__(self, folder: Path, entry: EncoderEntry, timeout: float) -> None:
        """Start to load.

        Args:
            folder: the dataset's encoder folder.
            entry: what its manifest says about the encoder.
            timeout: seconds that a call waits for its vector.
        """
        self._timeout = timeout
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="encoder")
        self._model = self._threads.submit(load_query_model, folder, entry)
        self._known = lru_cache(KEPT)(self._encode)

    def begin(self, text: str) -> Future[Encoding]:
        """Begin to encode a query, for one `end`; the vectors of the last `KEPT` texts are cached.

        The future belongs to the caller: to cancel it affects nobody else who encodes the same text.
        """
        return self._threads.submit(self._known, text)

    def end(self, begun: Future[Encoding]) -> Encoding:
        """The query's vector, which must not be modified.

        Raises:
            EncoderError: it failed, or exceeded the time limit; the log has the cause.
        """
        try:
            return begun.result(self._timeout)
        except TimeoutError as error:
            begun.cancel()
            log.warning("the encoder exceeded its time limit of %g s", self._timeout)
            msg = f"the encoder took longer than {self._timeout:g} s"
            raise EncoderError(msg) from error
        except Exception as error:
            # onnxruntime's exceptions have no common base class. Whatever failed, the caller can answer unranked.
            log.warning("the encoder failed", exc_info=True)
            msg = "the encoder failed"
            raise EncoderError(msg) from error

    def check(self) -> None:
        """Encode a word, bypassing the cache.

        Raises:
            EncoderError: as `end`.
        """
        self.end(self._threads.submit(self._encode, "ready"))

    def _encode(self, text: str) -> Encoding:
        return self._model.result().encode(text)

    def wait_until_ready(self) -> None:
        """Wait for the model; errors in loading it are raised."""
        self._model.result()

    def close(self) -> None:
        """Stop the threads after the calls that are running."""
        self._threads.shutdown(wait=False)
