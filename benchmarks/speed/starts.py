"""The time from the start of a process to its first answers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmarks.speed.processes import FLOOR, StdioServer, ours
from benchmarks.speed.results import Row, median_row

SEMANTIC: Final = ("search_all", {"query": "protect from fire", "limit": 5})


def starts(dataset: Path, repetitions: int) -> list[Row]:
    """The rows for starts; the floor and our server take turns."""
    floor, greeted, answered = [], [], []
    for _ in range(repetitions):
        with StdioServer(FLOOR) as server:
            server.hello()
            floor.append(server.age())
        with StdioServer(ours(dataset)) as server:
            server.hello()
            greeted.append(server.age())
            server.call(*SEMANTIC)
            answered.append(server.age())
    return [
        median_row("process start to `initialize` answered, stdio", greeted, floor, 1.5),
        median_row("process start to first semantic answer", answered, floor, 2.5),
    ]
