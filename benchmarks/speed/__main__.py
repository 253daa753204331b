"""What the server costs, as ratios to a floor measured in the same run (machines are noisy, ratios less so).

python -m benchmarks.speed DATASET     # Linux; minutes; --help lists what can be left out or added
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.speed.builds import builds
from benchmarks.speed.calls import semantic, structured
from benchmarks.speed.http_load import http
from benchmarks.speed.installed import installed_size
from benchmarks.speed.memory import memory
from benchmarks.speed.results import Row, as_markdown, write
from benchmarks.speed.starts import starts
from server.dataset.manifest import read_manifest

SECTIONS: Final = ("starts", "calls", "http", "memory")


def main() -> None:
    """Measure, print and write."""
    chosen = _parser().parse_args()
    if not chosen.dataset.is_dir():
        sys.exit(f"{chosen.dataset} is not a dataset: run `make demo` first, or name one")
    # The servers must run this code, and compile it at most once.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    conditions = {
        "measured": datetime.now(UTC).isoformat(timespec="minutes"),
        "dataset": f"{read_manifest(chosen.dataset)['dataset_version']} in {chosen.dataset.name}",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "load before and after": f"{os.getloadavg()[0]:.1f}",
    }
    rows: list[Row] = []
    for measure in _sections(chosen):
        rows += measure()
        print(as_markdown(rows), flush=True)
    conditions["load before and after"] += f", {os.getloadavg()[0]:.1f}"
    write(rows, conditions, chosen.out)
    print(f"written to {chosen.out}/bench.md and bench.json")


def _sections(chosen: argparse.Namespace) -> list[Callable[[], list[Row]]]:
    dataset = chosen.dataset
    sections: dict[str, list[Callable[[], list[Row]]]] = {
        "starts": [partial(starts, dataset, chosen.starts)],
        "calls": [partial(structured, dataset, chosen.calls), partial(semantic, dataset, chosen.calls)],
        "http": [partial(http, dataset, chosen.http_seconds)],
        "memory": [partial(memory, dataset, chosen.memory_calls)],
    }
    measures = [measure for name in SECTIONS if name in chosen.only for measure in sections[name]]
    if chosen.installed_size:
        measures.append(installed_size)
    return measures + ([partial(builds, chosen.snapshot)] if chosen.snapshot else [])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.partition("\n")[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    parser.add_argument("--only", nargs="*", choices=SECTIONS, default=SECTIONS, help="measure only these")
    parser.add_argument("--starts", type=int, default=15)
    parser.add_argument("--calls", type=int, default=60, help="calls of each kind")
    parser.add_argument("--http-seconds", type=float, default=5, help="seconds of each of three turns")
    parser.add_argument("--memory-calls", type=int, default=20_000)
    parser.add_argument("--installed-size", action="store_true", help="install only the server; needs a package index")
    parser.add_argument("--snapshot", type=Path, help="build from it, and again after a change; takes long")
    return parser


if __name__ == "__main__":
    main()
