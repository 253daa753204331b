from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import TypeVar

import pytest
from origin_server import Answer, Origin, manners, reset, send, serve, truncated

from build_pipeline.snapshot.web.http import MAX_IN_FLIGHT, Clock, FetchError, Manners, NoNetworkError, PoliteClient
from build_pipeline.snapshot.web.pauses import retry_after

T = TypeVar("T")


class StandingClock(Clock):
    """A clock that only sleeping advances, and that records the seconds slept."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.slept: list[float] = []

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def with_client(
    folder: Path, how: Manners, work: Callable[[PoliteClient], Awaitable[T]], clock: Clock | None = None
) -> T:
    async def run() -> T:
        async with PoliteClient(folder, how, clock) as client:
            return await work(client)

    return asyncio.run(run())


def get(folder: Path, url: str, **changes: object) -> object:
    async def work(client: PoliteClient) -> object:
        return (await client.get(url)).json.whole.value

    return with_client(folder, manners(**changes), work)


def test_requests_name_the_project_and_accept_english_json(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = {"a": 1}
    assert get(tmp_path, f"{origin.url}/a") == {"a": 1}
    assert origin.headers["User-Agent"].startswith("LoreKeeper/")
    assert origin.headers["Accept"] == "application/json"
    assert origin.headers["Accept-Language"] == "en"


@pytest.mark.parametrize(
    "fault",
    [send("busy", 500), send("busy", 503), send("slow down", 429), send("", 408), reset, truncated],
    ids=["500", "503", "429", "408", "reset", "truncated"],
)
def test_temporary_failures_are_retried(origin: Origin, tmp_path: Path, fault: Answer) -> None:
    origin.pages["/a"] = {"a": 1}
    origin.faults["/a"].extend([fault, fault])
    assert get(tmp_path, f"{origin.url}/a") == {"a": 1}
    assert origin.asked("/a") == 3


def test_a_timeout_is_a_temporary_failure(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = {"a": 1}
    origin.faults["/a"].append(lambda _handler: time.sleep(0.5))
    assert get(tmp_path, f"{origin.url}/a", read_timeout=0.1) == {"a": 1}


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_holds_for_the_whole_host(origin: Origin, tmp_path: Path, form: str) -> None:
    origin.pages["/b"] = 2
    clock = StandingClock()
    in_two_seconds = format_datetime(datetime.fromtimestamp(clock.now + 2, UTC), usegmt=True)
    origin.faults["/a"].append(send("", 429, Retry_After="2" if form == "seconds" else in_two_seconds))

    async def work(client: PoliteClient) -> None:
        with pytest.raises(FetchError, match="429"):
            await client.get(f"{origin.url}/a")
        await client.get(f"{origin.url}/b")
        await client.get(f"{origin.url}/b")

    with_client(tmp_path, manners(attempts=1), work, clock)
    assert clock.slept == [2]


@pytest.mark.parametrize("date", ["Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 -0000"])
def test_a_date_without_a_zone_is_in_utc(date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert retry_after(date, 784111777 - 10) == 10
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_host_that_demands_a_long_pause_is_given_up(origin: Origin, tmp_path: Path) -> None:
    origin.faults["/a"].append(send("", 503, Retry_After="3600"))
    with pytest.raises(FetchError, match="status 503 Service Unavailable, retry after 3600 s"):
        get(tmp_path, f"{origin.url}/a", wait_max=0.01)
    assert origin.asked("/a") == 1


def test_an_exhausted_quota_is_waited_for(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = 1
    clock = StandingClock()
    reset_at = str(int(clock.now) + 2)
    origin.faults["/b"].append(send("2", X_RateLimit_Remaining="0", X_RateLimit_Reset=reset_at))

    async def work(client: PoliteClient) -> None:
        await client.get(f"{origin.url}/b")
        await client.get(f"{origin.url}/a")

    with_client(tmp_path, manners(), work, clock)
    assert clock.slept == [2]


def test_at_most_four_requests_run_at_a_time(origin: Origin, tmp_path: Path) -> None:
    origin.delay = 0.02
    origin.pages |= {f"/{n}": n for n in range(20)}

    async def work(client: PoliteClient) -> list[object]:
        return await asyncio.gather(*(client.get(f"{origin.url}/{n}") for n in range(20)))

    assert len(with_client(tmp_path, manners(), work)) == 20
    assert origin.max_in_flight == MAX_IN_FLIGHT == 4


def test_a_page_is_requested_once_per_query(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = {"a": 1}
    for _ in range(2):
        get(tmp_path, f"{origin.url}/a?page=1")
    get(tmp_path, f"{origin.url}/a?page=2")
    assert origin.log == ["/a?page=1", "/a?page=2"]


def test_refresh_ignores_the_cache(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = 1
    origin.etags = True
    get(tmp_path, f"{origin.url}/a")
    origin.pages["/a"] = 2
    assert get(tmp_path, f"{origin.url}/a", refresh=True) == 2
    assert "If-None-Match" not in origin.headers
    assert get(tmp_path, f"{origin.url}/a") == 2
    origin.faults["/a"].extend([reset] * 3)
    with pytest.raises(FetchError):
        get(tmp_path, f"{origin.url}/a", refresh=True)


def test_an_old_page_is_revalidated(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = 1
    origin.etags = True
    get(tmp_path, f"{origin.url}/a")
    assert get(tmp_path, f"{origin.url}/a", cache_ttl=0) == 1
    assert "If-None-Match" in origin.headers
    assert origin.answers[-1] == 304
    get(tmp_path, f"{origin.url}/a", cache_ttl=60)
    assert origin.asked("/a") == 2
    origin.pages["/a"] = 2
    assert get(tmp_path, f"{origin.url}/a", cache_ttl=0) == 2


def test_an_old_page_is_used_after_a_failure(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = 1
    get(tmp_path, f"{origin.url}/a")
    origin.faults["/a"].extend([send("", 500)] * 3)

    async def work(client: PoliteClient) -> tuple[object, str | None]:
        page = await client.get(f"{origin.url}/a")
        return page.json.whole.value, page.stale

    assert with_client(tmp_path, manners(cache_ttl=0), work) == (1, "status 500 Internal Server Error")
    # The failure is remembered, so the origin is not asked again for a while.
    assert with_client(tmp_path, manners(cache_ttl=0), work) == (1, "status 500 Internal Server Error")
    assert origin.asked("/a") == 4
    time.sleep(0.02)
    origin.pages["/a"] = 2
    assert with_client(tmp_path, manners(cache_ttl=0, refresh=True), work) == (2, None)


def test_errors_expire(origin: Origin, tmp_path: Path) -> None:
    clock = StandingClock()
    origin.pages["/a"] = 1

    async def work(client: PoliteClient) -> object:
        return (await client.get(f"{origin.url}/a")).json.whole.value

    with_client(tmp_path, manners(), work, clock)
    origin.faults["/a"].append(send("", 403))
    how = manners(cache_ttl=0, error_ttl=300)
    assert with_client(tmp_path, how, work, clock) == 1
    origin.pages["/a"] = 2
    clock.now += 299
    assert with_client(tmp_path, how, work, clock) == 1
    clock.now += 1
    assert with_client(tmp_path, how, work, clock) == 2


def test_the_age_of_a_page_follows_the_clients_clock(origin: Origin, tmp_path: Path) -> None:
    clock = StandingClock()
    origin.pages["/a"] = 1

    async def work(client: PoliteClient) -> tuple[str, bool, float]:
        page = await client.get(f"{origin.url}/a")
        return page.fetched_at, page.cached, page.age

    how = manners(cache_ttl=60)
    assert with_client(tmp_path, how, work, clock) == ("2027-01-15T08:00:00Z", False, 0)
    clock.now += 59
    assert with_client(tmp_path, how, work, clock) == ("2027-01-15T08:00:00Z", True, 59)
    clock.now += 1
    assert with_client(tmp_path, how, work, clock) == ("2027-01-15T08:01:00Z", False, 0)


def test_a_remembered_error_without_a_page_counts_as_missing(origin: Origin, tmp_path: Path) -> None:
    origin.faults["/a"].append(send("", 403))

    async def twice(client: PoliteClient) -> None:
        for _ in range(2):
            with pytest.raises(FetchError, match="403"):
                await client.get(f"{origin.url}/a")

    with_client(tmp_path, manners(), twice)
    assert origin.asked("/a") == 1
    origin.pages["/a"] = 1
    assert get(tmp_path, f"{origin.url}/a") == 1


def test_a_removed_page_is_not_replaced_by_an_old_one(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = 1
    get(tmp_path, f"{origin.url}/a")
    del origin.pages["/a"]
    with pytest.raises(FetchError, match="404") as caught:
        get(tmp_path, f"{origin.url}/a", cache_ttl=0)
    assert caught.value.gone
    assert origin.asked("/a") == 2


def test_a_body_that_is_not_json_is_neither_used_nor_cached(origin: Origin, tmp_path: Path) -> None:
    origin.pages["/a"] = b"<html>"
    with pytest.raises(FetchError, match="not JSON"):
        get(tmp_path, f"{origin.url}/a")
    origin.pages["/a"] = 1
    assert get(tmp_path, f"{origin.url}/a") == 1


def test_a_host_that_is_down_is_not_asked_again(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> list[BaseException | object]:
        pages = [client.get(f"http://127.0.0.1:1/{n}") for n in range(8)]
        return [await asyncio.gather(page, return_exceptions=True) for page in pages]

    failures = [str(result[0]) for result in with_client(tmp_path, manners(attempts=1, give_up_after=3), work)]
    assert all("ConnectError" in failure for failure in failures[:3])
    assert all("failed 3 times in a row" in failure for failure in failures[3:])


@pytest.fixture
def gone(tmp_path: Path) -> str:
    """A base URL on which no server listens any more; its page `/a` is in the cache in `tmp_path`."""
    served = Origin(pages={"/a": {"a": 1}})
    server = serve(served)
    get(tmp_path, f"{served.url}/a")
    server.shutdown()
    server.server_close()
    return served.url


async def ask(folder: Path, url: str, *sites: str) -> str | None:
    """The reason why an older response was used."""
    async with PoliteClient(folder, manners(cache_ttl=0, attempts=1), sites=sites) as client:
        return (await client.get(url)).stale


def test_no_reachable_site_means_no_network(gone: str, tmp_path: Path) -> None:
    with pytest.raises(NoNetworkError, match="no network: cannot connect to 127"):
        asyncio.run(ask(tmp_path, f"{gone}/b", gone))


def test_a_cached_page_needs_no_network(gone: str, tmp_path: Path) -> None:
    assert "no network" in (asyncio.run(ask(tmp_path, f"{gone}/a", gone)) or "")


def test_one_unreachable_site_is_not_a_missing_network(gone: str, origin: Origin, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="ConnectError"):
        asyncio.run(ask(tmp_path, f"{gone}/b", gone, origin.url))
