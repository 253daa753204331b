"""Sends what no honest caller sends: endless texts, patterns and lists, deep and foreign bodies, calls given up."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks.reliability.calls import CALLS, Call
from benchmarks.reliability.load import ask, body_of, clients_of
from benchmarks.reliability.outcome import Row, say
from benchmarks.served import ALL_TOOLSETS, Served, lorekeeper
from server.tools.registry import TOOLS
from server.tools.tool import Tool

SLOWEST: Final = 2.0
"""Maximum seconds of a call."""
MOST_HELD_UP: Final = 0.1
"""Seconds by which the median look-up may be slower during abuse."""
MAY_GROW: Final = 0.05
"""Share by which memory may have grown at the end."""
DROPPED: Final = 40
"""Number of callers that send a long body and leave."""
_LOOK_UP: Final[Call] = ("lookup_spell", {"name": "fireball"})
_LENGTH: Final = 200_000

VALUES: Final[dict[str, Any]] = {
    "letters": "a" * _LENGTH,
    "wildcards": "*a" * (_LENGTH // 2),
    "question marks": "?" * 2_000,
    "nested groups": "(a|a)*" * 300,
    "spaces": " " * _LENGTH,
    "words": "undead " * (_LENGTH // 7),
    "words as long as may be": ("undead " * 300)[:2_000],
    "wildcards as long as may be": ("*a" * 100)[:200],
    "control characters": "\x00\x1b[2J\u202e\u200b\U000e0041" * 100,
    "halves of pairs": "\ud800" * 100,
    "digits": "9" * 4_000,
    "a number": 10**300,
    "a list": ["a"] * (_LENGTH // 5),
    "a list of patterns": ["*a*b*c*"] * 100,
    "depth": json.loads("[" * 500 + "]" * 500),
}
"""The values that are sent for each parameter."""

_RAW: Final[dict[str, bytes]] = {
    "a body of 20 MB": b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"a" * 20_000_000,
    "a deep body": b"[" * 100_000,
    "no JSON": b"\xff\xfe" * 1_000,
    "an empty body": b"",
    "a thousand calls in one": json.dumps([{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}] * 1_000).encode(),
    "another protocol": b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
    "a number as method": b'{"jsonrpc": "2.0", "id": 1, "method": 7}',
}

LONGEST: Final[Call] = ("search_all", {"search": " ".join(["a story, told at length,"] * 82)[:2_000]})
"""An honest search as long as one may be."""


def run(dataset: Path, work: Path) -> list[Row]:
    """Abuse a server over a dataset, while a second caller uses it honestly."""
    return asyncio.run(_run(dataset, work))


def calls() -> Iterator[tuple[str, Call]]:
    """Every parameter of every tool with every value: (what, the call)."""
    for tool in TOOLS:
        required = {p.name: _honest(tool, p.name) for p in tool.parameters if p.required}
        for parameter in tool.parameters:
            for what, value in VALUES.items():
                yield f"{what} as {parameter.name} of {tool.name}", (tool.name, required | {parameter.name: value})


def _honest(tool: Tool, name: str) -> Any:
    schema = next(parameter.schema for parameter in tool.parameters if parameter.name == name)
    if "enum" in schema:
        return schema["enum"][0]
    return [1] if schema.get("type") == "array" else 1 if schema.get("type") == "integer" else "fire"


async def _run(dataset: Path, work: Path) -> list[Row]:
    options = ("--toolsets", ALL_TOOLSETS, "--log-level", "warning")
    with lorekeeper(dataset, work / "abuse.log", *options) as server:
        async with clients_of(server.url, 4) as asking, clients_of(server.url, 1) as beside:
            # Not counted as growth: what is loaded on first use, and what the encoder needs for the longest search.
            for number, call in enumerate([*CALLS, LONGEST]):
                await ask(beside, number, call)
            quiet = [await _timed(beside) for _ in range(50)]
            before = server.held()
            busy: list[float] = []
            looking = asyncio.create_task(_always(beside, busy))
            rows = [await _long_values(asking), await _raw(asking), await _dropped(server)]
            looking.cancel()
        await asyncio.sleep(2)
        after = server.held()
        errors = [line for line in server.log.read_text("utf-8", "replace").splitlines() if "Traceback" in line]
    rows.append(_beside(quiet, busy))
    grown = sum(after.memory) / sum(before.memory) - 1
    held = Row("what the server holds before and after all that", 1)
    held.outcome = f"memory {sum(before.memory) / 1e6:.0f} → {sum(after.memory) / 1e6:.0f} MB, "
    held.outcome += (
        f"descriptors {before.descriptors} → {after.descriptors}, threads {before.threads} → {after.threads}"
    )
    held.wrong += [f"memory grew by {grown:.0%}"] if grown > MAY_GROW else []
    held.wrong += [f"{len(errors)} tracebacks in the log"] if errors else []
    return [*rows, held]


async def _long_values(client: httpx.AsyncClient) -> Row:
    row = Row("every parameter of every tool too long, too deep, or of another kind")
    slowest = 0.0
    for what, call in calls():
        row.tries += 1
        start = time.perf_counter()
        try:
            answer = await ask(client, row.tries, call)
            text = answer["content"][0]["text"]
            wrong = "an internal error" if text.startswith("Internal error") else ""
        except ValueError as error:
            wrong = "" if str(error).startswith(("status 413", "status 400")) else str(error)
        except httpx.HTTPError as error:
            wrong = f"{type(error).__name__} {error}"
        took = time.perf_counter() - start
        slowest = max(slowest, took)
        wrong = wrong or (f"took {took:.2f} s" if took > SLOWEST else "")
        row.wrong += [f"{what}: {wrong}"] if wrong else []
    row.outcome = f"answered, or refused in words; the slowest in {slowest:.2f} s"
    say(f"abuse: {row.tries:,} calls with impossible values")
    return row


async def _raw(client: httpx.AsyncClient) -> Row:
    row = Row("bodies that are not calls", len(_RAW), "refused with a status below 500")
    for what, body in _RAW.items():
        try:
            status = (await client.post("/mcp", content=body)).status_code
        except httpx.HTTPError:  # the server may stop listening
            continue
        row.wrong += [f"{what}: status {status}"] if status >= httpx.codes.INTERNAL_SERVER_ERROR else []
    return row


async def _dropped(server: Served) -> Row:
    """Callers that send a long body and leave at once: somebody else is still answered soon."""
    body = body_of(1, ("search_all", {"query": "undead " * 20_000}))

    async def drop() -> None:
        host, port = server.url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    await asyncio.gather(*(drop() for _ in range(DROPPED)))
    async with clients_of(server.url, 1) as client:
        took = await _timed(client)
    row = Row(
        f"callers that send {len(body) // 1000} kB and leave", DROPPED, f"the next one is answered in {took:.2f} s"
    )
    row.wrong += [f"the next one waits {took:.2f} s"] if took > SLOWEST else []
    return row


def _beside(quiet: list[float], busy: list[float]) -> Row:
    held_up = statistics.median(busy) - statistics.median(quiet)
    row = Row(
        "look-ups of another caller meanwhile",
        len(busy),
        f"half of them in {statistics.median(busy) * 1000:.0f} ms, without abuse in "
        f"{statistics.median(quiet) * 1000:.0f} ms; the longest took {max(busy) * 1000:.0f} ms",
    )
    row.wrong += [f"held up by {held_up * 1000:.0f} ms"] if held_up > MOST_HELD_UP else []
    return row


async def _timed(client: httpx.AsyncClient) -> float:
    start = time.perf_counter()
    await ask(client, 0, _LOOK_UP)
    return time.perf_counter() - start


async def _always(client: httpx.AsyncClient, times: list[float]) -> None:
    while True:
        times.append(await _timed(client))
        await asyncio.sleep(0.02)
