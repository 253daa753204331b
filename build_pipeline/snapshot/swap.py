"""Puts a new snapshot in the place of an old one: killed at any moment, one of them is there, whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock

NEW: Final = ".new"
"""Folder inside a snapshot's: a whole snapshot that is taking its place, to be finished by whoever comes next."""

LOCK: Final = ".lock"
"""Held while a snapshot is written and takes its place."""

_RAW: Final = "raw"
_INFO: Final = "snapshot.json"


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A new folder to fill, inside `out`, whose snapshot takes the place of the one there when the block ends well.

    Raises:
        filelock.Timeout: another snapshot is being written there.
    """
    out.mkdir(parents=True, exist_ok=True)
    partial = out / ".partial"
    with _lock(out).acquire(timeout=0):
        _finish(out)
        shutil.rmtree(partial, ignore_errors=True)
        (partial / _RAW).mkdir(parents=True)
        yield partial
        partial.rename(out / NEW)
        _finish(out)


def finish_swap(out: Path) -> None:
    """Finish what a killed process may have left. From its one rename on, the new snapshot is the snapshot."""
    if (out / NEW).is_dir():
        with _lock(out):
            _finish(out)


def _lock(out: Path) -> FileLock:
    return FileLock(out / LOCK)


def _finish(out: Path) -> None:
    new = out / NEW
    if not new.is_dir():
        return
    if (new / _RAW).is_dir():
        shutil.rmtree(out / _RAW, ignore_errors=True)
        (new / _RAW).rename(out / _RAW)
    if (new / _INFO).is_file():
        (new / _INFO).replace(out / _INFO)
    new.rmdir()
