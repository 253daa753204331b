"""A publisher of two editions, and a home in which the old one is in use."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from mirror import NEW, OLD, SILENT, Mirror, edition, mirroring, pack, release

from server.store.home import Home
from server.store.pull import pull_file


@pytest.fixture(scope="session")
def editions(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Version → dataset folder."""
    folder = tmp_path_factory.mktemp("editions")
    return {version: edition(tiny_folder, folder / version, version) for version in (OLD, NEW)}


@pytest.fixture(scope="session")
def shop(editions: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the archives and the listing of both editions."""
    folder = tmp_path_factory.mktemp("shop")
    Mirror(folder).publish(*(release(pack(editions[v], folder, v)[1], v) for v in editions))
    return folder


@pytest.fixture
def mirror(shop: Path, tmp_path: Path) -> Iterator[Mirror]:
    """The publisher, on the web."""
    shutil.copytree(shop, tmp_path / "shop")
    with mirroring(tmp_path / "shop") as served:
        yield served


@pytest.fixture(scope="session")
def settled(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the old edition is in use; to be copied."""
    home = Home(tmp_path_factory.mktemp("settled") / "home")
    pull_file(home, next(shop.glob(f"*{OLD}*")), SILENT)
    return home.root


@pytest.fixture
def home(settled: Path, tmp_path: Path) -> Home:
    """A home in which the old edition is in use."""
    return Home(shutil.copytree(settled, tmp_path / "home"))
