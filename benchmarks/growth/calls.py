"""What a library costs: its loading, its memory, and calls of each kind."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from os import getpid
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.speed.processes import resident
from benchmarks.speed.workload import texts
from server.commands.opening import open_settled
from server.dataset.load import load_dataset
from server.library.library import Library
from server.library.requests.request import Request

CALLS: Final = 50
"""Measured calls of each kind, after three to warm up."""
_WARM_UP: Final = 3
_PATIENCE: Final = 60.0
_FAMILIES: Final = ("spell", "creature", "equipment", "rule")
_TYPES: Final = ("spell", "creature", "magic-item", "rule")
_TABLES: Final = ("undead", "dragon", "beast", "fiend", "humanoid", "construct")
"""Types of creatures to filter by."""


def measure(dataset: Path, seed: int = 0) -> dict[str, float]:
    """Calls by kind and loading in CPU time, and memory, which is the whole process's: run it in a separate one."""
    start = time.process_time()
    library = open_settled(lambda: Library(load_dataset(dataset), encode_timeout=_PATIENCE))
    found = {"entities": float(library.size), "load s": time.process_time() - start}
    found["memory MB"] = resident(getpid())[0]
    chance = random.Random(seed)  # noqa: S311 - chance, not secrecy
    for kind, requests in _kinds(library, chance).items():
        p50, p95 = np.percentile([_milliseconds(library, request) for request in requests][_WARM_UP:], [50, 95])
        found |= {f"{kind}, p50 ms": float(p50), f"{kind}, p95 ms": float(p95)}
    found["memory after calls MB"] = resident(getpid())[0]
    library.close()
    return found


def _milliseconds(library: Library, request: Request) -> float:
    # CPU time is the cost of a call on an idle machine, and hardly higher on a busy one.
    start = time.process_time()
    library.find(request)
    return 1000 * (time.process_time() - start)


def _kinds(library: Library, chance: random.Random) -> dict[str, Sequence[Request]]:
    """The calls of each kind."""
    names = {family: library.names_of(its_type) for family, its_type in zip(_FAMILIES, _TYPES, strict=True)}
    asked = chance.sample(texts(), CALLS + _WARM_UP)
    rated = [chance.choice([0.25, 0.5, *range(1, 20)]) for _ in asked]
    kinds = [chance.choice(_TABLES) for _ in asked]

    def named(change: Callable[[str], str]) -> Iterator[Request]:
        for _ in asked:
            family = chance.choice(_FAMILIES)
            yield Request(family, name=change(chance.choice(names[family])), detail="summary")

    filters: list[dict[str, Any]] = [{"type": t, "cr_min": r} for t, r in zip(kinds, rated, strict=True)]
    return {
        "look-up": list(named(str)),
        "misspelt look-up": list(named(lambda name: _misspelt(name, chance))),
        "filtered list": [Request("creature", filters=given, detail="summary") for given in filters],
        "search": [Request("all", search=text, detail="summary") for text in asked],
        "filtered search": [
            Request("creature", search=text, filters=given, detail="summary")
            for text, given in zip(asked[::-1], filters, strict=True)
        ],
    }


def _misspelt(name: str, chance: random.Random) -> str:
    """A name with a letter replaced by one that no name has there."""
    place = chance.randrange(len(name))
    return name[:place] + chance.choice("qxzj") + name[place + 1 :]
