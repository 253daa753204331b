"""The program over the tiny dataset, on lines of 100 characters."""

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, lorekeeper: Run, tiny_folder: Path) -> Run:
    monkeypatch.setenv("LOREKEEPER_DATASET", str(tiny_folder))
    monkeypatch.setenv("COLUMNS", "100")
    return lorekeeper
