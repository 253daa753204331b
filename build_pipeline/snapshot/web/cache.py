"""The HTTP cache on disk: pages by full URL, and recent errors.

The APIs send no freshness information (Open5e not even validators), so this module and the client decide how long a
page is valid, rather than the rules of RFC 9111; hishel is only the storage. Access takes a millisecond, so it is
synchronous: a page is on disk before anything else happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hishel import Entry, Headers, Request, Response, SqliteStorage

CACHE_FILE: Final = "http-cache.db"

_FETCHED_AT: Final = "x-fetched-at"
_VALIDATORS: Final = ("etag", "last-modified")


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A cached page.

    Attributes:
        body: the body after content decoding.
        fetched_at: Unix time at which the origin last sent or confirmed it.
        validators: headers for asking the origin whether it changed.
    """

    body: bytes
    fetched_at: float
    validators: dict[str, str]


@dataclass(frozen=True, slots=True)
class RememberedError:
    """Why the origin failed to send a page, and the Unix time of the failure."""

    reason: str
    at: float


class PageCache:
    """Pages by URL. They never expire here, so that an old one can be used when the origin fails."""

    def __init__(self, folder: Path) -> None:
        self._storage = SqliteStorage(database_path=folder / CACHE_FILE)

    def close(self) -> None:
        """Close the file."""
        self._storage.close()

    def page(self, url: str) -> CachedPage | None:
        """The newest page of that URL."""
        entry = self._newest(url)
        if entry is None:
            return None
        headers = entry.response.headers
        validators = {name: headers[name] for name in _VALIDATORS if name in headers}
        return CachedPage(_body(entry), float(headers[_FETCHED_AT]), validators)

    def put(self, url: str, page: CachedPage) -> None:
        """Store a page, replacing an older one; it becomes visible once it is completely on disk."""
        before = self._storage.get_entries(url)
        self._store(url, page.body, {**page.validators, _FETCHED_AT: repr(page.fetched_at)})
        for entry in [*before, *self._storage.get_entries(_error_key(url))]:
            self._storage.remove_entry(entry.id)

    def confirm(self, url: str, fetched_at: float) -> None:
        """Record that the origin has confirmed the page of that URL."""
        entry = self._newest(url)
        if entry is not None:
            headers = {**entry.response.headers, _FETCHED_AT: repr(fetched_at)}
            self._storage.update_headers(entry.id, Headers(headers))

    def forget(self, url: str) -> None:
        """Remove the page of that URL."""
        for entry in self._storage.get_entries(url):
            self._storage.remove_entry(entry.id)

    def remember_error(self, url: str, error: RememberedError) -> None:
        """Remember that the origin failed to send that URL, replacing an earlier failure."""
        before = self._storage.get_entries(_error_key(url))
        self._store(_error_key(url), error.reason.encode(), {_FETCHED_AT: repr(error.at)})
        for entry in before:
            self._storage.remove_entry(entry.id)

    def error(self, url: str) -> RememberedError | None:
        """The last failure of that URL since it was stored, however long ago."""
        entry = self._newest(_error_key(url))
        if entry is None:
            return None
        return RememberedError((_body(entry)).decode(), float(entry.response.headers[_FETCHED_AT]))

    def _newest(self, key: str) -> Entry | None:
        entries = self._storage.get_entries(key)
        return max(entries, key=lambda e: float(e.response.headers[_FETCHED_AT]), default=None)

    def _store(self, key: str, body: bytes, headers: dict[str, str]) -> None:
        response = Response(200, Headers(headers), iter([body]))
        entry = self._storage.create_entry(Request("GET", key), response, key)
        # An entry becomes complete and visible only once its stream has been read to the end.
        _body(entry)


def _error_key(url: str) -> str:
    return f"error {url}"


def _body(entry: Entry) -> bytes:
    stream = entry.response.stream
    assert isinstance(stream, Iterator)
    return b"".join(stream)
