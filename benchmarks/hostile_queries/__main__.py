"""Sends every hostile statement to a server over a dataset, and tells what gives way.

python -m benchmarks.hostile_queries DATASET     # Linux; some minutes; exit status 1 if anything gives way

A second client looks spells up all the while, and is not to be held up.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import polars as pl
from fastmcp import Client

from benchmarks.hostile_queries.statements import ENVIRONMENT, statements

SERVED: Final = "srd-2014"
MOST_SECONDS: Final = 3.0
MOST_BYTES: Final = 256_000_000
MOST_HELD_UP: Final = 0.1
"""Seconds by which the median look-up may be slower beside hostile queries."""
LOOK_UP: Final = {"name": "fireball"}
BEFORE: Final = 5.0
"""Seconds of look-ups with nothing else going on."""


@dataclass
class Findings:
    """What was seen.

    Attributes:
        gave_way: what a statement got or cost that it should not, in words.
        refused: number of refusals.
        answered: number of answers.
        slowest: seconds of the longest call.
        largest: bytes by which the server grew at most, and the process for queries.
    """

    gave_way: list[str] = field(default_factory=list)
    refused: int = 0
    answered: int = 0
    slowest: float = 0.0
    largest: tuple[int, ...] = ()


class Memory:
    """Resident memory of a process and its children, sampled until stopped.

    Attributes:
        most: bytes, of the process and of all its children.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.most = (0, 0)

    async def watch(self) -> None:
        """Sample for ever."""
        while True:
            own, children = self.now()
            self.most = (max(self.most[0], own), max(self.most[1], children))
            await asyncio.sleep(0.02)

    def now(self) -> tuple[int, int]:
        """Bytes of the process, and of its children."""
        children = Path(f"/proc/{self._pid}/task").glob("*/children")
        pids = [int(pid) for path in children for pid in path.read_text().split()]
        return _pages(self._pid), sum(map(_resident, pids))


async def main(dataset: Path) -> int:
    """Try everything; 1 if anything gave way."""
    secret = secrets.token_hex(16)
    others = set(pl.read_parquet(dataset / "documents.parquet", columns=["document_key"])["document_key"]) - {SERVED}
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(f"secret\n{secret}\n")
        file.flush()
        tried = statements(file.name)
        with serving(dataset, secret) as (address, memory):
            async with Client(address) as asking, Client(address) as looking:
                await asking.call_tool("query", {"sql": "SELECT 1"})
                quiet = await _look_up(looking, for_seconds=BEFORE)
                base = memory.now()
                busy: list[float] = []
                both = [asyncio.create_task(memory.watch()), asyncio.create_task(_look_up_always(looking, busy))]
                findings = Findings()
                for attempt, queries in tried.items():
                    await _try(asking, attempt, queries, findings, [secret, *(f"/{key}/" for key in others)])
                for task in both:
                    task.cancel()
                findings.largest = tuple(most - least for most, least in zip(memory.most, base, strict=True))
    _report(findings, quiet, busy)
    return 1 if findings.gave_way else 0


async def _try(
    client: Client[Any], attempt: str, queries: Sequence[str], findings: Findings, forbidden: Sequence[str]
) -> None:
    slowest = 0.0
    for query in queries:
        start = time.perf_counter()
        result = await client.call_tool("query", {"sql": query}, raise_on_error=False)
        took = time.perf_counter() - start
        text = "\n".join(getattr(block, "text", "") for block in result.content)
        wrong = [f"took {took:.2f} s"] if took > MOST_SECONDS else []
        if result.is_error:
            findings.refused += 1
            wrong += ["no reason"] if not text.strip() or "Internal error" in text else []
        else:
            findings.answered += 1
            wrong += [f"shows {word!r}" for word in forbidden if word in text]
        findings.gave_way += [f"{attempt}: {query[:150]!r}: {each}; {text[:150]}" for each in wrong]
        slowest = max(slowest, took)
    findings.slowest = max(findings.slowest, slowest)
    print(f"{attempt}: {len(queries)} statements, the slowest {slowest:.2f} s", flush=True)


async def _look_up(client: Client[Any], *, for_seconds: float) -> list[float]:
    """Seconds that look-ups take, a few a second."""
    times: list[float] = []
    end = time.perf_counter() + for_seconds
    while time.perf_counter() < end:
        times.append(await _timed(client))
        await asyncio.sleep(0.05)
    return times


async def _look_up_always(client: Client[Any], times: list[float]) -> None:
    while True:
        times.append(await _timed(client))
        await asyncio.sleep(0.05)


async def _timed(client: Client[Any]) -> float:
    start = time.perf_counter()
    await client.call_tool("lookup_spell", LOOK_UP)
    return time.perf_counter() - start


@contextmanager
def serving(dataset: Path, secret: str) -> Iterator[tuple[str, Memory]]:
    """A server of one document over HTTP: its address, and its memory."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = "from server.cli import main; main()"
    options = ["--transport", "http", "--port", str(port), "--documents", SERVED, "--log-level", "error"]
    command = [sys.executable, "-c", code, "serve", "--dataset", str(dataset), *options]
    with subprocess.Popen(command, env=os.environ | {ENVIRONMENT: secret}) as process:
        try:
            while not _is_up(f"http://127.0.0.1:{port}/health"):
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp", Memory(process.pid)
        finally:
            process.terminate()


def _is_up(address: str) -> bool:
    try:
        return httpx.get(address, trust_env=False).is_success
    except httpx.TransportError:
        return False


def _resident(pid: int) -> int:
    """Bytes; none for a process that has ended, or that is still the copy of the server from which it starts."""
    try:
        if b"sql_worker" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return 0
        return _pages(pid)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _pages(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _report(findings: Findings, quiet: list[float], busy: list[float]) -> None:
    held_up = statistics.median(busy) - statistics.median(quiet)
    if held_up > MOST_HELD_UP:
        findings.gave_way.append(f"look-ups took {held_up * 1000:.0f} ms longer")
    grown = " and ".join(f"{size / 1e6:.0f} MB" for size in findings.largest)
    if max(findings.largest) > MOST_BYTES:
        findings.gave_way.append(f"memory grew by {grown}")
    print(f"{findings.refused} refused, {findings.answered} answered; the slowest took {findings.slowest:.2f} s")
    print(f"memory of the server and of the process for queries grew by {grown} at most")
    for name, times in (("alone", quiet), ("beside", busy)):
        cuts = statistics.quantiles(times, n=100)
        shown = ", ".join(f"p{p} {cuts[p - 1] * 1000:.0f}" for p in (50, 95, 99))
        print(f"look-ups {name} (ms): {shown}, longest {max(times) * 1000:.0f}, {len(times)} of them")
    for each in findings.gave_way:
        print(f"GAVE WAY {each}")


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]))))
