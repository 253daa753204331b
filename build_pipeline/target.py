"""The folder that a build writes: one build at a time, and the old dataset stays until the new one is complete."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from build_pipeline.expected import ExpectedError
from server.dataset.manifest import MANIFEST_FILE
from server.dataset.replacing import put_back, take_place


class TargetError(ExpectedError):
    """A dataset cannot be written there; the message says why, and what to do."""


@contextmanager
def replacing(out: Path, room: int = 0) -> Iterator[Path]:
    """Yield a new folder to fill, next to `out`, which replaces `out` when the block ends without an error.

    If `out` is a symbolic link, its target is replaced. Whatever happens, and when, `out` is the old dataset or the new
    one, or the next build puts the old one back.

    Args:
        out: the folder.
        room: the maximum size of the new one in bytes.

    Raises:
        TargetError: `out` cannot be replaced or written, has too little room, or another build is writing it.
    """
    try:
        target = out.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        _check(out, target)
        _check_parent(out, target.parent, room)
        with suppress(FileNotFoundError):
            _beside(target, "partial").stat()  # its name may be too long
        lock = FileLock(_beside(target, "lock"))
        lock.acquire(timeout=0)
    except Timeout as error:
        msg = f"another build is writing {out}; wait for it to end, or give --out another folder"
        raise TargetError(msg) from error
    except (OSError, RuntimeError) as error:  # before Python 3.13 a link to itself is a RuntimeError
        msg = f"{out} cannot be written ({getattr(error, 'strerror', None) or error}); give --out another folder"
        raise TargetError(msg) from error
    try:
        yield from _filled(target)
    finally:
        lock.release()


def _filled(target: Path) -> Iterator[Path]:
    old, new = _beside(target, "old"), _beside(target, "partial")
    put_back(old, target)  # a build may have been killed between the two renames
    for left in (old, new):
        shutil.rmtree(left, ignore_errors=True)
    try:
        new.mkdir()
        yield new
        take_place(new, target, old)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            where = error.filename or f"{target}, or of the cache or the temporary files,"
            msg = f"the disk of {where} is full: what was built is removed, an earlier dataset is unchanged"
            raise TargetError(msg) from error
        raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _check_parent(out: Path, parent: Path, room: int) -> None:
    with tempfile.TemporaryFile(dir=parent):
        pass  # trying is more reliable than looking at permissions
    free = shutil.disk_usage(parent).free
    if free < room:
        msg = f"{out} has {free / 1e6:,.0f} MB of room, and the dataset may take {room / 1e6:,.0f}: free some, or give "
        raise TargetError(msg + "--out another folder")


def _check(out: Path, target: Path) -> None:
    if target.exists() and not target.is_dir():
        msg = f"{out} is a file; give --out a folder"
        raise TargetError(msg)
    if target.is_mount():
        msg = f"{out} is a mount point, which cannot be replaced; give --out a folder inside it"
        raise TargetError(msg)
    if target.exists() and any(target.iterdir()) and not (target / MANIFEST_FILE).is_file():
        msg = f"{out} is not empty and not a dataset; give --out a new folder"
        raise TargetError(msg)


def _beside(target: Path, purpose: str) -> Path:
    """A hidden path next to the target, so on the same file system."""
    return target.with_name(f".{target.name}.{purpose}")
