"""Hashes of files, to compare folders byte for byte."""

from __future__ import annotations

import hashlib
from pathlib import Path


def contents(folder: Path) -> dict[str, str]:
    """Relative path → SHA-256 of every file in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
