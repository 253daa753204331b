"""Fixtures of all tests, such as the starter dataset, which the real pipeline builds once a session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from hypothesis import settings
from starter_rows import STARTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from browser import Browser, Page

    from server.dataset.dataset import Dataset
    from server.library.library import Library

    OnceASession = Callable[[str, Callable[[Path], object]], Path]

# No deadlines: a busy machine is slow, not wrong. The same examples every time: no change fails by chance in what it
# did not touch; new examples are what the thorough profile looks for.
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("full", deadline=None, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=2_000)  # pytest --hypothesis-profile thorough


NEED_AN_ENCODER = {"starter_dataset", "tiny_model", "recordings"}
"""Fixtures that make the tests that use them, directly or not, slow."""

# Fixtures import what they need, so that the test of a parser does not wait for torch.


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples if tests are left out; `make test SELECT=` and CI try as many as Hypothesis suggests."""
    settings.load_profile("quick" if config.option.markexpr else "full")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what needs an encoder; other tests that are slow say so themselves.

    Tests over the dataset of all recordings come first: one process begins its build at once, which takes minutes, and
    no other comes to wait for it.
    """
    for item in items:
        if NEED_AN_ENCODER & set(getattr(item, "fixturenames", ())) or item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: "built" not in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def once_a_session(tmp_path_factory: pytest.TempPathFactory) -> OnceASession:
    """(name, function that makes a folder) → the folder, which all workers of the session share."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def once(name: str, make: Callable[[Path], object]) -> Path:
        folder = shared / name
        with FileLock(shared / f"{name}.lock"):
            if not folder.exists():
                make(folder)
        return folder

    return once


@pytest.fixture(scope="session", autouse=True)
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of the builder's cache of vectors and exported models, which all workers of the session share.

    Never the user's: a temporary one, or that of LOREKEEPER_TEST_CACHE, which then serves the next session too.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    root = Path(os.environ.get("LOREKEEPER_TEST_CACHE") or shared / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOREKEEPER_CACHE", str(root))
        yield root / "build"


@pytest.fixture(scope="session")
def starter_dataset(once_a_session: OnceASession, build_cache: Path) -> Path:
    """Folder of the starter dataset, whose vectors are fewer than a release's: one text passage and one question."""
    from build_pipeline.pipeline import build_dataset

    homebrew = [STARTER / "lantern-coast.orcbrew"]

    def build(folder: Path) -> None:
        build_dataset(STARTER, folder, orcbrew=homebrew, chunks=1, max_questions=1, cache=build_cache)

    return once_a_session("starter-dataset", build)


@pytest.fixture(scope="session")
def dataset(starter_dataset: Path) -> Dataset:
    from server.dataset.load import load_dataset

    return load_dataset(starter_dataset)


@pytest.fixture(scope="session")
def library(dataset: Dataset) -> Iterator[Library]:
    from server.library.library import Library

    library = Library(dataset)
    yield library
    library.close()


@pytest.fixture(scope="session")
def recordings() -> Path:
    """Folder of the API recordings; tests that need it skip without."""
    folder = os.environ.get("LOREKEEPER_RECORDINGS")
    if not folder:
        pytest.skip("LOREKEEPER_RECORDINGS is not set")
    return Path(folder)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless Chromium; tests that need it skip where there is none."""
    from browser import Browser, chromium

    program = chromium()
    if program is None:
        pytest.skip("there is no Chromium; LOREKEEPER_CHROMIUM may name one")
    with Browser(program, tmp_path_factory.mktemp("chromium")) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page of the browser."""
    opened = browser.page()
    yield opened
    opened.close()


@pytest.fixture
def axe() -> str:
    """The script of axe-core; tests that need it skip where it is not installed."""
    from browser import axe_source

    source = axe_source()
    if source is None:
        pytest.skip("LOREKEEPER_NODE_MODULES names no folder with axe-core")
    return source
