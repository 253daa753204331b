"""A reader of the pages over the starter dataset."""

import pytest
from reader import Reader

from server.library.library import Library


@pytest.fixture(scope="session")
def reader(library: Library) -> Reader:
    return Reader(library)
