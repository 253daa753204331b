"""Mutated OrcBrew inputs: whatever is read, no exception is raised."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from benchmarks.orcbrew import STARTER, fuzz
from benchmarks.reliability.outcome import Row, say

AT_ONCE: Final = 2
_CHUNK: Final = 5_000


def run(inputs: int, seed: int) -> Row:
    """Read a number of mutated inputs, down to drafts."""
    row = Row("mutated OrcBrew inputs, read down to drafts", inputs, "nothing was raised")
    chunks = [min(_CHUNK, inputs - start) for start in range(0, inputs, _CHUNK)]
    with ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn")) as pool:
        tried = [pool.submit(_read, count, seed * 1_000 + number) for number, count in enumerate(chunks)]
        for number, each in enumerate(tried, 1):
            row.wrong += each.result()
            if number % 4 == 0:
                say(f"orcbrew: {sum(chunks[:number]):,} inputs")
    return row


def _read(count: int, seed: int) -> list[str]:
    try:
        fuzz([STARTER.read_bytes()], count, random.Random(seed))  # noqa: S311 - nothing secret
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        return [f"{type(error).__name__}: {error} (the input is in fuzz-failure.orcbrew)"]
    return []
