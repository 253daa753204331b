"""Vectors kept between builds, so that a killed or repeated build continues where it was.

One SQLite file. A row's key is the hash of what made the vector (encoder and text), and each row has a checksum: a
vector that was damaged on disk counts as missing. A damaged file is named in a warning and rebuilt; if it cannot be
written, for example because the disk is full, the build continues without it.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Final, Self

import numpy as np

from build_pipeline.expected import ExpectedError
from build_pipeline.index.graph import Vectors

CACHE_FILE: Final = "vectors.sqlite"
MAX_BYTES: Final = 2**30
"""Size beyond which the least recently used vectors are removed: a dozen builds without a text in common."""

_TOGETHER: Final = 500
"""Vectors selected per statement: a statement for each takes longer than reading it."""
_SUM: Final = 8
"""Bytes of a checksum, which precedes its vector."""
_PATIENCE: Final = 60
"""Seconds to wait while another build writes."""


class CacheError(ExpectedError):
    """The folder of the cache cannot be used; the message names it and says what to do."""


log = logging.getLogger(__name__)


def check_folder(folder: Path) -> None:
    """Make the folder of a cache, and try to write there.

    Raises:
        CacheError: one of them failed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        msg = f"the cache in {folder} cannot be used ({error}); name another with --cache-dir, or give --no-cache"
        raise CacheError(msg) from error


class VectorCache:
    """The cache in a folder; a context manager. Used from one thread; several processes may share a folder."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        """Open the cache, or make one.

        Args:
            folder: its folder, which exists.
            max_bytes: size of the vectors to keep on closing.
        """
        self._path = folder / CACHE_FILE
        self._max_bytes = max_bytes
        self._now = int(time.time())
        self._connection: sqlite3.Connection | None = None
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._failed(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, encoder: str, texts: Iterable[str]) -> dict[str, Vectors]:
        """The vectors of those texts that the cache has, float32, (dimensions,).

        Args:
            encoder: fingerprint of the encoder.
            texts: the texts.
        """
        found: dict[str, Vectors] = {}
        damaged = 0
        if self._connection is None:
            return found
        text_of = {_key(encoder, text): text for text in texts}
        keys = list(text_of)
        try:
            with self._connection:
                for start in range(0, len(keys), _TOGETHER):
                    asked = keys[start : start + _TOGETHER]
                    marks = ", ".join("?" * len(asked))
                    select = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                    update = f"UPDATE vectors SET used = ? WHERE key IN ({marks})"  # noqa: S608
                    for key, data in self._connection.execute(select, asked):
                        if _sum(key, data[_SUM:]) == data[:_SUM]:
                            found[text_of[key]] = np.frombuffer(data, dtype=np.float32, offset=_SUM)
                        else:
                            damaged += 1
                    self._connection.execute(update, (self._now, *asked))
        except sqlite3.DatabaseError as error:
            self._failed(error)
        if damaged:
            log.warning("%s: %s vectors are damaged and recomputed", self._path, f"{damaged:,}")
        return found

    def put(self, encoder: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of texts, all or none.

        Args:
            encoder: fingerprint of the encoder.
            vectors: text → float32, (dimensions,).
        """
        if self._connection is None:
            return
        rows = []
        for text, vector in vectors.items():
            key, data = _key(encoder, text), vector.tobytes()
            rows.append((key, self._now, _sum(key, data) + data))
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        except sqlite3.DatabaseError as error:
            self._failed(error)

    def close(self) -> None:
        """Close the cache, removing the least recently used vectors if there are too many."""
        if self._connection is None:
            return
        try:
            with self._connection:
                self._connection.execute(
                    "DELETE FROM vectors WHERE key IN (SELECT key FROM (SELECT key, "
                    "sum(length(vector)) OVER (ORDER BY used DESC, key) AS bytes FROM vectors) WHERE bytes > ?)",
                    (self._max_bytes,),
                )
        except sqlite3.DatabaseError as error:
            self._failed(error)
        self._disconnect()

    def _open(self) -> None:
        self._connection = sqlite3.connect(self._path, timeout=_PATIENCE)
        with self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, used INTEGER NOT NULL, vector BLOB NOT NULL)"
            )

    def _failed(self, error: sqlite3.DatabaseError) -> None:
        """Replace a damaged file; continue without one that cannot be used. Only time is lost."""
        self._disconnect()
        if isinstance(error, sqlite3.OperationalError):  # read-only, full, locked
            log.warning("the cache %s cannot be used (%s): the build continues without it", self._path, error)
            return
        log.warning("the cache %s is damaged (%s): it is removed and rebuilt", self._path, error)
        try:
            self._path.unlink(missing_ok=True)
            self._path.with_name(f"{CACHE_FILE}-journal").unlink(missing_ok=True)
            self._open()
        except (OSError, sqlite3.DatabaseError) as again:
            log.warning("the cache %s cannot be used (%s): the build continues without it", self._path, again)
            self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _key(encoder: str, text: str) -> bytes:
    return hashlib.sha256(f"{encoder}\n{text}".encode("utf-8", "surrogatepass")).digest()


def _sum(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, key=key, digest_size=_SUM).digest()
