"""The server's size on disk without the extra for building: needs a package index and a minute or two."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.speed.results import Row

_ROOT: Final = Path(__file__).parents[2]
MOST_MEGABYTES: Final = 450


def installed_size() -> list[Row]:
    """The row for the size of a fresh virtual environment into which only the server is installed."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        bare = _megabytes(Path(folder))
        pip = [str(Path(folder) / "bin" / "pip"), "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-c", str(_ROOT / "constraints.txt"), str(_ROOT)], check=True)
        size = _megabytes(Path(folder)) - bare
    return [Row("installed size of the server", size, "MB", target=MOST_MEGABYTES)]


def _megabytes(folder: Path) -> float:
    """Size on disk in units of 10⁶ bytes, including compiled modules."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir()) / 1e6
