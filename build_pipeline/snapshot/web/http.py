"""The polite HTTP client: the only part of the project that sends requests to the APIs.

At most four concurrent requests per host, however many tasks there are; every page is cached on disk and revalidated
only once it is old; failures are retried with exponential, jittered pauses, and Retry-After is honoured.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import httpx
import stamina

from build_pipeline.expected import ExpectedError
from build_pipeline.snapshot.web.cache import CachedPage, PageCache, RememberedError
from build_pipeline.snapshot.web.json_text import JsonPage, NotJsonError, parse_page
from build_pipeline.snapshot.web.pauses import MAX_IN_FLIGHT, quota_pause, retry_after
from build_pipeline.times import iso_time

CACHE_TTL: Final = 7 * 24 * 3600.0
ERROR_TTL: Final = 5 * 60.0

USER_AGENT: Final = f"LoreKeeper/{version('lorekeeper-offline')} (offline D&D 5e dataset builder)"

# dnd5eapi honours Accept-Language; Open5e sends HTML unless asked for JSON.
_HEADERS: Final = {"User-Agent": USER_AGENT, "Accept": "application/json", "Accept-Language": "en"}


@dataclass(frozen=True, slots=True)
class Manners:
    """How the client behaves; times in seconds.

    Attributes:
        cache_ttl: how long a cached page is used without revalidation.
        error_ttl: how long a failed page is not requested again while an older copy can be used.
        refresh: use nothing from the cache.
        attempts: maximum number of requests for one page.
        wait_initial: the pause after the first failure; it doubles each time.
        wait_max: the longest pause. If a host demands a longer one, the page is given up.
        read_timeout: maximum time between two reads.
        page_timeout: maximum total time of one response.
        give_up_after: consecutive failed pages after which no more requests are sent to a host.
    """

    cache_ttl: float = CACHE_TTL
    error_ttl: float = ERROR_TTL
    refresh: bool = False
    attempts: int = 6
    wait_initial: float = 0.5
    wait_max: float = 60
    read_timeout: float = 30
    page_timeout: float = 180
    give_up_after: int = 20


class FetchError(Exception):
    """The origin did not provide the page; the message says why.

    Attributes:
        retry: whether a retry after a pause may succeed.
        retry_after: seconds to wait, as requested by the host.
        gone: whether the origin says that there is no such page.
    """

    def __init__(
        self, reason: str, *, retry: bool = False, retry_after: float | None = None, gone: bool = False
    ) -> None:
        super().__init__(reason)
        self.retry = retry
        self.retry_after = retry_after
        self.gone = gone


class NoNetworkError(ExpectedError):
    """No host can be connected to; the message names them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An origin's response for a URL.

    Attributes:
        url: the full URL requested.
        body: the bytes after content decoding.
        fetched_at: ISO time in UTC at which the origin sent or last revalidated it.
        cached: whether it was served from disk without a request.
        stale: why an older response is used in place of a fresh one; None if it is fresh.
        age: seconds since `fetched_at`.
    """

    url: str
    body: bytes
    fetched_at: str
    cached: bool
    stale: str | None
    age: float


@dataclass(frozen=True, slots=True)
class Page(Answer):
    """A JSON response of an API.

    Attributes:
        json: the parsed body with its text.
    """

    json: JsonPage


class Clock:
    """Time and sleep; tests pass one that does not wait."""

    def time(self) -> float:
        """Unix time in seconds."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that only increase."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


@dataclass
class _Host:
    clock: Clock
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_IN_FLIGHT))
    not_before: float = 0.0
    failures: int = 0

    def pause(self, seconds: float) -> None:
        self.not_before = max(self.not_before, self.clock.monotonic() + seconds)

    async def wait(self) -> None:
        pause = self.not_before - self.clock.monotonic()
        if pause > 0:
            await self.clock.sleep(pause)
            await self.wait()


class PoliteClient:
    """Fetches pages. An async context manager.

    Attributes:
        requests: number of requests sent.
    """

    def __init__(
        self, cache_folder: Path, manners: Manners, clock: Clock | None = None, sites: Iterable[str] = ()
    ) -> None:
        """Open the cache.

        Args:
            cache_folder: folder of the cache.
            manners: how to behave.
            clock: time and sleep.
            sites: base URLs of everything that will be fetched. If none can be connected to, there is no network.
        """
        self.manners = manners
        self._clock = clock or Clock()
        self.requests = 0
        self._sites = list(dict.fromkeys(sites))
        self._connected: asyncio.Task[bool] | None = None
        self._cache = PageCache(cache_folder)
        self._started = self._clock.time()
        self._hosts: dict[str, _Host] = {}
        self._http = httpx.AsyncClient(
            headers=_HEADERS,
            timeout=httpx.Timeout(manners.read_timeout, connect=10, pool=None),
            follow_redirects=True,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()
        self._cache.close()

    async def get(self, url: str) -> Page:
        """The JSON page at a URL; see `get_file`.

        Raises:
            FetchError: the page is not available.
        """
        parsed: dict[bytes, JsonPage] = {}

        def check(body: bytes) -> None:
            try:
                parsed[body] = parse_page(body)
            except NotJsonError as error:
                # A proxy's error page may have status 200. It must not be cached.
                raise FetchError(str(error), retry=True) from error

        answer = await self._get(url, check=check)
        json = parsed.get(answer.body) or parse_page(answer.body)
        return Page(answer.url, answer.body, answer.fetched_at, answer.cached, answer.stale, answer.age, json)

    async def get_file(self, url: str) -> Answer:
        """The file at a URL, from the cache while it is fresh, otherwise from the origin.

        If the origin fails, an older response is returned, marked stale, unless the origin says there is no such page
        or the cache must not be used.

        Raises:
            FetchError: the file is not available.
            NoNetworkError: no site can be connected to, and the cache lacks the file.
        """
        return await self._get(url, check=lambda _body: None)

    async def _get(self, url: str, *, check: Callable[[bytes], None]) -> Answer:
        known, error = self._cached(url)
        if known is not None and self._clock.time() - known.fetched_at < self.manners.cache_ttl:
            return self._answer(url, known, cached=True)
        # A cached error suppresses the request only if an older page can be used; a missing page is always fetched.
        if error is not None and known is not None:
            return self._answer(url, known, cached=True, stale=error.reason)
        if error is not None and error.at >= self._started:
            raise FetchError(error.reason)
        try:
            return await self._fetch(url, known, check)
        except NoNetworkError as failure:
            if known is None:
                raise
            return self._answer(url, known, cached=True, stale=str(failure))
        except FetchError as failure:
            self._cache.remember_error(url, RememberedError(str(failure), self._clock.time()))
            if failure.gone:
                self._cache.forget(url)
            if failure.gone or known is None:
                raise
            return self._answer(url, known, cached=True, stale=str(failure))

    def _cached(self, url: str) -> tuple[CachedPage | None, RememberedError | None]:
        """The page of a URL, however old, and its last failure while that counts; on a refresh, only from this run."""
        known, error = self._cache.page(url), self._cache.error(url)
        since = self._started if self.manners.refresh else -math.inf
        if known is not None and known.fetched_at < since:
            known = None
        if error is not None and (error.at < since or self._clock.time() - error.at >= self.manners.error_ttl):
            error = None
        return known, error

    def forget(self, url: str) -> None:
        """Drop a page that turned out to be wrong from the cache."""
        self._cache.forget(url)

    async def pause(self) -> None:
        """Wait before a page that turned out to be wrong is requested again."""
        await self._clock.sleep(self.manners.wait_initial)

    async def _fetch(self, url: str, known: CachedPage | None, check: Callable[[bytes], None]) -> Answer:
        """Fetch from the origin; `check` raises `FetchError` for an unusable body."""
        host = self._hosts.setdefault(httpx.URL(url).netloc.decode(), _Host(self._clock))
        try:
            answer = await self._ask_until_answered(url, known, host, check)
        except (httpx.RequestError, TimeoutError) as error:
            host.failures += 1
            raise FetchError(_describe(error)) from error
        except FetchError as error:
            host.failures += error.retry
            raise
        now = self._clock.time()
        if answer.status_code == httpx.codes.NOT_MODIFIED and known is not None:
            self._cache.confirm(url, now)
            return self._answer(url, replace(known, fetched_at=now), cached=False)
        validators = {name: answer.headers[name] for name in ("etag", "last-modified") if name in answer.headers}
        page = CachedPage(answer.content, now, validators)
        self._cache.put(url, page)
        return self._answer(url, page, cached=False)

    def _answer(self, url: str, page: CachedPage, *, cached: bool, stale: str | None = None) -> Answer:
        age = max(0.0, self._clock.time() - page.fetched_at)
        return Answer(url, page.body, iso_time(page.fetched_at), cached, stale, age)

    async def _ask_until_answered(
        self, url: str, known: CachedPage | None, host: _Host, check: Callable[[bytes], None]
    ) -> httpx.Response:
        manners = self.manners
        async for attempt in stamina.retry_context(
            on=self._pause_after,
            attempts=manners.attempts,
            timeout=None,
            wait_initial=manners.wait_initial,
            wait_max=manners.wait_max,
            wait_jitter=manners.wait_initial,
        ):
            with attempt:
                async with host.slots:
                    await host.wait()
                    if host.failures >= manners.give_up_after:
                        msg = f"not requested: the host failed {host.failures} times in a row"
                        raise FetchError(msg)
                    answer = await self._ask(url, known, host)
                if answer.status_code != httpx.codes.NOT_MODIFIED:
                    check(answer.content)
                return answer
        raise AssertionError  # retry_context ends by returning or raising

    def _pause_after(self, error: Exception) -> bool | float:
        """Whether to retry after this failure, or the pause in seconds if the host requested one."""
        if not isinstance(error, FetchError):
            return isinstance(error, httpx.TransportError | httpx.DecodingError | TimeoutError)
        if error.retry and error.retry_after is not None:
            jitter = random.uniform(0, self.manners.wait_initial)  # noqa: S311
            return error.retry_after <= self.manners.wait_max and error.retry_after + jitter
        return error.retry

    async def _ask(self, url: str, known: CachedPage | None, host: _Host) -> httpx.Response:
        conditions = {}
        if known is not None:
            names = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
            conditions = {names[name]: value for name, value in known.validators.items()}
        self.requests += 1
        try:
            async with asyncio.timeout(self.manners.page_timeout):
                answer = await self._http.get(url, headers=conditions)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            await self._check_network(error)
            raise
        host.pause(quota_pause(answer.headers, self._clock.time()))
        if answer.status_code == httpx.codes.OK or (answer.status_code == httpx.codes.NOT_MODIFIED and known):
            host.failures = 0
            return answer
        retry = answer.is_server_error or answer.status_code in _RETRIED
        host.failures = host.failures if retry else 0
        wait = retry_after(answer.headers.get("retry-after", ""), self._clock.time()) if retry else None
        reason = f"status {answer.status_code} {answer.reason_phrase}".strip()
        if wait is not None:
            reason += f", retry after {wait:.0f} s"
            host.pause(min(wait, self.manners.wait_max))
        raise FetchError(reason, retry=retry, retry_after=wait, gone=answer.status_code in _GONE)

    async def _check_network(self, error: httpx.TransportError) -> None:
        """After a failed connection, check once whether any site can be connected to.

        Raises:
            NoNetworkError: none can.
        """
        if self._connected is None:
            self._connected = asyncio.create_task(self._any_connects())
        if self._sites and not await self._connected:
            hosts = ", ".join(httpx.URL(site).host for site in self._sites)
            msg = f"no network: cannot connect to {hosts} ({error})"
            raise NoNetworkError(msg) from error

    async def _any_connects(self) -> bool:
        return any(await asyncio.gather(*map(self._connects, self._sites)))

    async def _connects(self, site: str) -> bool:
        try:
            await self._http.head(site)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return False
        except httpx.TransportError:
            pass  # it answers, if not well
        return True


_RETRIED: Final = {httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_EARLY, httpx.codes.TOO_MANY_REQUESTS}
_GONE: Final = {httpx.codes.NOT_FOUND, httpx.codes.GONE}


def _describe(error: httpx.RequestError | TimeoutError) -> str:
    """The failure in words; httpx's timeouts have no message of their own."""
    return f"{type(error).__name__}: {error}".rstrip(": ")
