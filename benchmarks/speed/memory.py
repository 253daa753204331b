"""A server's memory after many calls, and whether it grows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmarks.speed.processes import FLOOR, StdioServer, children, ours, resident
from benchmarks.speed.results import Row
from benchmarks.speed.workload import mixed

FIRST: Final = 1_000
MOST_MEGABYTES: Final = 350
MOST_GROWTH: Final = 2
"""Per cent."""


def memory(dataset: Path, calls: int) -> list[Row]:
    """The rows for memory after `FIRST` and after `calls` mixed calls (only the first if `calls` is not larger)."""
    with StdioServer(FLOOR) as floor:
        floor.hello()
        empty, _ = resident(floor.pid)
    with StdioServer(ours(dataset)) as server:
        server.hello()
        for call in mixed(dataset, min(FIRST, calls), seed=2):
            server.call(*call)
        first, own = resident(server.pid)
        queries = sum(resident(child)[0] for child in children(server.pid))
        note = f"{own:.0f} MB its own, the rest files; for `query` {queries:.0f} MB; an empty server {empty:.0f} MB"
        rows = [Row(f"memory after {min(FIRST, calls):,} mixed calls", first, "MB", target=MOST_MEGABYTES, note=note)]
        if calls > FIRST:
            for call in mixed(dataset, calls - FIRST, seed=3):
                server.call(*call)
            last, own = resident(server.pid)
            growth = 100 * (last / first - 1)
            what = f"growth of memory to {calls:,} calls"
            rows.append(Row(what, growth, "%", target=MOST_GROWTH, note=f"{last:.0f} MB, {own:.0f} MB its own"))
        return rows
