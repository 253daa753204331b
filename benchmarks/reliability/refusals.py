"""Tries every damage on a copy of a dataset: `serve` refuses it, and both `serve` and `verify` name what is wrong."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.reliability.damages import MANIFESTS, SIGNED, UNSIGNED, Write, sign
from benchmarks.reliability.outcome import Row, say
from server.dataset.files import REQUIRED_FILES
from server.dataset.manifest import MANIFEST_FILE

AT_ONCE: Final = 2
SECONDS: Final = 120
_COMMAND: Final = (sys.executable, "-c", "from server.cli import main; main()")
_REMEDY: Final = re.compile(r"again|lorekeeper pull|upgrade|name the folder")


@dataclass(frozen=True)
class Damage:
    """A damage to a file, and whether the manifest is made to fit."""

    what: str
    file: str
    write: Write
    signed: bool


def run(dataset: Path, work: Path, seed: int) -> list[Row]:
    """Try every damage on copies of a dataset; the copies are removed afterwards.

    Args:
        dataset: its folder.
        work: a folder for the copies.
        seed: seed for the choice of how each file is damaged if hashes find it.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    return [
        _row("files of a dataset missing, cut, flipped, foreign or empty", dataset, work, _unsigned(rng)),
        _row("contents of a dataset damaged, its hashes made to fit", dataset, work, _signed()),
        _row("manifests of another kind", dataset, work, _manifests()),
    ]


def _unsigned(rng: random.Random) -> Iterator[Damage]:
    for file in REQUIRED_FILES:
        what = rng.choice(list(UNSIGNED))
        yield Damage(f"{file} {what}", file, UNSIGNED[what], signed=False)


def _signed() -> Iterator[Damage]:
    for what, (file, write) in SIGNED.items():
        yield Damage(f"{what} in {file}", file, write, signed=True)


def _manifests() -> Iterator[Damage]:
    for what, write in MANIFESTS.items():
        yield Damage(f"{MANIFEST_FILE}: {what}", MANIFEST_FILE, write, signed=False)


def _row(what: str, dataset: Path, work: Path, damages: Iterator[Damage]) -> Row:
    row = Row(what, outcome="`serve` refuses at start in one line with file and remedy; `verify` names the same file")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tried = [(damage, pool.submit(_try, dataset, work / f"{n}", damage)) for n, damage in enumerate(damages)]
        for damage, trial in tried:
            row.tries += 1
            if complaint := trial.result():
                row.wrong.append(f"{damage.what}: {complaint}")
    say(f"damages: {what}, {row.tries} tries")
    return row


def _try(dataset: Path, folder: Path, damage: Damage) -> str | None:
    """What was wrong with the refusals of a damaged copy, if anything."""
    copy(dataset, folder, damage.file)
    damage.write(folder / damage.file)
    if damage.signed:
        sign(folder, damage.file)
    try:
        return _by_serve(folder, damage.file) or _by_verify(folder, damage.file)
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    finally:
        shutil.rmtree(folder)


def _by_serve(folder: Path, file: str) -> str | None:
    code, told = _ask("serve", "--dataset", str(folder))
    if code != 1 or len(told) != 1:
        return f"serve exits with {code} and says {told[-1:] or 'nothing'}"
    if not _REMEDY.search(told[0]):
        return f"serve names no remedy: {told[0]}"
    return None if _names(file, told[0]) else f"serve names another file: {told[0]}"


def _by_verify(folder: Path, file: str) -> str | None:
    code, told = _ask("verify", str(folder))
    if code == 1 and any(_names(file, line) for line in told):
        return None
    return f"verify exits with {code} and says {told[-1:] or 'nothing'}"


def _names(file: str, line: str) -> bool:
    """Whether a line names a file, or its folder, as the files of a folder belong together."""
    return file in line or (file.rpartition("/")[0] or file) in line


def _ask(*arguments: str) -> tuple[int, list[str]]:
    """Run the server's command line with empty stdin; returns its exit status and the lines it wrote to stderr."""
    command = [*_COMMAND, *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SECONDS)
    return done.returncode, done.stderr.decode(errors="replace").splitlines()


def copy(dataset: Path, folder: Path, damaged: str) -> None:
    """Copy the files of a dataset that a server reads: as hard links, except for those that will be written."""
    for path in dataset.rglob("*"):
        name = path.relative_to(dataset).as_posix()
        if path.is_dir() or name.startswith("raw/"):
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in (damaged, MANIFEST_FILE):
            shutil.copy(path, target)
        else:
            os.link(path, target)
