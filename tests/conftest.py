"""Fixtures that all tests share: the real starter dataset, built by the real pipeline once a session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.dataset.load import Dataset
    from server.library.library import Library

    OnceASession = Callable[[str, Callable[[Path], object]], Path]

settings.register_profile("thorough", max_examples=2_000)  # pytest --hypothesis-profile thorough

STARTER = Path(__file__).parent.parent / "data" / "starter"

# The fixtures import what they need themselves: a test of one parser does not wait for torch.


@pytest.fixture(scope="session")
def once_a_session(tmp_path_factory: pytest.TempPathFactory) -> OnceASession:
    """(name, what makes a folder) → that folder, which all workers of the session share."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def once(name: str, make: Callable[[Path], object]) -> Path:
        folder = shared / name
        with FileLock(shared / f"{name}.lock"):
            if not folder.exists():
                make(folder)
        return folder

    return once


@pytest.fixture(scope="session")
def starter_dataset(once_a_session: OnceASession) -> Path:
    """Folder of the starter dataset."""
    from build_pipeline.pipeline import build_dataset

    homebrew = [STARTER / "lantern-coast.orcbrew"]
    return once_a_session("starter-dataset", lambda folder: build_dataset(STARTER, folder, orcbrew=homebrew, chunks=1))


@pytest.fixture(scope="session")
def dataset(starter_dataset: Path) -> Dataset:
    from server.dataset.load import load_dataset

    return load_dataset(starter_dataset)


@pytest.fixture(scope="session")
def library(dataset: Dataset) -> Library:
    from server.library.library import Library

    return Library(dataset)


@pytest.fixture(scope="session")
def recordings() -> Path:
    """Folder of the API recordings; tests that need it skip without."""
    folder = os.environ.get("LOREKEEPER_RECORDINGS")
    if not folder:
        pytest.skip("LOREKEEPER_RECORDINGS is not set")
    return Path(folder)
