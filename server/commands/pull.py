"""`lorekeeper pull`: fetch a dataset and take it into use."""

from __future__ import annotations

import json as json_module
import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from server.commands.options import Json, ListingOption
from server.settings import SettingsError, dataset_listing
from server.store import pull as pulling
from server.store.home import Home


def pull(
    version: Annotated[str | None, Parameter(help="Such as 2026.11.20; the newest that this server reads.")] = None,
    /,
    *,
    archive: Annotated[
        Path | None, Parameter(name="--from", help="Take it from this archive; nothing is fetched.")
    ] = None,
    url: ListingOption = None,
    quiet: Annotated[bool, Parameter(negative="", help="Show no progress.")] = False,
    json: Json = False,
) -> int:
    """Fetch a dataset, check it, and take it into use; what is in use stays till then. Running HTTP servers follow."""
    if archive is not None and version:
        msg = f"--from takes the version that the archive holds; leave out {version!r}"
        raise SettingsError(msg)
    home = Home.of(os.environ)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    with _progress(console, shown=sys.stderr.isatty() and not quiet) as progress:
        watcher = _watcher(progress)
        if archive is None:
            pulled = pulling.pull(home, version, dataset_listing(url), watcher)
        else:
            pulled = pulling.pull_file(home, archive, watcher)
    if json:
        said = {"version": pulled.version, "path": str(pulled.folder), "notes": pulled.notes}
        print(json_module.dumps(said, indent=2))  # noqa: T201 - the output itself
        return 0
    for note in pulled.notes:
        console.print(note)
    print(f"the dataset {pulled.version} is in use: {pulled.folder}")  # noqa: T201
    return 0


def _progress(console: Console, *, shown: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not shown,
        transient=True,
    )


def _watcher(progress: Progress) -> pulling.Watcher:
    task = progress.add_task("", total=None)

    def say(what: str) -> None:
        progress.reset(task, description=what, total=None)

    def report(done: int, total: int) -> None:
        progress.update(task, completed=done, total=total)

    return pulling.Watcher(say, report)
