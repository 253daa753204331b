"""Many concurrent clients over HTTP: the throughput, and how long the slowest wait."""

from __future__ import annotations

import asyncio
import json
import os
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
"""Number of turns of each server."""
WARMING_SECONDS: Final = 3
START_SECONDS: Final = 60
LEAST_RATE: Final = 0.6
MOST_SPREAD: Final = 5
"""Maximum ratio of the 99th percentile to the median."""


def http(dataset: Path, seconds: float) -> list[Row]:
    """The rows for concurrent clients; the floor, our server, and ours with a worker per core take turns."""
    calls = mixed(dataset, DISTINCT, seed=1)
    with StdioServer(ours(dataset)) as server:
        server.hello()
        answers = [server.call(*call)[1] for call in calls]
    from_floor: list[Call] = [("answer", {"number": number}) for number in range(len(calls))]
    with (
        tempfile.TemporaryDirectory() as folder,
        _floor(answers, Path(folder)) as floor,
        _ours(dataset) as alone,
        _ours(dataset, "--workers", str(os.cpu_count())) as shared,
    ):
        servers = {floor: from_floor, alone: calls, shared: calls}
        took: dict[int, list[float]] = {port: [] for port in servers}
        for port, asked in servers.items():
            asyncio.run(_load(port, asked, WARMING_SECONDS))
        for _ in range(ROUNDS):
            for port, asked in servers.items():
                took[port] += asyncio.run(_load(port, asked, seconds))
    rate = {port: len(series) / (ROUNDS * seconds) for port, series in took.items()}
    cuts = {port: [1000 * cut for cut in statistics.quantiles(series, n=100)] for port, series in took.items()}
    what = f"HTTP, {CLIENTS} clients, mixed calls"
    return [
        Row(f"{what}, one process", rate[alone], "a second", rate[floor]),
        Row(
            f"{what}, {os.cpu_count()} workers", rate[shared], "a second", rate[floor], LEAST_RATE, at_least=True,
            note=f"the floor is one process; p50 {cuts[floor][49]:.0f} ms, p99 {cuts[floor][98]:.0f} ms",
        ),
        Row("HTTP, p99 relative to p50, one process", cuts[alone][98], "ms", cuts[alone][49], MOST_SPREAD),
        Row("HTTP, p99 relative to p50, with workers", cuts[shared][98], "ms", cuts[shared][49], MOST_SPREAD),
    ]  # fmt: skip


async def _load(port: int, calls: Sequence[Call], seconds: float) -> list[float]:
    """The seconds of each call that concurrent clients made, one call after the other, for some time."""
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
def _ours(dataset: Path, *options: str) -> Iterator[int]:
    port = _free_port()
    over_http = ("--transport", "http", "--port", str(port), "--log-level", "error", *options)
    with _running([*ours(dataset), *over_http], port):
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
