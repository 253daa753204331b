"""How latency, memory, loading and building grow with a dataset, from synthetic growth of a real one.

python -m benchmarks.growth DATASET     # Linux; minutes, and gigabytes in memory and on disk for the larger sizes
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import polars as pl

from benchmarks.growth import calls, indexes
from benchmarks.growth.dataset import grow
from benchmarks.growth.results import as_index_table, as_table, write
from server.dataset.files import VECTORS_FILE
from server.dataset.manifest import read_manifest

P = ParamSpec("P")
T = TypeVar("T")

_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")


def main() -> None:
    """Grow, measure, print and write."""
    chosen = _parser().parse_args()
    if not chosen.dataset.is_dir():
        sys.exit(f"{chosen.dataset} is not a dataset: run `make demo` first, or name one")
    # CPU time is the cost of a call only if no thread spins while it waits for another.
    os.environ |= dict.fromkeys(_ONE_THREAD, "1")
    sizes, conditions = [], _conditions(chosen.dataset)
    for scale in sorted(chosen.scale):
        few = _passages(chosen.dataset, scale, chosen.most_passages)
        if few:
            conditions[f"at {scale}"] = f"one passage an entity, as more than {chosen.most_passages:,} were left out"
        sizes.append(_at(chosen.dataset, scale, few, chosen.out / f"{scale}"))
        print(as_table(sizes), flush=True)
    found = [_alone(indexes.measure, chosen.dataset, scale) for scale in sorted(chosen.indexes)]
    if found:
        print(as_index_table(found), flush=True)
    write(sizes, found, conditions, chosen.out)
    print(f"written to {chosen.out}: growth.md, growth.json, growth.svg")


def _at(dataset: Path, scale: int, passages: int | None, folder: Path) -> dict[str, float]:
    """The costs at one size."""
    built = _alone(grow, dataset, folder, scale, passages)
    try:
        return _alone(calls.measure, folder) | {"build of the index s": built}
    finally:
        shutil.rmtree(folder)


def _passages(dataset: Path, scale: int, most: int) -> int | None:
    """How many passages each entity may keep so that there are not too many; None for all."""
    real = pl.scan_parquet(dataset / VECTORS_FILE).select(pl.len()).collect().item()
    return 1 if real * scale > most else None


def _alone(measure: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """The result of a function in a separate process, so that the process's memory is the function's."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, *args, **named).result()


def _conditions(dataset: Path) -> dict[str, Any]:
    return {
        "measured": datetime.now(UTC).isoformat(timespec="minutes"),
        "dataset": f"{read_manifest(dataset)['dataset_version']} in {dataset.name}",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "times": "CPU time, one thread",
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__.partition("\n")[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--scale", type=int, nargs="+", default=[1, 10], help="times its size (default: 1 10)")
    parser.add_argument("--indexes", type=int, nargs="*", default=[], help="compare kinds of indices at these sizes")
    parser.add_argument("--most-passages", type=int, default=2_000_000, help="above, an entity keeps one (memory)")
    parser.add_argument("--out", type=Path, default=Path("out/growth"))
    return parser


if __name__ == "__main__":
    main()
