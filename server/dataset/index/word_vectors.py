"""The vectors of an encoder's vocabulary, in a file of their own, of which only those of a text's words are read."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING
from weakref import finalize

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Vectors = npt.NDArray[np.float32]


class WordVectors:
    """Rows of a file, read on demand and not kept: a text needs a dozen of tens of thousands. Thread-safe.

    They are read, not mapped: for each row touched, the system would map the sixteen pages around it, which before
    long is the whole file.

    Attributes:
        size: how many rows there are.
    """

    def __init__(self, file: Path, width: int) -> None:
        """Open a file of little-endian float32[words, width].

        Raises:
            ValueError: it does not consist of such rows.
        """
        self._width, self._row = width, 4 * width
        self.size, rest = divmod(file.stat().st_size, self._row)
        if rest:
            msg = f"{file.name} does not consist of rows of {width} numbers"
            raise ValueError(msg)
        self._lock = Lock()
        self._file = file.open("rb", buffering=0)
        finalize(self, self._file.close)

    def __getitem__(self, numbers: Sequence[int]) -> Vectors:
        """float32[n, width]: the rows of these numbers.

        Raises:
            OSError: the file has become shorter.
        """
        with self._lock:
            rows = [self._read(number) for number in numbers]
        return np.frombuffer(b"".join(rows), dtype="<f4").reshape(-1, self._width)

    def _read(self, number: int) -> bytes:
        self._file.seek(number * self._row)
        row = self._file.read(self._row)
        if len(row) < self._row:
            msg = "the file of word vectors has become shorter"
            raise OSError(msg)
        return row
