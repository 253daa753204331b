"""Replaces an old snapshot with a new one; if killed at any moment, it leaves one of them complete."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock

NEW: Final = ".new"
"""Folder inside a snapshot's folder: a complete snapshot that is replacing it; the next process finishes the swap."""

LOCK: Final = ".lock"
"""Lock file, held while a snapshot is written and replaces the old one."""

_RAW: Final = "raw"
_INFO: Final = "snapshot.json"


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Yield a new folder to fill, inside `out`; its snapshot replaces the one there if the block ends without an error.

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
    """Finish a swap that a killed process may have left: once renamed to `NEW`, the new snapshot counts."""
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
