"""Limits of pulls: disk space, formats of checksums, memory and time."""

import hashlib
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from mirror import NEW, SILENT, Mirror, release

from server.dataset.listing import CHECKSUMS_FILE, archive_name
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.schema import SCHEMA_VERSION
from server.store import attestation
from server.store.archive import unpack
from server.store.home import Home
from server.store.pull import fetch_listing, pull, pull_file, pull_folder

SPARE = 2**26
"""Bytes of disk space that a pull leaves free."""


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the free bytes."""

    def leave(free: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))

    return leave


def test_a_pull_needs_space_for_missing_bytes_and_unpacked_files(
    home: Home, mirror: Mirror, room: Callable[[int], None]
):
    (entry,) = [each for each in fetch_listing(mirror.listing)["available"][str(SCHEMA_VERSION)] if _is_new(each)]
    archive, have = entry["archive"], 1000
    home.downloads.mkdir(parents=True)
    partial = home.downloads / f"{archive_name(NEW)}.{archive['sha256'][:16]}.partial"
    partial.write_bytes((mirror.folder / archive_name(NEW)).read_bytes()[:have])
    needed = archive["bytes"] - have + archive["unpacked_bytes"] + SPARE
    room(needed - 1)
    with pytest.raises(DatasetError, match=f"has {needed - 1:,} bytes free, the dataset needs at least {needed:,};"):
        pull(home, None, mirror.listing, SILENT)
    room(needed)
    assert pull(home, None, mirror.listing, SILENT).version == NEW


def _is_new(entry: dict) -> bool:
    return entry["dataset_version"] == NEW


def test_a_copied_folder_needs_space_for_all_its_files(
    home: Home, editions: dict[str, Path], room: Callable[[int], None]
):
    needed = sum(entry["bytes"] for entry in read_manifest(editions[NEW])["files"].values()) + SPARE
    room(needed - 1)
    with pytest.raises(DatasetError, match=f"the dataset needs at least {needed:,};"):
        pull_folder(home, editions[NEW], SILENT)
    room(needed)
    assert pull_folder(home, editions[NEW], SILENT).version == NEW


def test_checksums_may_be_marked_binary(home: Home, shop: Path, tmp_path: Path):
    archive = tmp_path / archive_name(NEW)
    shutil.copy(shop / archive.name, archive)
    sums = f"{hashlib.sha256(archive.read_bytes()).hexdigest()} *{archive.name}\n"
    (tmp_path / CHECKSUMS_FILE).write_text(sums, encoding="utf-8")
    assert pull_file(home, archive, SILENT).notes == []


def test_the_newest_dataset_for_newer_servers_is_named(home: Home, mirror: Mirror):
    entries = fetch_listing(mirror.listing)["available"][str(SCHEMA_VERSION)]
    artifact = entries[0]["archive"]
    versions = enumerate(("2027.01.02", "2027.01.10", "2027.01.01"), SCHEMA_VERSION + 1)
    mirror.publish(*entries, *(release(artifact, version, schema) for schema, version in versions))
    assert pull(home, None, mirror.listing, SILENT).notes[-1].startswith("the dataset 2027.01.10 needs a newer server")


@pytest.mark.parametrize(("log_of_window", "said"), [(27, "it is truncated"), (28, "too much memory")])
def test_an_archive_that_needs_a_larger_window_is_refused(tmp_path: Path, log_of_window: int, said: str):
    """A Zstandard frame: magic number, no flags, window, an empty last block."""
    archive = tmp_path / "hostile.tar.zst"
    archive.write_bytes(bytes.fromhex("28b52ffd00") + bytes([(log_of_window - 10) << 3]) + bytes.fromhex("010000"))
    with pytest.raises(DatasetError, match=f"hostile.tar.zst is refused: .*{said}"):
        unpack(archive, tmp_path / "unpacked")


def test_gh_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gh = tmp_path / "gh"
    gh.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    gh.chmod(gh.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(attestation, "_TIMEOUT", 0.05)
    with pytest.raises(DatasetError, match=r"gh did not check the provenance of a\.zst within 0\.05 s; try again"):
        attestation.check_attestation(tmp_path / "a.zst", "someone/lore")
