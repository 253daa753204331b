"""The tiny dataset with files written anew, as an older or newer builder would have written them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.reliability.damages import sign

Write = Callable[[Path], None]
Altered = Callable[[dict[str, Write]], Path]


@pytest.fixture
def altered(tiny_folder: Path, tmp_path: Path) -> Altered:
    """Makes a copy of the tiny dataset in which some files were written anew, or added, and are recorded so."""

    def copy(files: dict[str, Write]) -> Path:
        folder = Path(shutil.copytree(tiny_folder, tmp_path / "altered"))
        for name, write in files.items():
            write(folder / name)
            sign(folder, name)
        return folder

    return copy
