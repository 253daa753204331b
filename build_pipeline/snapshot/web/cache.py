"""The HTTP cache on disk: pages by full URL, and for a while the errors that came instead of one.

The APIs send no freshness of their own (Open5e not even validators), so how long a page is good for is decided here
and by the client rather than by the rules of RFC 9111; hishel stores. Reading and writing take a millisecond, so they
are not asynchronous: a page is on disk before the next thing happens.
"""

from __future__ import annotations

import time
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
    """A page as it came.

    Attributes:
        body: the bytes after content decoding.
        fetched_at: Unix time at which the origin last sent or confirmed it.
        validators: the headers by which the origin can be asked whether it changed.
    """

    body: bytes
    fetched_at: float
    validators: dict[str, str]


@dataclass(frozen=True, slots=True)
class RememberedError:
    """Why the origin gave no page, and the Unix time at which it did not."""

    reason: str
    at: float


class PageCache:
    """Pages by URL. Pages never expire here: an old one is still there when the origin fails."""

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
        """Store a page in place of what was there. It counts once it is complete on disk."""
        before = self._storage.get_entries(url)
        self._store(url, page.body, {**page.validators, _FETCHED_AT: repr(page.fetched_at)}, ttl=None)
        for entry in [*before, *self._storage.get_entries(_error_key(url))]:
            self._storage.remove_entry(entry.id)

    def confirm(self, url: str, fetched_at: float) -> None:
        """The origin says that the page of that URL is still as it was."""
        entry = self._newest(url)
        if entry is not None:
            headers = {**entry.response.headers, _FETCHED_AT: repr(fetched_at)}
            self._storage.update_headers(entry.id, Headers(headers))

    def forget(self, url: str) -> None:
        """Drop the page of that URL, so that it counts as missing."""
        for entry in self._storage.get_entries(url):
            self._storage.remove_entry(entry.id)

    def remember_error(self, url: str, reason: str, ttl: float) -> None:
        """Keep for `ttl` seconds that the origin gave no page of that URL."""
        self._store(_error_key(url), reason.encode(), {_FETCHED_AT: repr(time.time())}, ttl=ttl)

    def error(self, url: str) -> RememberedError | None:
        """That the origin gave no page of that URL, where it is still remembered."""
        entry = self._newest(_error_key(url))
        if entry is None:
            return None
        return RememberedError((_body(entry)).decode(), float(entry.response.headers[_FETCHED_AT]))

    def _newest(self, key: str) -> Entry | None:
        entries = self._storage.get_entries(key)
        return max(entries, key=lambda e: float(e.response.headers[_FETCHED_AT]), default=None)

    def _store(self, key: str, body: bytes, headers: dict[str, str], ttl: float | None) -> None:
        response = Response(200, Headers(headers), iter([body]))
        entry = self._storage.create_entry(Request("GET", key), response, key, ttl=ttl)
        # The entry is complete, and visible, once its stream has been read to the end.
        _body(entry)


def _error_key(url: str) -> str:
    return f"error {url}"


def _body(entry: Entry) -> bytes:
    stream = entry.response.stream
    assert isinstance(stream, Iterator)
    return b"".join(stream)
