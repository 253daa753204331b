"""Downloads from a local server: retries, resumed ranges, and limits of listings."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from mirror import Mirror, mirroring

from server.dataset.listing import Artifact
from server.dataset.manifest import DatasetError
from server.store import download as module
from server.store.download import download, fetch_small, web_client

CONTENT = b"an archive of forty bytes, as was listed"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """A server with one archive; waits before retries take no time."""
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda _: None)
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "a.zst").write_bytes(CONTENT)
    with mirroring(folder) as served:
        yield served


def asked_for(web: Mirror, partial: Path) -> list[str | None]:
    """The `Range` headers of the requests that complete the archive."""
    artifact = Artifact(
        url=f"{web.url}/a.zst",
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        bytes=len(CONTENT),
        unpacked_bytes=len(CONTENT),
    )
    with web_client() as client:
        download(client, artifact, partial, lambda _done, _total: None)
    assert partial.read_bytes() == CONTENT
    return [ranges for _, ranges in web.asked]


@pytest.mark.parametrize(
    ("there", "asked"),
    [
        (CONTENT, []),
        (CONTENT[:7], ["bytes=7-"]),
        (CONTENT + b" and more", [None]),
        (b"x" * len(CONTENT), [None]),
    ],
    ids=["all of it", "its beginning", "more than it", "other bytes"],
)
def test_a_request_asks_only_for_missing_bytes(web: Mirror, tmp_path: Path, there: bytes, asked: list[str | None]):
    partial = tmp_path / "partial"
    partial.write_bytes(there)
    assert asked_for(web, partial) == asked


def test_a_file_shorter_than_the_part_here_is_downloaded_anew(web: Mirror, tmp_path: Path):
    partial = tmp_path / "partial"
    partial.write_bytes(CONTENT[:7])
    web.statuses = [416]
    assert asked_for(web, partial) == ["bytes=7-", None]


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_temporary_failures_are_retried(web: Mirror, tmp_path: Path, status: int):
    web.statuses = [status]
    assert asked_for(web, tmp_path / "partial") == [None, None]


def test_an_endless_listing_is_refused(web: Mirror, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_LISTING_BYTES", len(CONTENT))
    listing = web.folder / "listing.json"
    listing.write_bytes(CONTENT)
    with web_client() as client:
        assert fetch_small(client, web.listing) == CONTENT
        listing.write_bytes(CONTENT + b"!")
        with pytest.raises(DatasetError, match=f"larger than {len(CONTENT)} bytes, so it is not a listing"):
            fetch_small(client, web.listing)


def test_files_are_requested_uncompressed():
    """A compressed body has other sizes and ranges than the file."""
    with web_client() as client:
        assert client.headers["Accept-Encoding"] == "identity"
