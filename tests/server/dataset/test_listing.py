"""Listings: what is read, and what is refused with which message."""

import json
from typing import Any

import pytest

from server.dataset.listing import ListingError, find_release, read_listing, releases

ARTIFACT = {"url": "data.tar.zst", "sha256": "0" * 64, "bytes": 10, "unpacked_bytes": 20}


def _entry(version: str, **edits: Any) -> dict[str, Any]:
    times = {"built_at": "2026-11-01T00:00:00Z", "snapshot_at": "2026-11-01T00:00:00Z"}
    facts = {"dataset_version": version, "schema_version": 1, "content_hash": "0" * 64, "counts": {}}
    return {**facts, **times, "archive": ARTIFACT, "raw": ARTIFACT, **edits}


def _listing(*entries: object) -> str:
    return json.dumps({"format": 1, "available": {"1": list(entries)}})


def test_releases_are_newest_first_with_absolute_urls():
    text = _listing(*map(_entry, ("2026.11.01", "2026.11.02", "2026.11.01.10", "2026.11.01.9")))
    listing = read_listing(text, "https://example.org/data/listing.json")
    found = releases(listing, 1)
    assert [r["dataset_version"] for r in found] == ["2026.11.02", "2026.11.01.10", "2026.11.01.9", "2026.11.01"]
    assert {r["raw"]["url"] for r in found} == {"https://example.org/data/data.tar.zst"}
    assert releases(listing, 2) == []
    assert find_release(listing, "2026.11.01") == found[-1]
    assert find_release(listing, "2026.10.01") is None


def test_members_of_a_later_builder_are_kept():
    entry = _entry("2026.11.01", wheel="x.whl", archive={**ARTIFACT, "blake3": "1"})
    (release,) = releases(read_listing(_listing(entry)), 1)
    assert release["wheel"] == "x.whl"
    assert release["archive"]["blake3"] == "1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "listing.json is not JSON"),
        ("[" * 100_000, "listing.json is not JSON: nested too deeply"),
        ("[]", "is not a listing"),
        ('{"format": 1}', "is not a listing"),
        ('{"format": 2, "available": {}}', "upgrade it"),
        ('{"format": 1, "available": {"1": {}}}', "available.1: .*list"),
        ('{"format": 1, "available": {"1": [3]}}', "available.1.0 is 3: .*dictionary"),
        ('{"format": 1, "available": {"1": [{}]}}', "available.1.0.dataset_version: field required; .* and 5 more"),
    ],
)
def test_a_file_that_is_not_a_listing_is_refused(text: str, complaint: str):
    with pytest.raises(ListingError, match=complaint):
        read_listing(text)


@pytest.mark.parametrize(
    ("edits", "complaint"),
    [
        ({"dataset_version": "../2026.11.01"}, r"dataset_version is '\.\./2026\.11\.01': .* match pattern"),
        ({"schema_version": 7}, "schema_version is 7: should be 1"),
        ({"schema_version": "1"}, "schema_version is '1': .* integer"),
        ({"archive": {**ARTIFACT, "sha256": "00"}}, r"archive\.sha256 is '00': .*0-9a-f"),
        ({"archive": {**ARTIFACT, "bytes": -1}}, r"archive\.bytes is -1: .* greater than 0"),
        ({"archive": {**ARTIFACT, "bytes": True}}, r"archive\.bytes is True: .* integer"),
        ({"archive": {"url": "x"}}, r"archive\.sha256: field required"),
        ({"raw": None}, "raw is None: .*dictionary"),
    ],
)
def test_a_malformed_entry_is_refused(edits: dict[str, Any], complaint: str):
    text = _listing(_entry("2026.11.02"), _entry(**{"version": "2026.11.01"} | edits))
    with pytest.raises(ListingError, match=rf"available\.1\.1\.{complaint}"):
        read_listing(text)
