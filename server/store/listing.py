"""`listing.json`: every published dataset, where its archive is and what it must hash to.

The builder writes it beside the archives, the client reads it to pull. It has the form

    {"format": 1, "available": {"<schema_version>": [release, …]}}

with the newest release of a schema version first. A URL may be relative to the listing's own, so that a mirror is a
plain copy of the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypedDict
from urllib.parse import urljoin

from server.dataset.manifest import DatasetError

LISTING_FILE: Final = "listing.json"
LISTING_FORMAT: Final = 1

CHECKSUMS_FILE: Final = "SHA256SUMS"

ENTRY_POINT_GROUP: Final = "lorekeeper.datasets"
"""Entry points of dataset wheels; each loads as the `pathlib.Path` of a dataset folder."""

_VERSION: Final = re.compile(r"\d{4}\.\d{2}\.\d{2}(?:\.\d+)?")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class Artifact(TypedDict):
    """A file to download; `url` is absolute or relative to the listing's, `unpacked_bytes` the sum of its members."""

    url: str
    sha256: str
    bytes: int
    unpacked_bytes: int


class Release(TypedDict):
    """One published dataset; times are ISO 8601 in UTC.

    `archive` is the dataset, `raw` the raw layer that it was built from; `counts` has `entities`, `documents` and
    `by_type`.
    """

    dataset_version: str
    schema_version: int
    content_hash: str
    built_at: str
    snapshot_at: str
    counts: dict[str, Any]
    archive: Artifact
    raw: Artifact


class Listing(TypedDict):
    """Content of `listing.json`."""

    format: int
    available: dict[str, list[Release]]


class ListingError(DatasetError):
    """A listing that cannot be used; the message names what is wrong."""


def archive_name(version: str) -> str:
    """File name of a dataset's archive. Its members lie in one folder, the file name without `.tar.zst`."""
    return f"lorekeeper-dataset-{version}.tar.zst"


def raw_archive_name(version: str) -> str:
    """File name of the archive of a dataset's raw layer; its members lie in the same folder as the dataset's."""
    return f"lorekeeper-dataset-{version}-raw.tar.zst"


def archive_root(version: str) -> str:
    """The folder that an archive's members lie in."""
    return f"lorekeeper-dataset-{version}"


def version_key(version: str) -> tuple[int, ...]:
    """What orders dataset versions: `2026.11.01` < `2026.11.01.1` < `2026.11.02`."""
    return tuple(int(part) for part in version.split("."))


def read_listing(text: str | bytes, url: str = "") -> Listing:
    """Parse and check a listing; URLs of artifacts are made absolute against the listing's own `url`.

    Raises:
        ListingError: it is not JSON, of a newer format, or an entry lacks something or has a malformed value.
    """
    where = url or LISTING_FILE
    try:
        listing = json.loads(text)
    except ValueError as error:
        msg = f"{where} is not JSON: {error}"
        raise ListingError(msg) from error
    if not isinstance(listing, dict) or not isinstance(listing.get("available"), dict):
        msg = f"{where} is no listing of datasets"
        raise ListingError(msg)
    if listing.get("format") != LISTING_FORMAT:
        msg = (
            f"{where} has format {listing.get('format')}, this program reads {LISTING_FORMAT}: "
            "upgrade it (pip install -U lorekeeper-offline)"
        )
        raise ListingError(msg)
    available: dict[str, list[Release]] = {}
    for schema_version, releases in listing["available"].items():
        if not isinstance(releases, list):
            msg = f"{where}: the releases of schema version {schema_version} are no list"
            raise ListingError(msg)
        available[schema_version] = newest_first(_release(r, schema_version, url, where) for r in releases)
    return Listing(format=LISTING_FORMAT, available=available)


def newest_first(releases: Iterable[Release]) -> list[Release]:
    """Releases in the order of a listing."""
    return sorted(releases, key=lambda r: version_key(r["dataset_version"]), reverse=True)


def releases(listing: Listing, schema_version: int) -> list[Release]:
    """The releases that a reader of `schema_version` can use, newest first."""
    return listing["available"].get(str(schema_version), [])


def find_release(listing: Listing, version: str) -> Release | None:
    """The release of a dataset version, of whatever schema version."""
    return next((r for found in listing["available"].values() for r in found if r["dataset_version"] == version), None)


def _release(entry: Any, schema_version: str, url: str, where: str) -> Release:
    if complaint := next(_complaints(entry, schema_version), None):
        msg = f"{where}: an entry of schema version {schema_version} {complaint}"
        raise ListingError(msg)
    release: Release = entry.copy()
    for name in ("archive", "raw"):
        artifact: Artifact = entry[name].copy()
        artifact["url"] = urljoin(url, artifact["url"])
        release[name] = artifact
    return release


def _complaints(entry: Any, schema_version: str) -> Iterator[str]:
    """What is wrong with an entry; a later complaint may follow from an earlier one."""
    if not isinstance(entry, dict):
        yield "is no object"
        return
    if missing := sorted(Release.__required_keys__ - entry.keys()):
        yield f"lacks {', '.join(missing)}"
    if not _VERSION.fullmatch(str(entry.get("dataset_version"))):
        yield f"has the malformed version {entry.get('dataset_version')!r}"
    if not isinstance(entry.get("schema_version"), int) or str(entry["schema_version"]) != schema_version:
        yield f"says schema version {entry.get('schema_version')}"
    for name in ("archive", "raw"):
        yield from (f"has {name} {complaint}" for complaint in _artifact_complaints(entry.get(name)))


def _artifact_complaints(artifact: Any) -> Iterator[str]:
    if not isinstance(artifact, dict) or not isinstance(artifact.get("url"), str):
        yield "without a url"
        return
    if not _SHA256.fullmatch(str(artifact.get("sha256"))):
        yield f"with the malformed sha256 {artifact.get('sha256')!r}"
    for size in ("bytes", "unpacked_bytes"):
        if not isinstance(artifact.get(size), int) or artifact[size] <= 0:
            yield f"without {size}"
