"""Sends every hostile statement to a server over a dataset, and finds what gives way.

Meanwhile, a second client looks up spells, and must not be delayed.
"""

from __future__ import annotations

import asyncio
import secrets
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import polars as pl
from fastmcp import Client

from benchmarks.hostile_queries.statements import ENVIRONMENT, statements
from benchmarks.served import Served, lorekeeper

SERVED: Final = "srd-2014"
MOST_SECONDS: Final = 2.0
MOST_BYTES: Final = 256_000_000
MOST_HELD_UP: Final = 0.1
"""Seconds by which the median look-up may be slower during hostile queries."""
LOOK_UP: Final = {"name": "fireball"}
BEFORE: Final = 5.0
"""Seconds of look-ups while the server has nothing else to do."""


@dataclass
class Findings:
    """The findings of an attack.

    Attributes:
        gave_way: what a statement got or cost that it should not, in words.
        refused: number of refusals.
        answered: number of answers.
        slowest: seconds of the slowest call.
        largest: maximum bytes by which the server grew, and the process for queries.
        quiet: seconds of each look-up before the attack.
        busy: seconds of each look-up during the attack.
    """

    gave_way: list[str] = field(default_factory=list)
    refused: int = 0
    answered: int = 0
    slowest: float = 0.0
    largest: tuple[int, ...] = ()
    quiet: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)

    @property
    def held_up(self) -> float:
        """Seconds by which the median look-up was slower during the attack."""
        return statistics.median(self.busy) - statistics.median(self.quiet)


class Memory:
    """Resident memory of a server and its children, sampled until stopped.

    Attributes:
        most: maximum bytes of the process, and of all its children together.
    """

    def __init__(self, server: Served) -> None:
        self._server = server
        self.most = (0, 0)

    async def watch(self) -> None:
        """Sample until cancelled."""
        while True:
            own, children = self._server.held().memory
            self.most = (max(self.most[0], own), max(self.most[1], children))
            await asyncio.sleep(0.02)


async def attack(dataset: Path) -> Findings:
    """Try every statement."""
    secret = secrets.token_hex(16)
    others = set(pl.read_parquet(dataset / "documents.parquet", columns=["document_key"])["document_key"]) - {SERVED}
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(f"secret\n{secret}\n")
        file.flush()
        tried = statements(file.name)
        log = Path(file.name).with_suffix(".log")
        options = ("--documents", SERVED, "--log-level", "error")
        with lorekeeper(dataset, log, *options, **{ENVIRONMENT: secret}) as server:
            address, memory, findings = f"{server.url}/mcp", Memory(server), Findings()
            async with Client(address) as asking, Client(address) as looking:
                await asking.call_tool("query", {"sql": "SELECT 1"})
                findings.quiet = await _look_up(looking, for_seconds=BEFORE)
                base = server.held().memory
                both = [memory.watch(), _look_up_always(looking, findings.busy)]
                tasks = [asyncio.create_task(each) for each in both]
                for attempt, queries in tried.items():
                    await _try(asking, attempt, queries, findings, [secret, *(f"/{key}/" for key in others)])
                for task in tasks:
                    task.cancel()
                findings.largest = tuple(most - least for most, least in zip(memory.most, base, strict=True))
        log.unlink()
    _judge(findings)
    return findings


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
    """The seconds that each look-up takes, with several per second."""
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


def _judge(findings: Findings) -> None:
    """Add what gave way over the whole run."""
    if findings.held_up > MOST_HELD_UP:
        findings.gave_way.append(f"look-ups took {findings.held_up * 1000:.0f} ms longer")
    if max(findings.largest) > MOST_BYTES:
        grown = " and ".join(f"{size / 1e6:.0f} MB" for size in findings.largest)
        findings.gave_way.append(f"memory grew by {grown}")


def report(findings: Findings) -> None:
    """Print the findings."""
    grown = " and ".join(f"{size / 1e6:.0f} MB" for size in findings.largest)
    print(f"{findings.refused} refused, {findings.answered} answered; the slowest took {findings.slowest:.2f} s")
    print(f"memory of the server and of the process for queries grew by {grown} at most")
    for name, times in (("alone", findings.quiet), ("beside", findings.busy)):
        cuts = statistics.quantiles(times, n=100)
        shown = ", ".join(f"p{p} {cuts[p - 1] * 1000:.0f}" for p in (50, 95, 99))
        print(f"look-ups {name} (ms): {shown}, longest {max(times) * 1000:.0f}, {len(times)} of them")
    for each in findings.gave_way:
        print(f"GAVE WAY {each}")
