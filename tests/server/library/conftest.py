"""The tiny dataset for tests that open it in their own way; `tiny_library` is the shared library of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_dataset import build_tiny_dataset

from server.dataset.dataset import Dataset
from server.library.sql.engine import SqlEngine


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return build_tiny_dataset(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def engine(tiny_folder: Path) -> Iterator[SqlEngine]:
    opened = SqlEngine(tiny_folder)
    yield opened
    opened.close()
