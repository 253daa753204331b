"""Pulling: a published dataset is fetched, unpacked next to the others, checked, and taken into use in one step.

Until that last step the dataset in use is untouched, whatever happens; the next pull removes what was left behind.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from filelock import Timeout

from server.dataset.compatibility import UPGRADE_SERVER, check_schema_version
from server.dataset.listing import (
    CHECKSUMS_FILE,
    Listing,
    Release,
    archive_name,
    find_release,
    read_listing,
    releases,
    version_key,
)
from server.dataset.load import damaged_files
from server.dataset.manifest import MANIFEST_FILE, DatasetError, file_sha256, read_manifest
from server.dataset.schema import SCHEMA_VERSION
from server.dataset.verify import verify
from server.store.archive import MAX_BYTES, unpack
from server.store.attestation import check_attestation
from server.store.download import download, fetch_small, web_client
from server.store.publisher import attesting_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import httpx

    from server.store.download import Report
    from server.store.home import Home

RAW_FOLDER: Final = "raw"
"""A built dataset's raw layer, which is not served."""

_SPARE_BYTES: Final = 2**26
"""Bytes of disk space that a pull leaves free."""


@dataclass(frozen=True)
class Pulled:
    """The result of a pull: the version now in use, its folder, and notes for the user."""

    version: str
    folder: Path
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PullProgress:
    """Progress callbacks: stage; bytes done, total."""

    stage: Callable[[str], None]
    transferred: Report


@dataclass(frozen=True)
class _Archive:
    """An archive on this machine, the URL or path it came from, and its entry in the listing, if any."""

    path: Path
    origin: str
    release: Release | None = None

    @property
    def name(self) -> str:
        return self.path.name if self.release is None else archive_name(self.release["dataset_version"])

    @property
    def max_bytes(self) -> int:
        return MAX_BYTES if self.release is None else self.release["archive"]["unpacked_bytes"]

    def receipt(self) -> dict[str, str]:
        digest = file_sha256(self.path) if self.release is None else self.release["archive"]["sha256"]
        return {"archive_sha256": digest, "from": self.origin, "pulled_at": _now()}


class NoRoomError(DatasetError):
    """The disk has too little room for a dataset; its archive is not at fault."""


def fetch_listing(url: str) -> Listing:
    """The listing at a URL.

    Raises:
        DatasetError: it cannot be fetched or is not a listing.
    """
    with web_client() as client:
        return read_listing(fetch_small(client, url), url)


def choose_release(listing: Listing, version: str | None) -> Release:
    """The release to pull: the named one, otherwise the newest that this server can read.

    Raises:
        DatasetError: there is none; the message says what to upgrade, or which releases there are.
    """
    readable = releases(listing, SCHEMA_VERSION)
    if version is None:
        if readable:
            return readable[0]
        advice = UPGRADE_SERVER if _newer(listing) else "none is published yet"
        msg = f"no published dataset has schema version {SCHEMA_VERSION}, which this server reads: {advice}"
        raise DatasetError(msg)
    release = find_release(listing, version)
    if release is None:
        there = ", ".join(r["dataset_version"] for r in readable) or "none"
        msg = f"no dataset {version} is published; this server can read: {there}"
        raise DatasetError(msg)
    check_schema_version(release["dataset_version"], release["schema_version"])
    return release


def pull(home: Home, version: str | None, url: str, progress: PullProgress) -> Pulled:
    """Fetch a dataset and take it into use.

    Args:
        home: where to install it.
        version: which one; None for the newest that this server can read.
        url: URL of the listing.
        progress: called as the work advances.

    Raises:
        DatasetError: it cannot be fetched, or is not what was published; the dataset in use stays in use.
        NoRoomError: the disk has too little room; what was fetched is kept.
    """
    with web_client() as client:
        listing = read_listing(fetch_small(client, url), url)
        release = choose_release(listing, version)
        with _pulling(home, progress):
            if _is_here(home, release):
                home.use(release["dataset_version"])
                pulled = Pulled(release["dataset_version"], home.folder(release["dataset_version"]))
                notes = ["it was already here"]
            else:
                archive = _fetch_archive(client, home, release, progress)
                notes = _attested(archive, url, progress)
                try:
                    pulled = _install(home, _Archive(archive, url, release), progress)
                except NoRoomError:
                    raise
                except DatasetError:
                    archive.unlink()  # it is as published, so another attempt would fail in the same way
                    raise
            home.sweep(downloads=True)
    return replace(pulled, notes=[*notes, *_newer_schema(listing)])


def pull_file(home: Home, archive: Path, progress: PullProgress) -> Pulled:
    """Take a dataset into use from an archive file; nothing is fetched.

    The file is checked against a `SHA256SUMS` next to it, if there is one.

    Raises:
        DatasetError: as `pull`.
    """
    if not archive.is_file():
        msg = f"there is no file {archive}"
        raise DatasetError(msg)
    with _pulling(home, progress):
        _room(home)(archive.stat().st_size)  # unpacked it is larger; unpacking stops when there is no room left
        progress.stage("checking the archive")
        sums = archive.parent / CHECKSUMS_FILE
        if sums.is_file():
            _check_sum(archive, sums)
            notes = []
        else:
            notes = [f"there is no {CHECKSUMS_FILE} next to the archive: it was checked only against its own manifest"]
        return replace(_install(home, _Archive(archive, str(archive)), progress), notes=notes)


def pull_folder(home: Home, dataset: Path, progress: PullProgress) -> Pulled:
    """Take a dataset into use from its folder, such as one just built; it is copied without its raw layer.

    Raises:
        DatasetError: as `pull`.
    """
    manifest = read_manifest(dataset)
    with _pulling(home, progress):
        _room(home)(sum(entry["bytes"] for entry in manifest["files"].values()))
        progress.stage("copying")
        folder = home.work_folder() / "copy"
        shutil.copytree(dataset, folder, ignore=lambda at, _: {RAW_FOLDER} if Path(at) == dataset else set())
        receipt = {"archive_sha256": "", "from": str(dataset.resolve()), "pulled_at": _now()}
        return _take_into_use(home, folder, str(dataset), receipt, progress)


@contextmanager
def _pulling(home: Home, progress: PullProgress) -> Iterator[None]:
    """Hold the lock for pulls, reporting when another process has it; sweep before and after."""
    lock = home.pulling
    try:
        lock.acquire(timeout=0)
    except Timeout:
        progress.stage("waiting for another pull to finish")
        lock.acquire()
    try:
        home.sweep()
        yield
    finally:
        home.sweep()  # also removes what was refused
        lock.release()


def _is_here(home: Home, release: Release) -> bool:
    """Whether the release was pulled already and is undamaged."""
    version = release["dataset_version"]
    return _is_whole(home, version) and home.receipt(version)["archive_sha256"] == release["archive"]["sha256"]


def _is_whole(home: Home, version: str) -> bool:
    """Whether a version was pulled and is undamaged."""
    folder = home.folder(version)
    try:
        home.check_manifest(folder)
        return not damaged_files(folder, read_manifest(folder))
    except DatasetError:
        return False  # missing or damaged: fetch it again


def _fetch_archive(client: httpx.Client, home: Home, release: Release, progress: PullProgress) -> Path:
    artifact = release["archive"]
    home.downloads.mkdir(parents=True, exist_ok=True)
    partial = home.downloads / f"{archive_name(release['dataset_version'])}.{artifact['sha256'][:16]}.partial"
    have = partial.stat().st_size if partial.exists() else 0
    _room(home)(artifact["bytes"] - have + artifact["unpacked_bytes"])
    progress.stage(f"fetching the dataset {release['dataset_version']}")
    download(client, artifact, partial, progress.transferred)
    return partial


def _attested(archive: Path, listing: str, progress: PullProgress) -> list[str]:
    repository = attesting_repository(listing)
    if repository is None:
        return []
    progress.stage("checking the provenance")
    return [check_attestation(archive, repository)]


def _room(home: Home) -> Callable[[int], None]:
    """A check that a number of bytes fits into the disk space that is free now."""
    free = shutil.disk_usage(home.root).free

    def check(needed: int) -> None:
        if free < needed + _SPARE_BYTES:
            needed += _SPARE_BYTES
            msg = f"{home.root} has {free:,} bytes free, the dataset needs at least {needed:,}; try `lorekeeper prune`"
            raise NoRoomError(msg)

    return check


def _check_sum(archive: Path, sums: Path) -> None:
    recorded = {}
    try:
        lines = sums.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        msg = f"{sums} is not a list of checksums ({error.reason} at byte {error.start}); replace it, or remove it"
        raise DatasetError(msg) from error
    for line in lines:
        digest, _, name = line.partition(" ")
        recorded[name.lstrip(" *")] = digest
    if archive.name not in recorded:
        msg = f"{sums} does not name {archive.name}; replace it with the checksums of that release, or remove it"
        raise DatasetError(msg)
    if file_sha256(archive) != recorded[archive.name]:
        msg = f"{archive.name} is refused: its content does not have the sha256 given in {sums}"
        raise DatasetError(msg)


def _install(home: Home, archive: _Archive, progress: PullProgress) -> Pulled:
    """Unpack an archive and take its dataset into use."""
    progress.stage("unpacking")
    work = home.work_folder() / "unpacked"
    unpack(archive.path, work, max_bytes=archive.max_bytes, check_room=_room(home))
    folder = _dataset_in(work, archive.path)
    version = read_manifest(folder)["dataset_version"]
    if archive.release is not None and version != archive.release["dataset_version"]:
        msg = f"the dataset in {archive.name} is {version}; the listing is wrong"
        raise DatasetError(msg)
    return _take_into_use(home, folder, archive.name, archive.receipt(), progress)


def _take_into_use(home: Home, folder: Path, name: str, receipt: Mapping[str, str], progress: PullProgress) -> Pulled:
    """Check every file of a dataset in the work folder, move it in unless it is there already, and switch to it."""
    progress.stage("checking every file")
    if problems := verify(folder):
        msg = f"the dataset in {name} is refused: {'; '.join(problems[:3])}"
        raise DatasetError(msg)
    version = read_manifest(folder)["dataset_version"]
    if not _is_whole(home, version):
        home.install(folder, version, receipt)
    elif file_sha256(folder / MANIFEST_FILE) == home.receipt(version)["manifest_sha256"]:
        home.use(version)
    else:
        msg = f"a different dataset {version} is already here; versions never change, so give this one its own version"
        raise DatasetError(msg)
    return Pulled(version, home.folder(version))


def _dataset_in(work: Path, archive: Path) -> Path:
    """The single folder in an unpacked archive."""
    inside = list(work.iterdir())
    if len(inside) == 1 and (inside[0] / MANIFEST_FILE).is_file():
        return inside[0]
    msg = f"{archive.name} is not a dataset's archive: it should hold a single folder with a {MANIFEST_FILE}"
    raise DatasetError(msg)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _newer(listing: Listing) -> list[str]:
    """The versions that need a newer server."""
    everything = [release for found in listing["available"].values() for release in found]
    return [release["dataset_version"] for release in everything if release["schema_version"] > SCHEMA_VERSION]


def _newer_schema(listing: Listing) -> list[str]:
    """A note about versions that need a newer server, if there are any."""
    newer = _newer(listing)
    if not newer:
        return []
    return [f"the dataset {max(newer, key=version_key)} needs a newer server: pip install -U lorekeeper-offline"]
