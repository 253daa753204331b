"""The folder of pulled datasets, and which of them is in use.

- `versions/<version>/`: a complete dataset; it appears and disappears in one rename
- `receipts/<version>.json`: where it came from, and the hash of its manifest
- `current`: the version in use, one line; replaced atomically
- `downloads/`: incomplete archives, kept to be resumed
- `work/`: what is being unpacked or removed; leftovers of killed processes are swept
- `pull.lock`, `change.lock`: held while pulling, and while versions are added, removed or taken into use
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock
from platformdirs import user_data_path
from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from server.dataset.listing import version_key
from server.dataset.manifest import MANIFEST_FILE, VERSION_PATTERN, DatasetError, Sha256, file_sha256
from server.dataset.replacing import replacing_file, take_place

if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_VARIABLE: Final = "LOREKEEPER_HOME"

_VERSION: Final = re.compile(VERSION_PATTERN)
_QUOTED_CHARS: Final = 40


@with_config(ConfigDict(strict=True, extra="allow"))
class Receipt(TypedDict):
    """The keys of a receipt that are read; its `version`, `from` and `pulled_at` are for people.

    `archive_sha256` is empty for a dataset that was copied from a folder.
    """

    manifest_sha256: Sha256
    archive_sha256: str


_RECEIPT: Final = TypeAdapter(Receipt)


def check_version(version: str) -> str:
    """The version itself, now safe to use in a path.

    Raises:
        DatasetError: it is not a version.
    """
    if not _VERSION.fullmatch(version):
        msg = f"{version!r} is not a dataset version; versions look like 2026.11.20 or 2026.11.20.1"
        raise DatasetError(msg)
    return version


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of pulled datasets, which need not exist yet."""

    root: Path

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Home:
        """The home named by the environment variable, otherwise the user's data folder.

        Raises:
            DatasetError: the variable is not set and the user has no home directory.
        """
        if named := environment.get(HOME_VARIABLE, "").strip():
            return cls(Path(named).absolute())
        try:
            return cls(user_data_path("lorekeeper", appauthor=False))
        except RuntimeError as error:  # from platformdirs, for a container's user without a passwd entry
            msg = f"the user has no home directory for datasets ({error}); set {HOME_VARIABLE} to a folder"
            raise DatasetError(msg) from error

    @property
    def pulling(self) -> FileLock:
        """The lock held while pulling."""
        return self._lock("pull.lock")

    @property
    def changing(self) -> FileLock:
        """The lock held while versions are added, removed or taken into use."""
        return self._lock("change.lock")

    @property
    def downloads(self) -> Path:
        """Folder of incomplete archives."""
        return self.root / "downloads"

    def folder(self, version: str) -> Path:
        """The folder of a version, whether or not it was pulled.

        Raises:
            DatasetError: it is not a version.
        """
        return self.root / "versions" / check_version(version)

    def require(self, version: str) -> Path:
        """The folder of a version that was pulled.

        Raises:
            DatasetError: it was not pulled.
        """
        folder = self.folder(version)
        if not folder.is_dir():
            msg = f"the dataset {version} was not pulled; these were: {', '.join(self.versions()) or 'none'}"
            raise DatasetError(msg)
        return folder

    def versions(self) -> list[str]:
        """The versions that were pulled, newest first."""
        folder = self.root / "versions"
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        return sorted(filter(_VERSION.fullmatch, names), key=version_key, reverse=True)

    def current(self) -> str | None:
        """The version in use; None before the first pull.

        Raises:
            DatasetError: the pointer does not hold a version.
        """
        try:
            version = self._pointer.read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None
        if not _VERSION.fullmatch(version):
            there = ", ".join(self.versions()) or "none"
            held = f"{self._pointer} holds {version[:_QUOTED_CHARS]!r}, which is not a dataset version"
            msg = f"{held}; `lorekeeper use` one of those pulled: {there}"
            raise DatasetError(msg)
        return version

    def use(self, version: str) -> None:
        """Take a version into use; a running server switches to it.

        Raises:
            DatasetError: it was not pulled.
        """
        with self.changing:
            self._point_at(version)

    def work_folder(self) -> Path:
        """A new empty folder on the same file system, for files that are incomplete or about to be removed."""
        work = self.root / "work"
        work.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(dir=work))

    def sweep(self, *, downloads: bool = False) -> None:
        """Remove what killed processes left behind; call it with the lock `pulling` held."""
        for folder in ("work", "downloads") if downloads else ("work",):
            shutil.rmtree(self.root / folder, ignore_errors=True)

    def install(self, dataset: Path, version: str, origin: Mapping[str, Any]) -> Path:
        """Move a complete dataset in, replacing one of the same version, and take it into use.

        Args:
            dataset: its folder, on the same file system.
            version: its version.
            origin: where it came from; recorded in its receipt.
        """
        target = self.folder(version)
        receipt = {**origin, "version": version, "manifest_sha256": file_sha256(dataset / MANIFEST_FILE)}
        with self.changing:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._receipt(version).parent.mkdir(exist_ok=True)
            _replace(self._receipt(version), json.dumps(receipt, indent=2) + "\n")
            take_place(dataset, target, self.work_folder() / version)
            self._point_at(version)
        return target

    def remove(self, version: str) -> None:
        """Remove a version that is not in use.

        Raises:
            DatasetError: it is in use, or was not pulled.
        """
        with self.changing:
            if version == self.current():
                msg = f"the dataset {version} is in use; `lorekeeper use` another one first"
                raise DatasetError(msg)
            self.require(version)
            discarded = self.work_folder()
            self.folder(version).rename(discarded / version)
            self._receipt(version).unlink(missing_ok=True)
        shutil.rmtree(discarded)

    def receipt(self, version: str) -> Receipt:
        """What was recorded when a version was pulled.

        Raises:
            DatasetError: there is none, or it is damaged.
        """
        path = self._receipt(version)
        try:
            return _RECEIPT.validate_json(path.read_bytes())
        except (FileNotFoundError, ValidationError) as error:
            msg = f"{path} is missing or damaged, so the dataset {version} cannot be trusted; pull it again"
            raise DatasetError(msg) from error

    def check_manifest(self, folder: Path) -> None:
        """Check a pulled dataset's manifest, which has the hashes of all other files, against its receipt.

        Folders outside this home have no receipt and pass.

        Raises:
            DatasetError: it is not the manifest that was pulled.
        """
        if folder.resolve().parent != (self.root / "versions").resolve():
            return
        manifest = folder / MANIFEST_FILE
        recorded = self.receipt(folder.resolve().name)["manifest_sha256"]
        if not manifest.is_file() or file_sha256(manifest) != recorded:
            msg = f"{manifest} is not the manifest that was pulled; the dataset is damaged, pull it again"
            raise DatasetError(msg)

    @property
    def _pointer(self) -> Path:
        return self.root / "current"

    def _receipt(self, version: str) -> Path:
        return self.root / "receipts" / f"{check_version(version)}.json"

    def _lock(self, name: str) -> FileLock:
        self.root.mkdir(parents=True, exist_ok=True)
        return FileLock(self.root / name)

    def _point_at(self, version: str) -> None:
        self.require(version)
        _replace(self._pointer, f"{version}\n")


def _replace(path: Path, text: str) -> None:
    """Replace a file atomically: readers find the old text or the new, even after a crash."""
    with replacing_file(path) as new:
        new.write_text(text, encoding="utf-8")
