"""`listing.json`: every published dataset, where its archive is and what it must hash to.

The builder writes it next to the archives, the client reads it to pull. It has the form

    {"format": 1, "available": {"<schema_version>": [release, …]}}

with the newest release of a schema version first. A URL may be relative to the listing's own, so that a mirror is a
plain copy of the files.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final
from urllib.parse import urljoin

from pydantic import ConfigDict, Field, PositiveInt, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from server.dataset.manifest import SHA256_PATTERN, VERSION_PATTERN, DatasetError, first_problems
from server.dataset.strict_json import read_json

LISTING_FILE: Final = "listing.json"
LISTING_FORMAT: Final = 1

CHECKSUMS_FILE: Final = "SHA256SUMS"

ENTRY_POINT_GROUP: Final = "lorekeeper.datasets"
"""Entry points of dataset wheels; each loads as the `pathlib.Path` of a dataset folder."""

_READING: Final = ConfigDict(strict=True, extra="allow")
"""Members that a later builder adds are kept; numbers are not read from text."""


@with_config(_READING)
class Artifact(TypedDict):
    """A file to download; `url` is absolute or relative to the listing's, `unpacked_bytes` the sum of its members."""

    url: str
    sha256: Annotated[str, Field(pattern=SHA256_PATTERN)]
    bytes: PositiveInt
    unpacked_bytes: PositiveInt


@with_config(_READING)
class Release(TypedDict):
    """One published dataset; times are ISO 8601 in UTC.

    `archive` is the dataset, `raw` the raw layer that it was built from; `counts` has `entities`, `documents` and
    `by_type`.
    """

    dataset_version: Annotated[str, Field(pattern=VERSION_PATTERN)]
    schema_version: int
    content_hash: str
    built_at: str
    snapshot_at: str
    counts: dict[str, Any]
    archive: Artifact
    raw: Artifact


@with_config(_READING)
class Listing(TypedDict):
    """Content of `listing.json`."""

    format: int
    available: dict[str, list[Release]]


class ListingError(DatasetError):
    """A listing that cannot be used; the message names what is wrong."""


_LISTING: Final = TypeAdapter(Listing)


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
    """Sort key of dataset versions: `2026.11.01` < `2026.11.01.1` < `2026.11.02`."""
    return tuple(int(part) for part in version.split("."))


def read_listing(text: str | bytes, url: str = "") -> Listing:
    """Parse and check a listing; URLs of artifacts are made absolute against the listing's own `url`.

    Raises:
        ListingError: it is not JSON, of a newer format, or an entry lacks something or has a malformed value.
    """
    where = url or LISTING_FILE
    try:
        content = read_json(text)
    except ValueError as error:
        msg = f"{where} is not JSON: {error}"
        raise ListingError(msg) from error
    if not isinstance(content, dict) or not isinstance(content.get("available"), dict):
        msg = f"{where} is not a listing of datasets"
        raise ListingError(msg)
    if content.get("format") != LISTING_FORMAT:
        msg = (
            f"{where} has format {content.get('format')}, this program reads {LISTING_FORMAT}: "
            "upgrade it (pip install -U lorekeeper-offline)"
        )
        raise ListingError(msg)
    try:
        listing = _LISTING.validate_python(content)
    except ValidationError as error:
        msg = f"{where}: {first_problems(error)}"
        raise ListingError(msg) from error
    for schema_version, found in listing["available"].items():
        _check_schema_version(schema_version, found, where)
        listing["available"][schema_version] = newest_first(_with_absolute_urls(release, url) for release in found)
    return listing


def newest_first(releases: Iterable[Release]) -> list[Release]:
    """Releases in the order of a listing."""
    return sorted(releases, key=lambda r: version_key(r["dataset_version"]), reverse=True)


def releases(listing: Listing, schema_version: int) -> list[Release]:
    """The releases that a reader of `schema_version` can use, newest first."""
    return listing["available"].get(str(schema_version), [])


def find_release(listing: Listing, version: str) -> Release | None:
    """The release of a dataset version, of any schema version."""
    return next((r for found in listing["available"].values() for r in found if r["dataset_version"] == version), None)


def _check_schema_version(key: str, found: list[Release], where: str) -> None:
    for place, release in enumerate(found):
        if str(release["schema_version"]) != key:
            msg = f"{where}: available.{key}.{place}.schema_version is {release['schema_version']}: should be {key}"
            raise ListingError(msg)


def _with_absolute_urls(release: Release, url: str) -> Release:
    for artifact in (release["archive"], release["raw"]):
        artifact["url"] = urljoin(url, artifact["url"])
    return release
