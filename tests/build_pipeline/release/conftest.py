"""A whole dataset of the starter content with a tiny encoder, built by the real pipeline once a session."""

import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from build_pipeline.release.allowed import AllowList, read_allow_list


@pytest.fixture(scope="session")
def small_dataset(
    tmp_path_factory: pytest.TempPathFactory, tiny_model: Path, starter_raw: Path, build_cache: Path
) -> Path:
    """Folder of the dataset; the workers of one session share one build. `model` beside it is its encoder."""
    from build_pipeline.pipeline import build_dataset

    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "small"
    shared.mkdir(exist_ok=True)
    with FileLock(shared / "lock"):
        if not (shared / "dataset").exists():
            shutil.copytree(tiny_model, shared / "model", dirs_exist_ok=True)
            build_dataset(starter_raw, shared / "dataset", model=str(shared / "model"), cache=build_cache)
    return shared / "dataset"


@pytest.fixture
def allowed() -> AllowList:
    """What the repository allows, to be narrowed or widened by tests."""
    declared = read_allow_list()
    return AllowList(dict(declared.licenses), dict(declared.documents))
