"""Snapshots and builds killed at random moments and started again: they end in the same bytes as undisturbed ones."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.reliability.apis import api_objects, serve_as_apis
from benchmarks.reliability.origin import Origin, serve
from benchmarks.reliability.outcome import Row, say
from build_pipeline.snapshot.swap import finish_swap

AT_ONCE: Final = 2
_LOCKS: Final = ".lock"


@dataclass(frozen=True)
class Work:
    """Something that can be killed.

    Attributes:
        what: its name for the reader.
        command: (folder to write, folder of its cache) → the command.
        cache: fills the cache of a trial before it begins.
    """

    what: str
    command: Callable[[Path, Path], Sequence[str]]
    cache: Callable[[Path, int], None] = lambda _folder, _trial: None


def snapshots(source: Path, work: Path, kills: int, seed: int) -> Row:
    """Kill snapshots of a server that serves the raw layer `source` in the form of the APIs."""
    origin = Origin()
    serve_as_apis(origin, api_objects(source))
    server = serve(origin)
    module = "benchmarks.reliability.taking"
    try:
        command = lambda out, cache: [sys.executable, "-m", module, origin.url, str(source), str(out), str(cache)]  # noqa: E731
        return _kill(Work(f"snapshot of {source.name} killed", command), work, kills, seed)
    finally:
        server.shutdown()
        server.server_close()


def builds(source: Path, work: Path, kills: int, seed: int) -> Row:
    """Kill builds of the snapshot `source`; every second one finds the vectors of an earlier build."""
    whole = work / "whole-cache"

    def command(out: Path, cache: Path) -> list[str]:
        options = [f"--snapshot={source}", f"--out={out}", f"--cache-dir={cache}", "--chunks=1", "--quiet"]
        books = [f"--orcbrew={book}" for book in sorted(source.glob("*.orcbrew"))]
        return [sys.executable, "-m", "build_pipeline.cli", "build", *options, *books]

    def cache(folder: Path, trial: int) -> None:
        folder.mkdir(parents=True)
        (folder / "encoders").symlink_to((whole / "encoders").resolve())
        if trial % 2:
            shutil.copy(whole / "vectors.sqlite", folder)

    return _kill(Work(f"build of {source.name} killed", command, cache), work, kills, seed)


def _kill(work: Work, folder: Path, kills: int, seed: int) -> Row:
    """Kill the work repeatedly, each time at another moment, and start it again."""
    folder.mkdir(parents=True, exist_ok=True)
    whole, cache = folder / "whole", folder / "whole-cache"
    _run(work.command(whole, cache))
    shutil.rmtree(folder / "again", ignore_errors=True)
    start = time.monotonic()
    fresh = folder / "fresh-cache"
    work.cache(fresh, 0)
    _run(work.command(folder / "again", fresh))
    seconds, wanted = time.monotonic() - start, contents(whole)
    row = Row(f"{work.what} (SIGKILL) at a random moment and started again", kills)
    if contents(folder / "again") != wanted:
        row.wrong.append("two undisturbed runs differ")
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    moments = [rng.random() for _ in range(kills)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        trials = [
            pool.submit(_trial, work, folder, number, moment * seconds, wanted) for number, moment in enumerate(moments)
        ]
        found = [trial.result() for trial in trials]
    row.wrong += [complaint for complaint, _ in found if complaint]
    late = sum(finished for _, finished in found)
    row.outcome = f"{kills - len(row.wrong)} of {kills} ended in the bytes of a run left alone, an earlier one intact"
    row.outcome += f"; {late} had ended before the kill" if late else ""
    return row


def _trial(work: Work, folder: Path, number: int, moment: float, wanted: dict[str, str]) -> tuple[str, bool]:
    """What was wrong, if anything, and whether it had ended before the kill. Every third replaces an earlier result."""
    place = folder / str(number)
    out, cache = place / "out", place / "cache"
    place.mkdir()
    work.cache(cache, number)
    if number % 3 == 0:
        shutil.copytree(folder / "whole", out)
    earlier = contents(out)
    finished = _run(work.command(out, cache), kill_after=moment)
    finish_swap(out)  # as every reader of a snapshot does first
    found = contents(out)
    at = f"{work.what} after {moment:.2f} s"
    if not finished and found not in (earlier, wanted):
        return f"{at}: neither the earlier nor the whole result is there", finished
    _run(work.command(out, cache))
    if contents(out) != wanted:
        return f"{at}: started again, it ends in other bytes", finished
    left = {path.name for path in place.iterdir()} - {"out", "cache"}
    if left := {name for name in left if not name.endswith(_LOCKS)}:
        return f"{at}: leaves {', '.join(sorted(left))}", finished
    shutil.rmtree(place)
    say(f"{at}: the same bytes")
    return "", finished


def _run(command: Sequence[str], *, kill_after: float | None = None) -> bool:
    """Run a command to its end or until it is killed; returns whether it ended by itself.

    Raises:
        RuntimeError: it failed; the message has its last output.
    """
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        with suppress(subprocess.TimeoutExpired):
            _, said = process.communicate(timeout=kill_after)
        if process.returncode is None:
            process.kill()
            process.communicate()
            return False
        if process.returncode:
            msg = f"{' '.join(command)} exited with {process.returncode}: {said.strip()[-500:]}"
            raise RuntimeError(msg)
    return True


def contents(folder: Path) -> dict[str, str]:
    """The files of a folder, except for locks, and their hashes."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(_LOCKS))
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
