"""The folder of an export, which a later export replaces as a whole, unless it holds anything else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from server.dataset.manifest import Sha256, file_sha256
from server.dataset.replacing import replacing_folder

WRITTEN_FILE: Final = ".lorekeeper-export.json"
"""Path of every other file of an export → its sha256."""

_WRITTEN: Final = TypeAdapter(dict[str, Sha256])
_NAMED: Final = 3
"""Foreign files that a refusal names."""


@contextmanager
def export_folder(out: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of `out` when the block ends without an error.

    Raises:
        FileExistsError: `out` is a file, or holds anything but an export as it was written.
    """
    _check(out)
    with replacing_folder(out) as new:
        yield new
        written = {path.relative_to(new).as_posix(): file_sha256(path) for path in new.rglob("*") if path.is_file()}
        listing = json.dumps(dict(sorted(written.items())), indent=1) + "\n"
        (new / WRITTEN_FILE).write_text(listing, encoding="utf-8", newline="\n")
        _check(out)  # again, since exporting takes a while


def _check(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        msg = f"{out} is a file; name a new folder"
        raise FileExistsError(msg)
    if foreign := list(_foreign(out, _written(out))):
        more = f" and {len(foreign) - _NAMED} more" if len(foreign) > _NAMED else ""
        msg = (
            f"{out} holds what no export wrote, or what was changed since: {', '.join(foreign[:_NAMED])}{more}; "
            "move that elsewhere, or name a new folder"
        )
        raise FileExistsError(msg)


def _written(out: Path) -> Mapping[str, str]:
    """The files that an earlier export recorded; none if there is no record, or it cannot be read."""
    try:
        return _WRITTEN.validate_json((out / WRITTEN_FILE).read_bytes())
    except (FileNotFoundError, ValidationError):
        return {}


def _foreign(folder: Path, written: Mapping[str, str], inside: str = "") -> Iterator[str]:
    """Paths in a folder that are not as they were written; folders in which nothing was written are not searched.

    Args:
        folder: the folder.
        written: path → sha256.
        inside: the folder's own path, as a prefix of its files' paths.
    """
    for path in sorted(folder.iterdir()):
        name = f"{inside}{path.name}"
        if path.is_symlink():
            yield name
        elif path.is_dir() and any(file.startswith(f"{name}/") for file in written):
            yield from _foreign(path, written, f"{name}/")
        elif not path.is_file() or (name != WRITTEN_FILE and file_sha256(path) != written.get(name)):
            yield name
