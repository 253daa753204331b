"""The small hand-made dataset, for tests that open it in their own way; `tiny_library` is it as others share it."""

import pytest
from tiny_dataset import build_tiny_dataset

from server.dataset.load import Dataset


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return build_tiny_dataset(tmp_path_factory.mktemp("tiny"))
