"""The home of pulled datasets: its files, and what is said of damaged ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.dataset.manifest import MANIFEST_FILE
from server.store.home import Home

VERSION = "2026.11.20"


def installed(root: Path) -> Home:
    """A home with one dataset, of which only the manifest matters here."""
    home = Home(root)
    dataset = home.work_folder() / "dataset"
    dataset.mkdir()
    (dataset / MANIFEST_FILE).write_text("{}")
    home.install(dataset, VERSION, {"archive_sha256": "", "from": "a test", "pulled_at": "2026-11-20T00:00:00Z"})
    return home


@pytest.mark.skipif(os.name == "nt", reason="has other permissions")
def test_another_user_may_read_what_root_has_pulled(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        home = installed(tmp_path / "home")
    finally:
        os.umask(before)
    files = [home.root / "current", home.root / "receipts" / f"{VERSION}.json", home.folder(VERSION) / MANIFEST_FILE]
    assert [oct(path.stat().st_mode & 0o777) for path in files] == ["0o644"] * 3
    assert home.folder(VERSION).stat().st_mode & 0o777 == 0o755
