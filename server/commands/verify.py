"""`lorekeeper verify`: check that a dataset is complete and undamaged."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console

from server.dataset import verify as dataset_verify
from server.dataset.printable import printable
from server.store.home import Home


def verify(path: Path) -> int:
    """Check a dataset: every hash, row count, vector count, id and column. Exit code 1 if anything is wrong."""
    Home.of(os.environ).check_manifest(path)
    problems = dataset_verify.verify(path)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    for problem in problems:
        console.print(printable(problem))
    if problems:
        return 1
    print(f"{path}: no problems found")  # noqa: T201 - the output itself
    return 0
