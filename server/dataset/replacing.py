"""Files and folders that replace earlier ones only once they are complete: if anything fails, the old one stays."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing_file(path: Path) -> Iterator[Path]:
    """A new file to write, next to `path`, which it replaces when the block ends without an error.

    It is synced to disk before that, and has the default mode of new files.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as work:
        new = Path(work) / path.name
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)


@contextmanager
def replacing_folder(out: Path) -> Iterator[Path]:
    """A new folder to fill, next to `out`, which it replaces when the block ends without an error.

    A link stays a link: its target is replaced.
    """
    target = out.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    new, old = work / "new", work / "old"
    try:
        new.mkdir()
        yield new
        take_place(new, target, old)
    finally:
        if target.exists() or not old.exists():  # otherwise `old` is the only copy, since it could not be put back
            shutil.rmtree(work, ignore_errors=True)


def take_place(new: Path, target: Path, old: Path) -> None:
    """Rename a folder to `target`. What is there moves to `old`, which must not exist, and is put back on failure."""
    try:
        if target.exists():
            target.rename(old)
        new.rename(target)
    finally:
        put_back(old, target)


def put_back(old: Path, target: Path) -> None:
    """Undo a `take_place` that got no further than its first rename; anything else is left as it is."""
    if old.exists() and not target.exists():
        old.rename(target)
