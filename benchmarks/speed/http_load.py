"""Many clients at once over HTTP: how much is answered, and how long the slowest wait."""

from __future__ import annotations

import asyncio
import json
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.speed.calls import answers_file
from benchmarks.speed.processes import FLOOR, PROTOCOL, StdioServer, ours
from benchmarks.speed.results import Row
from benchmarks.speed.workload import Call, mixed

CLIENTS: Final = 16
DISTINCT: Final = 200
ROUNDS: Final = 3
"""How often the floor and ours take turns."""
START_SECONDS: Final = 60
LEAST_RATE: Final = 0.6
MOST_SPREAD: Final = 5
"""How many times the median the slowest hundredth may take."""


def http(dataset: Path, seconds: float) -> list[Row]:
    """The lines on concurrent clients; the floor's and our server take turns of `seconds`."""
    calls = mixed(dataset, DISTINCT, seed=1)
    with StdioServer(ours(dataset)) as server:
        server.hello()
        answers = [server.call(*call)[1] for call in calls]
    with tempfile.TemporaryDirectory() as folder, _floor(answers, Path(folder)) as floor, _ours(dataset) as port:
        from_floor: list[Call] = [("answer", {"number": number}) for number in range(len(calls))]
        asyncio.run(_load(floor, from_floor, 1))
        asyncio.run(_load(port, calls, 1))
        bare, measured = [], []
        for _ in range(ROUNDS):
            bare += asyncio.run(_load(floor, from_floor, seconds))
            measured += asyncio.run(_load(port, calls, seconds))
    spent = ROUNDS * seconds
    cuts = statistics.quantiles(measured, n=100)
    return [
        Row(
            f"HTTP, {CLIENTS} clients, mixed calls", len(measured) / spent, "a second", len(bare) / spent,
            LEAST_RATE, at_least=True,
        ),
        Row(
            "HTTP, p99 beside p50", 1000 * cuts[98], "ms", 1000 * cuts[49], MOST_SPREAD,
            note=f"the floor's p99 is {1000 * statistics.quantiles(bare, n=100)[98]:.0f} ms",
        ),
    ]  # fmt: skip


async def _load(port: int, calls: Sequence[Call], seconds: float) -> list[float]:
    """Seconds that each call took which clients made one after the other, side by side, for so long."""
    until = time.perf_counter() + seconds
    each = (_client(port, [*calls[number:], *calls[:number]], until) for number in range(0, 12 * CLIENTS, 12))
    return [took for series in await asyncio.gather(*each) for took in series]


async def _client(port: int, calls: Sequence[Call], until: float) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    took: list[float] = []
    while (start := time.perf_counter()) < until:
        tool, arguments = calls[len(took) % len(calls)]
        writer.write(_request(port, tool, arguments))
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            msg = f"the server refused {tool}({arguments}): {head.splitlines()[0].decode()}"
            raise RuntimeError(msg)
        await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]))
        took.append(time.perf_counter() - start)
    writer.close()
    return took


def _request(port: int, tool: str, arguments: dict[str, Any]) -> bytes:
    call = {"name": tool, "arguments": arguments}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n"
        f"MCP-Protocol-Version: {PROTOCOL}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def _floor(answers: Sequence[dict[str, Any]], folder: Path) -> Iterator[int]:
    port = _free_port()
    with _running([*FLOOR, str(answers_file(answers, folder)), str(port)], port):
        yield port


@contextmanager
def _ours(dataset: Path) -> Iterator[int]:
    port = _free_port()
    with _running([*ours(dataset), "--transport", "http", "--port", str(port), "--log-level", "error"], port):
        yield port


@contextmanager
def _running(command: Sequence[str], port: int) -> Iterator[None]:
    """A server, once it listens."""
    with subprocess.Popen(command) as process:
        try:
            asyncio.run(_listening(process, port))
            yield
        finally:
            process.terminate()


async def _listening(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.perf_counter() + START_SECONDS
    while process.poll() is None and time.perf_counter() < until:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    msg = "the server does not listen"
    raise RuntimeError(msg)
