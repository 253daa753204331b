"""The command line of the trials."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.hostile_queries.attack import attack
from benchmarks.reliability import abuse, faults, generated, homebrew, kills, page, refusals, soak
from benchmarks.reliability.outcome import Row, say, say_row

STARTER: Final = Path(__file__).parents[2] / "data" / "starter"


def _faults(options: argparse.Namespace, work: Path) -> list[Row]:
    return [faults.run(options.snapshot, work, options.seed)]


def _kills(options: argparse.Namespace, work: Path) -> list[Row]:
    half = options.kills // 2
    return [
        kills.snapshots(options.snapshot, work / "snapshot", half, options.seed),
        kills.builds(options.snapshot, work / "build", options.kills - half, options.seed),
    ]


def _damages(options: argparse.Namespace, work: Path) -> list[Row]:
    return refusals.run(options.dataset, work, options.seed)


def _abuse(options: argparse.Namespace, work: Path) -> list[Row]:
    return abuse.run(options.dataset, work)


def _calls(options: argparse.Namespace, _: Path) -> list[Row]:
    return [generated.run(options.dataset, options.calls, options.seed)]


def _sql(options: argparse.Namespace, _: Path) -> list[Row]:
    found = asyncio.run(attack(options.dataset))
    outcome = (
        f"{found.refused} refused, {found.answered} answered, the slowest in {found.slowest:.2f} s; "
        f"look-ups beside were {abs(found.held_up) * 1000:.0f} ms {'slower' if found.held_up > 0 else 'quicker'}"
    )
    return [Row("hostile SQL", found.refused + found.answered, outcome, found.gave_way)]


def _orcbrew(options: argparse.Namespace, _: Path) -> list[Row]:
    return [homebrew.run(options.orcbrew, options.seed)]


def _soak(options: argparse.Namespace, work: Path) -> list[Row]:
    return soak.run(options.dataset, work, seconds=options.soak, clients=options.clients, seed=options.seed)


PARTS: Final[dict[str, Callable[[argparse.Namespace, Path], list[Row]]]] = {
    "faults": _faults,
    "kills": _kills,
    "damages": _damages,
    "abuse": _abuse,
    "calls": _calls,
    "sql": _sql,
    "orcbrew": _orcbrew,
    "soak": _soak,
}


def main() -> None:
    """Run the parts one after the other; exit status 1 if anything gave way."""
    options = _options()
    gave_way = 0
    for part in options.parts or PARTS:
        say(f"{part} …")
        work = options.work / part
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        start = time.monotonic()
        rows = PARTS[part](options, work)
        shutil.rmtree(work)
        for row in rows:
            say_row(row)
            gave_way += len(row.wrong)
        about = {
            "date": datetime.now(UTC).date().isoformat(),
            "dataset": _what(options, part),
            "seconds": time.monotonic() - start,
        }
        page.record(options.page, part, about, rows)
    sys.exit(1 if gave_way else 0)


def _what(options: argparse.Namespace, part: str) -> str:
    """The input that a part was tried on."""
    if part in ("faults", "kills"):
        return f"snapshot {options.snapshot.name}"
    if part == "orcbrew":
        return "the starter's book"
    manifest = json.loads((options.dataset / "manifest.json").read_bytes())
    return f"dataset {manifest['dataset_version']} of {manifest['counts']['entities']:,} entities"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reliability", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is given")
    parser.add_argument("--dataset", type=Path, default=Path("out/dataset"), help="dataset to damage, call and soak")
    parser.add_argument("--snapshot", type=Path, default=STARTER, help="snapshot to serve with faults, and to kill")
    parser.add_argument("--kills", type=int, default=30, help="number of kills: half of snapshots, half of builds")
    parser.add_argument("--calls", type=int, default=2_000, help="generated calls of each tool")
    parser.add_argument("--orcbrew", type=int, default=100_000, help="mutated OrcBrew inputs")
    parser.add_argument("--soak", type=float, default=600, help="seconds of the soak")
    parser.add_argument("--clients", type=int, default=32, help="clients of the soak")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("out/reliability"), help="a folder for the trials")
    parser.add_argument("--page", type=Path, default=page.PAGE, help="the page that gets the table")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return options
