"""Single calls on stdio, each compared with a floor that gives the same answer."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.processes import FLOOR, StdioServer, ours
from benchmarks.speed.results import Row, median_row
from benchmarks.speed.workload import STRUCTURED, Call, texts
from server.dataset.files import ENCODER_FOLDER
from server.dataset.index.query_model import QueryModel

CALL_TARGET = 1.5
ENCODER_SHARE = 1.2
"""Factor of the encoder's own time in the target of a semantic call."""


def structured(dataset: Path, repetitions: int) -> list[Row]:
    """The rows for calls that need no encoder."""
    calls = list(STRUCTURED.values())
    with StdioServer(ours(dataset)) as server, tempfile.TemporaryDirectory() as folder:
        server.hello()
        answers = [server.call(*call)[1] for call in calls]
        with StdioServer((*FLOOR, str(answers_file(answers, Path(folder))))) as floor:
            floor.hello()
            return [
                _row(what, taking_turns(server, floor, [(number, call)] * repetitions))
                for number, (what, call) in enumerate(STRUCTURED.items())
            ]


def semantic(dataset: Path, repetitions: int) -> list[Row]:
    """The rows for semantic calls: every text is new, and the encoder alone is also timed on it."""
    chosen = (texts() * (repetitions // len(texts()) + 1))[:repetitions]
    calls: list[Call] = [("search_all", {"query": text, "limit": 5}) for text in chosen]
    with StdioServer(ours(dataset)) as server:
        server.hello()
        answers = [server.call(*call)[1] for call in calls]
    model = QueryModel(dataset / ENCODER_FOLDER)
    with StdioServer(ours(dataset)) as server, tempfile.TemporaryDirectory() as folder:
        server.hello()
        server.call("search_all", {"query": "to warm up"})
        with StdioServer((*FLOOR, str(answers_file(answers, Path(folder))))) as floor:
            floor.hello()
            measured, bare, encoding = [], [], []
            for number, call in enumerate(calls):
                (one,), (other,) = taking_turns(server, floor, [(number, call)], warm=False)
                measured.append(one)
                bare.append(other)
                start = time.perf_counter()
                model.encode(chosen[number])
                encoding.append(time.perf_counter() - start)
    share = statistics.median(encoding)
    allowed = CALL_TARGET + ENCODER_SHARE * share / statistics.median(bare)
    row = median_row("semantic call, stdio", measured, bare, allowed)
    alone = Row("the encoder alone on that text", 1000 * share, "ms")
    return [row, alone]


def taking_turns(
    server: StdioServer, floor: StdioServer, calls: Sequence[tuple[int, Call]], *, warm: bool = True
) -> tuple[list[float], list[float]]:
    """The seconds of our calls, and of the floor's answers with their numbers, after one of each to warm up."""
    measured, bare = [], []
    for place, (number, call) in enumerate([*calls[:1], *calls] if warm else calls):
        seconds, _ = server.call(*call)
        other, _ = floor.call("answer", {"number": number})
        if place or not warm:
            measured.append(seconds)
            bare.append(other)
    return measured, bare


def answers_file(answers: Sequence[dict[str, Any]], folder: Path) -> Path:
    """Write a file with the answers that the floor must give."""
    file = folder / "answers.json"
    file.write_text(json.dumps(answers), encoding="utf-8")
    return file


def _row(what: str, series: tuple[list[float], list[float]]) -> Row:
    return median_row(f"structured call, stdio: {what}", *series, CALL_TARGET)
