"""Pulling datasets: what is downloaded, what is refused, and what stays in use meanwhile."""

import hashlib
import json
import shutil
import stat
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from mirror import NEW, OLD, SILENT, Mirror, edition, pack, release

from server.dataset.listing import CHECKSUMS_FILE, archive_name
from server.dataset.manifest import DatasetError
from server.dataset.schema import SCHEMA_VERSION
from server.dataset.verify import verify
from server.store import download, publisher
from server.store import pull as pulling
from server.store.home import Home
from server.store.pull import NoRoomError, pull, pull_file, pull_folder


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds of each wait before a retry; waits take no time here."""
    waited: list[float] = []
    monkeypatch.setattr("tenacity.nap.time.sleep", waited.append)
    return waited


def listed(mirror: Mirror) -> dict[str, dict]:
    listing = json.loads((mirror.folder / "listing.json").read_text(encoding="utf-8"))
    return {r["dataset_version"]: r for r in listing["available"][str(SCHEMA_VERSION)]}


def leftovers(home: Home) -> list[Path]:
    return [path for folder in ("work", "downloads") for path in (home.root / folder).rglob("*")]


def test_the_newest_release_is_pulled_and_used(home: Home, mirror: Mirror):
    assert home.current() == OLD
    pulled = pull(home, None, mirror.listing, SILENT)
    assert (pulled.version, home.current()) == (NEW, NEW)
    assert verify(pulled.folder) == []
    assert home.versions() == [NEW, OLD]
    assert home.receipt(NEW)["archive_sha256"] == listed(mirror)[NEW]["archive"]["sha256"]
    assert leftovers(home) == []


def test_a_pulled_dataset_is_not_downloaded_again(home: Home, mirror: Mirror):
    mirror.publish(*listed(mirror).values())
    pull(home, None, mirror.listing, SILENT)
    pulled = pull(home, None, mirror.listing, SILENT)
    assert pulled.notes == ["it was already here"]
    assert mirror.fetched(NEW) == [None]


def test_a_version_can_be_chosen(tmp_path: Path, mirror: Mirror):
    home = Home(tmp_path / "new" / "home")
    assert pull(home, OLD, mirror.listing, SILENT).version == home.current() == OLD


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_an_interrupted_download_is_resumed(home: Home, mirror: Mirror, knows_ranges):
    mirror.cuts = [1000, 2000]
    mirror.knows_ranges = knows_ranges
    pull(home, None, mirror.listing, SILENT)
    first, second, third = mirror.fetched(NEW)
    assert (first, second) == (None, "bytes=1000-")
    assert third == ("bytes=3000-" if knows_ranges else "bytes=2000-")
    assert home.current() == NEW


def test_the_next_run_resumes_a_download(home: Home, mirror: Mirror):
    mirror.cuts = [1000] * download.ATTEMPTS
    with pytest.raises(DatasetError, match="what has arrived is kept"):
        pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD
    pull(home, None, mirror.listing, SILENT)
    assert mirror.fetched(NEW)[-1] == f"bytes={1000 * download.ATTEMPTS}-"
    assert home.current() == NEW


def test_a_busy_server_is_retried_after_growing_waits(home: Home, mirror: Mirror, waits: list[float]):
    mirror.statuses = [503, 429, 500, 502]
    pull(home, None, mirror.listing, SILENT)
    assert mirror.fetched(NEW) == [None] * 5
    assert [base <= wait <= base + 1 for base, wait in zip((1, 2, 4, 8), waits, strict=True)] == [True] * 4


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_sets_the_wait(home: Home, mirror: Mirror, waits: list[float], form: str):
    mirror.statuses = [503]
    in_a_minute = datetime.now(UTC) + timedelta(seconds=55)
    mirror.retry_after = "55" if form == "seconds" else format_datetime(in_a_minute, usegmt=True)
    pull(home, None, mirror.listing, SILENT)
    (wait,) = waits
    assert 25 <= wait <= 56


@pytest.mark.parametrize("header", ["soon", "-1", ""])
def test_an_invalid_retry_after_is_ignored(home: Home, mirror: Mirror, waits: list[float], header: str):
    mirror.statuses, mirror.retry_after = [503], header
    pull(home, None, mirror.listing, SILENT)
    assert len(waits) == 1
    assert 1 <= waits[0] <= 2


def test_a_long_retry_after_ends_the_pull(home: Home, mirror: Mirror, waits: list[float]):
    mirror.statuses, mirror.retry_after = [503], "3600"
    with pytest.raises(DatasetError, match="answers 503 and asks to be tried again in 3600 s; what has arrived"):
        pull(home, None, mirror.listing, SILENT)
    assert waits == []


def test_a_missing_archive_is_not_retried(home: Home, mirror: Mirror):
    mirror.statuses = [404]
    with pytest.raises(DatasetError, match="the server answers 404"):
        pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD


def test_a_damaged_partial_download_is_discarded(home: Home, mirror: Mirror):
    sha256 = listed(mirror)[NEW]["archive"]["sha256"]
    home.downloads.mkdir(parents=True)
    (home.downloads / f"{archive_name(NEW)}.{sha256[:16]}.partial").write_bytes(b"rubbish")
    pull(home, None, mirror.listing, SILENT)
    assert mirror.fetched(NEW) == ["bytes=7-", None]
    assert home.current() == NEW


def test_an_invalid_url_is_not_retried(home: Home, mirror: Mirror, waits: list[float]):
    entry = listed(mirror)[NEW]
    entry["archive"]["url"] = "file:///etc/passwd"
    mirror.publish(entry)
    with pytest.raises(DatasetError, match="cannot fetch file:///etc/passwd"):
        pull(home, None, mirror.listing, SILENT)
    assert waits == []


def test_a_wrong_checksum_is_refused(home: Home, mirror: Mirror):
    archive = mirror.folder / archive_name(NEW)
    content = bytearray(archive.read_bytes())
    content[len(content) // 2] ^= 1
    archive.write_bytes(content)
    with pytest.raises(DatasetError, match=f"{archive.name} is refused: .*sha256"):
        pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD
    assert leftovers(home) == []


def test_an_archive_larger_than_listed_is_refused(home: Home, mirror: Mirror):
    archive = mirror.folder / archive_name(NEW)
    archive.write_bytes(archive.read_bytes() + b"more")
    with pytest.raises(DatasetError, match="larger than"):
        pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD


def test_an_archive_that_unpacks_to_more_than_listed_is_refused(home: Home, mirror: Mirror):
    entry = listed(mirror)[NEW]
    entry["archive"]["unpacked_bytes"] -= 1
    mirror.publish(entry)
    with pytest.raises(DatasetError, match="unpacked, it is larger"):
        pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD
    assert leftovers(home) == []


def test_an_archive_of_another_version_is_refused(home: Home, mirror: Mirror):
    old = listed(mirror)[OLD]["archive"]
    mirror.publish(release(old, "2027.01.01"))
    with pytest.raises(DatasetError, match=f"is {OLD}; the listing is wrong"):
        pull(home, None, mirror.listing, SILENT)
    assert home.versions() == [OLD]


def test_a_newer_schema_is_refused_naming_what_to_upgrade(home: Home, mirror: Mirror):
    entries = listed(mirror)
    newer = release(entries[NEW]["archive"], NEW, SCHEMA_VERSION + 1)
    mirror.publish(newer)
    for version in (None, NEW):
        with pytest.raises(DatasetError, match="pip install -U lorekeeper-offline"):
            pull(home, version, mirror.listing, SILENT)
    mirror.publish(newer, entries[OLD])
    assert f"the dataset {NEW} needs a newer server" in pull(home, None, mirror.listing, SILENT).notes[-1]
    older = release(entries[NEW]["archive"], NEW, SCHEMA_VERSION - 1)
    mirror.publish(older)
    with pytest.raises(DatasetError, match="none is published yet"):
        pull(home, None, mirror.listing, SILENT)


def test_an_incompatible_dataset_is_refused(home: Home, editions: dict[str, Path], tmp_path: Path):
    version = "2027.01.01"
    folder = edition(editions[NEW], tmp_path / "edition", version, lambda spells: spells.cast({"level": pl.String}))
    archive, _ = pack(folder, tmp_path, version)
    with pytest.raises(DatasetError, match="column level: found String, expected Int32: upgrade the server"):
        pull_file(home, archive, SILENT)
    assert home.current() == OLD


@pytest.mark.parametrize("listing", ["listing.json", "nothing.json", "not-json.json"])
def test_a_listing_that_cannot_be_downloaded_is_named(home: Home, mirror: Mirror, listing):
    (mirror.folder / "not-json.json").write_text("<html>", encoding="utf-8")
    with pytest.raises(DatasetError, match=listing if listing != "listing.json" else "2031.01.01"):
        pull(home, "2031.01.01", f"{mirror.url}/{listing}", SILENT)
    assert home.current() == OLD


def test_a_listing_is_retried_like_an_archive(home: Home, mirror: Mirror, waits: list[float]):
    mirror.listing_statuses = [503, 502]
    assert pull(home, None, mirror.listing, SILENT).version == NEW
    assert len(waits) == 2
    mirror.listing_statuses = [503] * download.ATTEMPTS
    with pytest.raises(DatasetError, match=r"cannot fetch http\S+listing.json: the server answers 503$"):
        pull(home, None, mirror.listing, SILENT)


def test_an_unreachable_server_is_named_at_once(home: Home, waits: list[float]):
    with pytest.raises(DatasetError, match="nobody answers there"):
        pull(home, None, "http://127.0.0.1:9/listing.json", SILENT)
    assert waits == []


def test_a_full_disk_is_noticed_first(home: Home, mirror: Mirror, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pulling, "_SPARE_BYTES", 2**62)
    with pytest.raises(DatasetError, match="lorekeeper prune"):
        pull(home, None, mirror.listing, SILENT)
    assert mirror.fetched(NEW) == []


def test_a_damaged_dataset_is_replaced(home: Home, mirror: Mirror):
    table = home.folder(OLD) / "spells.parquet"
    table.write_bytes(b"x" * table.stat().st_size)
    pull(home, OLD, mirror.listing, SILENT)
    assert verify(home.folder(OLD)) == []
    assert leftovers(home) == []


def test_a_version_with_other_contents_is_refused(home: Home, mirror: Mirror):
    other = listed(mirror)[OLD]["archive"]
    manifest = home.folder(OLD) / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    receipt = home.root / "receipts" / f"{OLD}.json"
    recorded = json.loads(receipt.read_text(encoding="utf-8"))
    recorded |= {"manifest_sha256": hashlib.sha256(manifest.read_bytes()).hexdigest(), "archive_sha256": "0" * 64}
    receipt.write_text(json.dumps(recorded), encoding="utf-8")
    mirror.publish(release(other, OLD))
    with pytest.raises(DatasetError, match="versions never change"):
        pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD


@pytest.mark.parametrize("versions", [(NEW, NEW), (NEW, OLD)])
def test_concurrent_pulls_do_not_interfere(tmp_path: Path, mirror: Mirror, versions):
    home = Home(tmp_path / "fresh")
    pulled = []
    threads = [
        threading.Thread(target=lambda v=v: pulled.append(pull(home, v, mirror.listing, SILENT).version))
        for v in versions
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(pulled) == sorted(versions)
    assert home.current() == pulled[-1]
    for version in set(versions):
        assert mirror.fetched(version) == [None]
        assert verify(home.folder(version)) == []
    assert leftovers(home) == []


def test_an_archive_can_be_pulled_from_a_file(home: Home, shop: Path, tmp_path: Path):
    archive = tmp_path / archive_name(NEW)
    archive.write_bytes((shop / archive.name).read_bytes())
    assert "no SHA256SUMS" in pull_file(home, archive, SILENT).notes[0]
    assert home.current() == NEW
    sums = tmp_path / CHECKSUMS_FILE
    sums.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n", encoding="utf-8")
    assert pull_file(home, archive, SILENT).notes == []
    sums.write_text(f"{'0' * 64}  {archive.name}\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=f"{archive.name} is refused"):
        pull_file(home, archive, SILENT)
    sums.write_text("", encoding="utf-8")
    with pytest.raises(DatasetError, match="does not name"):
        pull_file(home, archive, SILENT)
    sums.write_bytes(b"\xff\xfe")
    with pytest.raises(DatasetError, match="is not a list of checksums"):
        pull_file(home, archive, SILENT)
    with pytest.raises(DatasetError, match="there is no file"):
        pull_file(home, tmp_path / "nowhere.tar.zst", SILENT)


def test_a_file_too_large_for_the_disk_leaves_nothing(home: Home, shop: Path, monkeypatch: pytest.MonkeyPatch):
    archive = shop / archive_name(NEW)
    for free in (2**26, 2**26 + 2 * archive.stat().st_size):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        with pytest.raises(NoRoomError, match=f"^{home.root} has {free:,} bytes free, the dataset needs at least"):
            pull_file(home, archive, SILENT)
    assert home.current() == OLD
    assert leftovers(home) == []


def test_a_download_is_kept_if_the_disk_fills(home: Home, mirror: Mirror):
    with pytest.MonkeyPatch.context() as patch:

        def stage(said: str) -> None:
            if said == "unpacking":
                patch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2**26 + 1000))

        with pytest.raises(NoRoomError, match="bytes free, the dataset needs at least"):
            pull(home, None, mirror.listing, replace(SILENT, stage=stage))
    assert home.current() == OLD
    assert pull(home, None, mirror.listing, SILENT).version == NEW
    assert mirror.fetched(NEW) == [None]


@pytest.mark.parametrize(
    ("code", "outcome"), [(0, "provenance attested by someone/lore"), (4, "not signed in"), (1, "is refused: gh")]
)
def test_provenance_is_checked_where_gh_is_present(home: Home, mirror: Mirror, tmp_path, monkeypatch, *, code, outcome):
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\necho no attestation >&2\nexit {code}\n', encoding="utf-8")
    gh.chmod(gh.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(gh.parent), prepend=":")
    urls = {"Datasets": mirror.listing, "Repository": "https://github.com/someone/lore"}
    monkeypatch.setattr(publisher, "_project_url", urls.get)
    if code == 1:
        with pytest.raises(DatasetError, match=outcome):
            pull(home, None, mirror.listing, SILENT)
        assert home.current() == OLD
    else:
        assert any(outcome in note for note in pull(home, None, mirror.listing, SILENT).notes)
    assert "attestation verify" in (tmp_path / "words").read_text(encoding="utf-8")
    assert "--repo someone/lore" in (tmp_path / "words").read_text(encoding="utf-8")


def test_a_folder_is_checked_and_copied_without_its_raw_layer(home: Home, editions: dict[str, Path], tmp_path: Path):
    built = tmp_path / "built"
    shutil.copytree(editions[NEW], built)
    (built / "raw").mkdir()
    (built / "raw" / "spells.parquet").write_bytes(b"raw")
    pulled = pull_folder(home, built, SILENT)
    assert (pulled.version, home.current(), pulled.folder) == (NEW, NEW, home.folder(NEW))
    assert not (pulled.folder / "raw").exists()
    assert verify(pulled.folder) == []
    home.check_manifest(pulled.folder)
    assert (built / "raw").is_dir()
    assert leftovers(home) == []

    home.use(OLD)
    (built / "spells.parquet").write_bytes(b"damaged")
    with pytest.raises(DatasetError, match="is refused"):
        pull_folder(home, built, SILENT)
    assert home.current() == OLD
