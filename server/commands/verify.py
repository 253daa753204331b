"""`lorekeeper verify`: check that a dataset is complete and undamaged."""

from __future__ import annotations

import os
from pathlib import Path

from server.dataset import verify as dataset_verify
from server.dataset.terminal import lines_console, write
from server.store.home import Home


def verify(path: Path, /) -> int:
    """Check a dataset: every hash, row count, vector count, id and column. Exit code 1 if anything is wrong."""
    Home.of(os.environ).check_manifest(path)
    problems = dataset_verify.verify(path)
    console = lines_console(stderr=True)
    for problem in problems:
        console.print(problem)
    if problems:
        return 1
    write(f"{path}: no problems found\n")
    return 0
