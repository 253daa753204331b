"""A dataset of the starter content with a tiny encoder, built by the real pipeline once a session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from build_pipeline.release.allowed import AllowList, read_allow_list


@pytest.fixture(scope="session")
def small_dataset(
    once_a_session: Callable[[str, Callable[[Path], object]], Path],
    tiny_model: Path,
    starter_raw: Path,
    build_cache: Path,
) -> Path:
    """Folder of the dataset, whose encoder is `tiny_model`."""
    from build_pipeline.pipeline import build_dataset

    def build(folder: Path) -> None:
        build_dataset(starter_raw, folder, model=str(tiny_model), max_questions=1, cache=build_cache)

    return once_a_session("small-dataset", build)


@pytest.fixture
def allowed() -> AllowList:
    """The repository's list of allowed documents, for tests to change."""
    declared = read_allow_list()
    return AllowList(dict(declared.licenses), dict(declared.documents))
