"""Copies of the tiny dataset with files as older or newer builders would write them."""

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
    """Makes a copy of the tiny dataset with some files rewritten or added, and recorded in its manifest."""

    def copy(files: dict[str, Write]) -> Path:
        folder = Path(shutil.copytree(tiny_folder, tmp_path / "altered"))
        for name, write in files.items():
            write(folder / name)
            sign(folder, name)
        return folder

    return copy
