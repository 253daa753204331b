"""What a call costs, as a ratio to a floor measured in the same run (machines are noisy, ratios less so).

python benchmarks/bench.py [DATASET]     # default: the demo's dataset
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from fastmcp import Client, FastMCP
from fastmcp.client.transports import StdioTransport
from rich.console import Console
from rich.table import Table

from server.app import create_server
from server.dataset.load import load_dataset
from server.library.library import Library
from server.library.request import Request
from server.swap import LibraryHolder

BIN: Final = Path(sys.executable).parent
REPETITIONS: Final = 50
STARTS: Final = 5

EMPTY_SERVER: Final = "from fastmcp import FastMCP; FastMCP('empty').run('stdio', show_banner=False)"

REQUESTS: Final = {
    "look-up by exact name": Request("spell", name="fireball"),
    "look-up by wildcard": Request("creature", name="*dragon*"),
    "filters only, 20 full records": Request("creature", filters={"cr_min": 5.0, "type": "undead"}),
    "semantic with a filter": Request("creature", search="undead that drain life", filters={"type": "undead"}, limit=5),
    "semantic over everything": Request("all", search="protect from fire"),
}


def median_ms(call: Callable[[], object]) -> float:
    """Median milliseconds of a call, after one to warm up."""
    call()
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


async def median_ms_async(call: Callable[[], Awaitable[object]]) -> float:
    """The same for a coroutine function."""
    await call()
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        await call()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


async def start_ms(command: list[str]) -> float:
    """Median milliseconds from starting a stdio server to its first answer."""
    times = []
    for _ in range(STARTS):
        start = time.perf_counter()
        async with Client(StdioTransport(command=command[0], args=command[1:], keep_alive=False)):
            times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


async def over_mcp(dataset: Path) -> list[tuple[str, float, float]]:
    """(what, milliseconds, the floor's milliseconds): the protocol and start, against an empty server's."""
    empty = FastMCP("empty")

    @empty.tool
    def nothing() -> dict[str, Any]:
        return {}

    async with Client(empty) as client:
        floor = await median_ms_async(lambda: client.call_tool("nothing", {}))
    async with Client(create_server(LibraryHolder(Library(load_dataset(dataset))))) as client:
        lookup = await median_ms_async(lambda: client.call_tool("lookup_spell", {"name": "fireball"}))
    started = await start_ms([str(BIN / "lorekeeper"), "serve", "--dataset", str(dataset)])
    bare = await start_ms([sys.executable, "-c", EMPTY_SERVER])
    return [
        ("look-up over MCP / call of an empty tool", lookup, floor),
        ("start of the server / of an empty one", started, bare),
    ]


def in_process(dataset: Path) -> list[tuple[str, float, float]]:
    """(what, milliseconds, the floor's milliseconds): the engine against a filter and 20 rows out of polars."""
    loaded = load_dataset(dataset)
    library = Library(loaded)
    creatures = loaded.tables["creatures"]
    floor = median_ms(lambda: creatures.filter(creatures["challenge_rating"] >= 1).head(20).to_dicts())
    rows = [
        (f"{what} / polars filter and 20 rows", median_ms(lambda r=request: library.find(r)), floor)  # type: ignore[misc]
        for what, request in REQUESTS.items()
    ]
    library.close()
    return rows


def main() -> None:
    """Measure and print."""
    dataset = Path(sys.argv[1] if len(sys.argv) > 1 else "out/demo")
    if not dataset.is_dir():
        sys.exit(f"{dataset} is not a dataset: run `make demo` first, or name one")
    table = Table("what / floor", "ms", "floor ms", "ratio", title=f"medians, {dataset.name}")
    for what, measured, floor in (*in_process(dataset), *asyncio.run(over_mcp(dataset))):
        table.add_row(what, f"{measured:.2f}", f"{floor:.2f}", f"{measured / floor:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
