"""Downloads: one file from the web, resumed where an earlier attempt ended, checked against its size and hash."""

from __future__ import annotations

import logging
import random
import time
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final, TypeVar

import httpx
import stamina

from server.dataset.manifest import DatasetError, file_sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from server.dataset.listing import Artifact

    Report = Callable[[int, int], None]

ATTEMPTS: Final = 5
MAX_LISTING_BYTES: Final = 16 * 2**20

_FIRST_WAIT: Final = 1.0
"""Seconds before the second attempt; the wait doubles with each attempt."""
_LONGEST_WAIT: Final = 60.0
"""Seconds; a download fails if the server asks for a longer wait."""
_RETRIED_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_RANGE_NOT_SATISFIABLE: Final = 416

T = TypeVar("T")

log = logging.getLogger(__name__)


class _InterruptedError(Exception):
    """A transfer that may succeed when tried again; the message says what happened.

    Attributes:
        retry_after: seconds that the server asks to wait; None if it does not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


def web_client() -> httpx.Client:
    """A client for listings and archives; proxies and certificates come from the environment."""
    # The sizes and ranges of a compressed body would not be those of the file.
    headers = {"User-Agent": "lorekeeper-offline", "Accept-Encoding": "identity"}
    return httpx.Client(headers=headers, follow_redirects=True, timeout=httpx.Timeout(30, connect=10))


def fetch_small(client: httpx.Client, url: str) -> bytes:
    """The content of a small file, fetched with retries.

    Raises:
        DatasetError: it cannot be fetched (without retries if nobody answers), or is larger than `MAX_LISTING_BYTES`.
    """
    return _with_retries(url, lambda: _fetch_small(client, url), waits=_wait_if_somebody_answers)


def download(client: httpx.Client, artifact: Artifact, partial: Path, report: Report) -> None:
    """Complete the file `partial`, fetching only what is missing.

    Args:
        client: from `web_client`.
        artifact: URL, size and hash of the file.
        partial: the file; what an earlier download left there is kept.
        report: called with the bytes done and the total.

    Raises:
        DatasetError: it cannot be fetched (`partial` keeps what has arrived), or is not what the listing says
            (`partial` is removed).
    """
    resumed = partial.exists()
    remedy = "; what has arrived is kept, run the command again"
    _with_retries(artifact["url"], lambda: _fetch_rest(client, artifact, partial, report), remedy)
    if file_sha256(partial) == artifact["sha256"]:
        return
    partial.unlink()
    if resumed:
        log.warning("the resumed download of %s is damaged; starting over", artifact["url"])
        download(client, artifact, partial, report)
        return
    msg = f"{artifact['url']} is refused: its content does not have the sha256 that the listing gives"
    raise DatasetError(msg)


def _with_retries(
    url: str, fetch: Callable[[], T], remedy: str = "", waits: Callable[[Exception], bool | float] | None = None
) -> T:
    """The result of `fetch`, which is retried on errors for which `waits` allows it.

    Raises:
        DatasetError: it failed; the message names the URL and ends with the remedy if `fetch` may succeed later.
    """
    attempts = stamina.retry_context(
        on=waits or _wait_before_retry,
        attempts=ATTEMPTS,
        timeout=None,
        wait_initial=_FIRST_WAIT,
        wait_max=_LONGEST_WAIT,
        wait_jitter=_FIRST_WAIT,
    )
    try:
        for attempt in attempts:
            with attempt:
                return fetch()
    except _InterruptedError as error:
        msg = f"cannot fetch {url}: {error}{remedy}"
        raise DatasetError(msg) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        msg = f"cannot fetch {url}: {_reason(error)}"
        raise DatasetError(msg) from error
    raise AssertionError  # retry_context ends by returning or raising


def _wait_before_retry(error: Exception) -> bool | float:
    """Whether to try again after an error; the seconds to wait if the server gave a number."""
    if not isinstance(error, _InterruptedError):
        return False
    if error.retry_after is None:
        return True
    jitter = random.uniform(0, _FIRST_WAIT)  # noqa: S311 - no secret
    return error.retry_after <= _LONGEST_WAIT and error.retry_after + jitter


def _wait_if_somebody_answers(error: Exception) -> bool | float:
    """As `_wait_before_retry`, but False if nobody answers: on the first request that means a wrong address."""
    nobody = isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)
    return False if nobody else _wait_before_retry(error)


@contextmanager
def _response(client: httpx.Client, url: str, headers: Mapping[str, str] | None = None) -> Iterator[httpx.Response]:
    """The response to one request, to be streamed.

    Raises:
        _InterruptedError: it did not come, or ended early; trying again may help.
        httpx.HTTPError: trying again would not help.
    """
    try:
        with client.stream("GET", url, headers=headers) as response:
            if response.status_code in _RETRIED_STATUSES:
                raise _busy(response)
            yield response
    except httpx.UnsupportedProtocol:
        raise
    except (httpx.TransportError, httpx.StreamError) as error:
        raise _InterruptedError(_reason(error)) from error


def _fetch_small(client: httpx.Client, url: str) -> bytes:
    content = bytearray()
    with _response(client, url) as response:
        response.raise_for_status()
        for chunk in response.iter_bytes():
            content += chunk
            if len(content) > MAX_LISTING_BYTES:
                msg = f"{url} is larger than {MAX_LISTING_BYTES:,} bytes, so it is not a listing"
                raise DatasetError(msg)
    return bytes(content)


def _fetch_rest(client: httpx.Client, artifact: Artifact, partial: Path, report: Report) -> None:
    """Fetch the missing rest of an archive, in one attempt."""
    size = artifact["bytes"]
    have = partial.stat().st_size if partial.exists() else 0
    if have > size:
        partial.unlink()
        have = 0
    if have == size:
        return
    with _response(client, artifact["url"], {"Range": f"bytes={have}-"} if have else None) as response:
        if response.status_code == _RANGE_NOT_SATISFIABLE:
            partial.unlink()
            msg = "the file on the server is shorter than what has arrived"
            raise _InterruptedError(msg)
        response.raise_for_status()
        start = have if _continues(response, have) else 0
        _append(response, partial, start, size, report)


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
    """Whether the body continues where the file ends, rather than beginning again."""
    return response.status_code == httpx.codes.PARTIAL_CONTENT and response.headers.get("Content-Range", "").startswith(
        f"bytes {have}-"
    )


def _busy(response: httpx.Response) -> _InterruptedError:
    wait = _retry_after(response.headers.get("Retry-After", ""))
    asks = "" if wait is None else f" and asks to be tried again in {wait:.0f} s"
    return _InterruptedError(f"the server answers {response.status_code}{asks}", wait)


def _retry_after(header: str) -> float | None:
    """Seconds to wait according to a Retry-After header, which gives seconds or a date; None if it gives neither."""
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _reason(error: httpx.HTTPError | httpx.StreamError | httpx.InvalidURL) -> str:
    if isinstance(error, httpx.HTTPStatusError):
        return f"the server answers {error.response.status_code}"
    said = str(error) or type(error).__name__
    return f"nobody answers there ({said})" if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) else said
