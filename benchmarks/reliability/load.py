"""Many clients of one server over HTTP: each calls, leaves in the middle, or breaks off while sending."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self
from urllib.parse import urlsplit

import httpx

from benchmarks.reliability.calls import Call

HEADERS: Final = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
CONTENT: Final = {"Content-Type": "application/json"}
LEAVES: Final = 0.05
"""Share of calls whose client leaves before the answer."""
BREAKS_OFF: Final = 0.02
"""Share of calls of which only half the body arrives."""

TICK: Final = 30.0
"""Seconds between two reports."""

Answer = dict[str, Any]


@dataclass
class Seen:
    """What the clients saw.

    Attributes:
        answers: number of answers that came.
        left: number of calls that their client gave up.
        seconds: the seconds that answers took.
        wrong: answers other than expected, in words.
    """

    answers: int = 0
    left: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __iadd__(self, more: Seen) -> Self:
        self.answers += more.answers
        self.left += more.left
        self.seconds += more.seconds
        self.wrong += more.wrong
        return self


def body_of(number: int, call: Call) -> bytes:
    """The request body of a call."""
    tool, arguments = call
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


async def ask(client: httpx.AsyncClient, number: int, call: Call) -> Answer:
    """The `result` with which a server answers.

    Raises:
        ValueError: it answers something else; the message says what.
    """
    return result_of(number, await _sent(client, number, call))


async def _sent(client: httpx.AsyncClient, number: int, call: Call) -> bytes:
    response = await client.post("/mcp", content=body_of(number, call))
    if not response.is_success:
        msg = f"status {response.status_code}: {response.text[:200]}"
        raise ValueError(msg)
    return response.content


def result_of(number: int, body: bytes) -> Answer:
    """The `result` of an answer to a call.

    Raises:
        ValueError: it answers another call, or is not an answer.
    """
    answer = json.loads(body)
    if answer.get("id") != number or "result" not in answer:
        msg = f"no result of {number}: {body[:200]!r}"
        raise ValueError(msg)
    return dict(answer["result"])


def clients_of(url: str, clients: int) -> httpx.AsyncClient:
    """An HTTP client with one connection for each of `clients`."""
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    return httpx.AsyncClient(base_url=url, headers=HEADERS | CONTENT, limits=limits, timeout=60, trust_env=False)


Judge = Callable[[int, bytes], str | None]
"""(number of the call, the body that answers it) → what is wrong with it; it may raise ValueError, too."""


@dataclass(frozen=True)
class Load:
    """The load on a server.

    Attributes:
        calls: the calls to choose from at random.
        clients: number of concurrent clients.
        seed: seed of the random choices.
        tick: called regularly with what was seen so far.
    """

    calls: Sequence[Call]
    clients: int
    seed: int
    tick: Callable[[Seen], None] = lambda _: None

    async def ask(self, url: str, right: Judge, seconds: float, *, mischief: bool = False) -> Seen:
        """Call a server for some seconds; with `mischief`, some leave before the answer, or break off within a body."""
        seen, end = Seen(), time.monotonic() + seconds
        watching = asyncio.create_task(self._ticking(seen))
        async with clients_of(url, self.clients) as client, asyncio.TaskGroup() as group:
            for number in range(self.clients):
                rng = random.Random(self.seed * self.clients + number)  # noqa: S311 - nothing secret
                group.create_task(self._one(rng, client, right, seen, end, mischief=mischief))
        watching.cancel()
        return seen

    async def _one(
        self, rng: random.Random, client: httpx.AsyncClient, right: Judge, seen: Seen, end: float, *, mischief: bool
    ) -> None:
        while time.monotonic() < end:
            number = rng.randrange(len(self.calls))
            call = self.calls[number]
            what = rng.random() if mischief else 1.0
            if what < LEAVES + BREAKS_OFF:
                seen.left += 1
                body = body_of(number, call)
                sent, after = (len(body), rng.uniform(0, 0.3)) if what < LEAVES else (len(body) // 2, 0.0)
                await _hang_up(str(client.base_url), body, sent, after)
            else:
                await _judge(client, number, call, right, seen)

    async def _ticking(self, seen: Seen) -> None:
        while True:
            await asyncio.sleep(TICK)
            self.tick(seen)


async def _judge(client: httpx.AsyncClient, number: int, call: Call, right: Judge, seen: Seen) -> None:
    start = time.perf_counter()
    try:
        complaint = right(number, await _sent(client, number, call))
    except (ValueError, httpx.HTTPError) as error:
        complaint = f"{type(error).__name__} {error}"
    seen.seconds.append(time.perf_counter() - start)
    seen.answers += 1
    if complaint:
        seen.wrong.append(f"{call[0]} {json.dumps(call[1])}: {complaint}")


async def _hang_up(url: str, body: bytes, sent: int, after: float) -> None:
    """Send a request, or the first bytes of its body, wait some seconds, and leave without an answer.

    This uses a separate connection: the pool that the clients share loses connections when a request is cancelled, and
    then they wait for each other.
    """
    host, port = urlsplit(url).hostname, urlsplit(url).port
    _, writer = await asyncio.open_connection(host, port)
    headers = CONTENT | HEADERS | {"Host": str(host), "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body[:sent])
    await writer.drain()
    await asyncio.sleep(after)
    writer.close()
