"""`lorekeeper-build all`: from nothing to a dataset in use."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final

import stamina.instrumentation
from cyclopts import App, Parameter

from build_pipeline.commands.build import summary
from build_pipeline.commands.caches import CacheDir, cache_root
from build_pipeline.commands.progress import Stages
from build_pipeline.commands.snapshot import BaseUrls, SourceBars, list_problems, web_sources
from build_pipeline.commands.terminal import CommandError, Flag
from build_pipeline.index.engine_names import EngineName, find_engine
from build_pipeline.index.models import DEFAULT_MODEL
from build_pipeline.pipeline import build_dataset
from build_pipeline.snapshot.accounts import read_info
from build_pipeline.snapshot.crawl import SnapshotRequest, StrictError
from build_pipeline.snapshot.crawl import snapshot as take_snapshot
from build_pipeline.snapshot.orcbrew.homebrew import read_homebrew
from build_pipeline.snapshot.raw import SNAPSHOT_FILE
from build_pipeline.snapshot.swap import finish_swap
from build_pipeline.snapshot.web.http import CACHE_TTL, Manners
from build_pipeline.snapshot.web.origin import Origin
from server.dataset.manifest import Manifest
from server.dataset.terminal import write

_BYTES: Final = 700_000_000
"""Disk space for the caches, snapshot, dataset and its copy in use: measured one by one, they add up to 0.6 GB."""
_NEEDS: Final = (
    "Needs about 12 minutes of two idle cores, some minutes for 3,300 polite requests, and {size:.1f} GB of disk, most "
    "of it in {place}. Stopped and started again, it continues where it was.\n"
)

app: Final = App(
    name="all",
    help_epilogue=(
        "Exit codes: 0 the dataset is in use, 1 it is not (the reason is on stderr; what was fetched and computed is "
        "kept for the next try), 2 wrong usage."
    ),
)


@app.default
def make_all(
    *,
    orcbrew: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative="", show_default=False)] = (),
    out: Path | None = None,
    urls: Annotated[BaseUrls, Parameter(name="*")] = BaseUrls(),  # type: ignore[valid-type]  # noqa: B008
    srd_dir: Path | None = None,
    model: str = DEFAULT_MODEL,
    incomplete: Flag = False,
    cache_dir: CacheDir = None,
    engine: EngineName = "local",
    quiet: Flag = False,
) -> int:
    """Make the full dataset and start using it: snapshot, build, check, in one go.

    `lorekeeper serve` then serves it without any options.

    Parameters
    ----------
    orcbrew
        Homebrew files to add: .orcbrew files, folders or globs.
    out
        Also keep the built dataset in this folder; an earlier dataset there is replaced.
    srd_dir
        Folder to read the books' files from instead of fetching them: repositories as OWNER/NAME/COMMIT/…
    model
        Sentence encoder: a folder, or the name of a model in a package or on the model hub.
    incomplete
        Continue even if something could not be fetched.
    cache_dir
        Folder for what is fetched and computed. Default: LOREKEEPER_CACHE, or the user's cache folder.
    engine
        What computes the vectors: `local`, the cores of this machine; `ray`, the workers of the Ray cluster that
        RAY_ADDRESS names, or of one started here. The dataset is the same.
    quiet
        No progress and no summary, only problems.
    """
    stamina.instrumentation.set_on_retry_hooks([])
    root = cache_dir or cache_root()
    work = root / "all"
    origins = web_sources(urls, srd_dir)
    _tell(quiet, _NEEDS.format(place=root, size=_BYTES / 1e9))
    find_engine(engine)  # fails now rather than after the snapshot
    read_homebrew(orcbrew)
    if taken_at := _left(work / "snapshot", origins, incomplete=incomplete):
        _tell(quiet, f"Continues with the snapshot of {taken_at}.\n")
    else:
        _check_room(root)
        _snapshot(work / "snapshot", origins, root / "http", strict=not incomplete, quiet=quiet)
    target = out or work / "dataset"
    with Stages(quiet=quiet) as bars:
        manifest = build_dataset(
            work / "snapshot",
            target,
            orcbrew=orcbrew,
            model=model,
            previous=_same_day(work / "snapshot"),
            cache=root / "build",
            engine=engine,
            progress=bars.show,
        )
    _tell(quiet, summary(target, manifest) + _checks(target, manifest))
    _tell(quiet, _lorekeeper("pull", "--from", str(target), "--quiet"))
    shutil.rmtree(work)
    return 0


def _left(snapshot: Path, origins: Iterable[Origin], *, incomplete: bool) -> str | None:
    """The time of a snapshot that an earlier run left, if it can be used, so that no network is needed.

    It can be used if it has the same sources, is no older than a cached page may be, and is complete or need not be.
    """
    finish_swap(snapshot)
    try:
        info = read_info(snapshot / SNAPSHOT_FILE)
    except (FileNotFoundError, ValueError):  # none, or one that is damaged and about to be replaced
        return None
    taken_at = str(info["snapshot_at"])
    age = time.time() - datetime.fromisoformat(taken_at).timestamp()
    of = {row["source"]: row.get("base_url") for row in info.get("sources", ())}
    whole = incomplete or not info.get("problems")
    same = of == {origin.name: origin.base_url for origin in origins}
    return taken_at if same and whole and age < CACHE_TTL else None


def _check_room(root: Path) -> None:
    there = next(folder for folder in (root.absolute(), *root.absolute().parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if free < _BYTES:
        msg = (
            f"{root} has {free / 1e9:.1f} GB free, and {_BYTES / 1e9:.1f} GB are needed; name another with --cache-dir"
        )
        raise CommandError(msg)


def _snapshot(folder: Path, origins: list[Origin], cache: Path, *, strict: bool, quiet: bool) -> None:
    with SourceBars(origins, quiet=quiet) as bars:
        try:
            taken = take_snapshot(SnapshotRequest(folder, origins, strict=strict), cache, Manners(), bars)
        except StrictError as error:
            bars.stop()
            list_problems(error.problems)
            msg = (
                f"{len(error.problems)} problem(s) with what the sources sent; what was received is kept: try again "
                "later, or continue without the rest with --incomplete"
            )
            raise CommandError(msg) from error
    list_problems(taken.problems)


def _same_day(snapshot: Path) -> Path | None:
    """The newest dataset on this machine from the snapshot's day: the new one gets the next version after it."""
    day = str(read_info(snapshot / SNAPSHOT_FILE)["snapshot_at"])[:10].replace("-", ".")
    rows: list[Mapping[str, Any]] = json.loads(_lorekeeper("datasets", "--json"))
    return next((Path(row["where"]) for row in rows if str(row["version"]).startswith(day)), None)


def _checks(target: Path, manifest: Manifest) -> str:
    broken = sum(int(row["broken"]) for row in manifest.get("checks", []))
    return f"  {broken:,} facts break a rule: lorekeeper-build check {target}\n" if broken else ""


def _lorekeeper(*arguments: str) -> str:
    """The output of a command of the server, which alone knows where datasets are kept.

    Raises:
        CommandError: it failed.
    """
    command = [sys.executable, "-c", "from server.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - no shell, our own program
    if done.returncode:
        raise CommandError(done.stderr.removeprefix("lorekeeper: "))
    return done.stdout


def _tell(quiet: bool, text: str) -> None:  # noqa: FBT001
    if not quiet:
        write(text)
        sys.stdout.flush()
