"""One file from the web, resumed where an earlier attempt ended, and checked against its size and hash."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

import httpx

from server.dataset.manifest import DatasetError, file_sha256

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from server.store.listing import Artifact

    Report = Callable[[int, int], None]

ATTEMPTS: Final = 5
MAX_LISTING_BYTES: Final = 16 * 2**20

_PAUSE: Final = 1.0
"""Seconds before the second attempt; each further pause is twice as long."""
_BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_TOO_FAR: Final = 416

log = logging.getLogger(__name__)


class _InterruptedError(Exception):
    """A transfer that may succeed when tried again; the message says what happened."""


def web_client() -> httpx.Client:
    """A client for listings and archives; proxies and certificates as the environment has them."""
    # Of compressed bodies neither sizes nor ranges are those of the file.
    headers = {"User-Agent": "lorekeeper-offline", "Accept-Encoding": "identity"}
    return httpx.Client(headers=headers, follow_redirects=True, timeout=httpx.Timeout(30, connect=10))


def fetch_small(client: httpx.Client, url: str) -> bytes:
    """The content of a small file.

    Raises:
        DatasetError: it cannot be fetched, or is not small.
    """
    try:
        with client.stream("GET", url) as response:
            response.raise_for_status()
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > MAX_LISTING_BYTES:
                    msg = f"{url} is larger than {MAX_LISTING_BYTES:,} bytes, so it is no listing"
                    raise DatasetError(msg)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        msg = f"cannot fetch {url}: {_reason(error)}"
        raise DatasetError(msg) from error
    return bytes(content)


def download(client: httpx.Client, artifact: Artifact, partial: Path, report: Report) -> None:
    """Make `partial` the whole artifact; what is there from earlier is kept and the rest fetched.

    Args:
        client: of `web_client`.
        artifact: URL, size and hash of the file.
        partial: where it goes.
        report: called with bytes done and bytes in all.

    Raises:
        DatasetError: it cannot be fetched (what has come stays), or is not what the listing says (nothing stays).
    """
    resumed = partial.exists()
    _fetch_rest(client, artifact, partial, report)
    if file_sha256(partial) == artifact["sha256"]:
        return
    partial.unlink()
    if resumed:
        log.warning("the resumed download of %s is damaged; starting over", artifact["url"])
        download(client, artifact, partial, report)
        return
    msg = f"{artifact['url']} is refused: its content does not have the sha256 that the listing gives"
    raise DatasetError(msg)


def _fetch_rest(client: httpx.Client, artifact: Artifact, partial: Path, report: Report) -> None:
    for attempt in range(ATTEMPTS):
        try:
            _fetch(client, artifact, partial, report)
        except _InterruptedError as error:
            if attempt == ATTEMPTS - 1:
                msg = f"cannot fetch {artifact['url']}: {error}; what has come is kept, run the command again"
                raise DatasetError(msg) from error
            log.warning("%s; trying again", error)
            time.sleep(_PAUSE * 2**attempt)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            msg = f"cannot fetch {artifact['url']}: {_reason(error)}"
            raise DatasetError(msg) from error
        else:
            return


def _fetch(client: httpx.Client, artifact: Artifact, partial: Path, report: Report) -> None:
    """Fetch once what is missing.

    Raises:
        _InterruptedError: it ended early.
        httpx.HTTPError: trying again would not help.
    """
    size = artifact["bytes"]
    have = partial.stat().st_size if partial.exists() else 0
    if have > size:
        partial.unlink()
        have = 0
    if have == size:
        return
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        with client.stream("GET", artifact["url"], headers=headers) as response:
            if response.status_code in _BUSY:
                msg = f"the server answers {response.status_code}"
                raise _InterruptedError(msg)
            if response.status_code == _TOO_FAR:
                partial.unlink()
                msg = "the file at the server is shorter than what has come of it"
                raise _InterruptedError(msg)
            response.raise_for_status()
            start = have if _continues(response, have) else 0
            _append(response, partial, start, size, report)
    except httpx.UnsupportedProtocol:
        raise
    except (httpx.TransportError, httpx.StreamError) as error:
        raise _InterruptedError(_reason(error)) from error


def _append(response: httpx.Response, partial: Path, start: int, size: int, report: Report) -> None:
    done = start
    with partial.open("ab" if start else "wb") as file:
        for chunk in response.iter_bytes():
            done += len(chunk)
            if done > size:
                break
            file.write(chunk)
            report(done, size)
    if done > size:
        partial.unlink()
        msg = f"{response.url} is refused: it is larger than the {size:,} bytes that the listing gives"
        raise DatasetError(msg)
    if done < size:
        msg = f"the transfer ended after {done:,} of {size:,} bytes"
        raise _InterruptedError(msg)


def _continues(response: httpx.Response, have: int) -> bool:
    """Whether the body goes on where the file ends, rather than from the start."""
    return response.status_code == httpx.codes.PARTIAL_CONTENT and response.headers.get("Content-Range", "").startswith(
        f"bytes {have}-"
    )


def _reason(error: httpx.HTTPError | httpx.StreamError | httpx.InvalidURL) -> str:
    if isinstance(error, httpx.HTTPStatusError):
        return f"the server answers {error.response.status_code}"
    return str(error) or type(error).__name__
