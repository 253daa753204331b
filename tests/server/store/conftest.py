"""A publisher of two releases."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from mirror import Mirror, mirroring


@pytest.fixture
def mirror(shop: Path, tmp_path: Path) -> Iterator[Mirror]:
    """The publisher's web server."""
    shutil.copytree(shop, tmp_path / "shop")
    with mirroring(tmp_path / "shop") as served:
        yield served
