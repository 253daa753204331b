"""The home of pulled datasets: its files, and the errors for damaged ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.dataset.manifest import MANIFEST_FILE, DatasetError
from server.store.home import Home

VERSION = "2026.11.20"


def installed(root: Path) -> Home:
    """A home with one dataset, which has only a manifest."""
    home = Home(root)
    dataset = home.work_folder() / "dataset"
    dataset.mkdir()
    (dataset / MANIFEST_FILE).write_text("{}")
    home.install(dataset, VERSION, {"archive_sha256": "", "from": "a test", "pulled_at": "2026-11-20T00:00:00Z"})
    return home


@pytest.mark.skipif(os.name == "nt", reason="has other permissions")
def test_other_users_can_read_what_root_pulled(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        home = installed(tmp_path / "home")
    finally:
        os.umask(before)
    files = [home.root / "current", home.root / "receipts" / f"{VERSION}.json", home.folder(VERSION) / MANIFEST_FILE]
    assert [oct(path.stat().st_mode & 0o777) for path in files] == ["0o644"] * 3
    assert home.folder(VERSION).stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("held", [b"\xff\xfe", b"", b"../../etc", b"2026.11.20\n2026.11.21", b"x" * 1000])
def test_a_damaged_pointer_is_named_with_a_remedy_that_works(tmp_path: Path, held: bytes) -> None:
    home = installed(tmp_path / "home")
    (home.root / "current").write_bytes(held)
    with pytest.raises(DatasetError, match=f"current holds '.{{0,60}}, which is .*`lorekeeper use` one.*: {VERSION}$"):
        home.current()
    home.use(VERSION)
    assert home.current() == VERSION


@pytest.mark.parametrize(
    "text", [b"\xff\xfe", b"", b"{}", b"[]", b'"x"', b"null", b'{"manifest_sha256": 5}', b"[" * 100_000, None]
)
def test_a_damaged_receipt_is_named(tmp_path: Path, text: bytes | None) -> None:
    home = installed(tmp_path / "home")
    home.check_manifest(home.folder(VERSION))
    path = home.root / "receipts" / f"{VERSION}.json"
    path.unlink() if text is None else path.write_bytes(text)
    with pytest.raises(DatasetError, match=f"^{path} is missing or damaged, .*; pull it again$"):
        home.check_manifest(home.folder(VERSION))
