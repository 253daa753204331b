"""`lorekeeper pull`: fetch a dataset and take it into use."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import stamina.instrumentation
from cyclopts import Parameter
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from stamina.instrumentation import RetryDetails

from server.commands.options import Json, ListingOption
from server.dataset.terminal import Terminal, lines_console, write, write_json
from server.settings import SettingsError, dataset_listing
from server.store import pull as pulling
from server.store.home import Home


def pull(
    version: Annotated[str | None, Parameter(help="E.g. 2026.11.20. Default: the newest readable one.")] = None,
    /,
    *,
    archive: Annotated[
        Path | None, Parameter(name="--from", help="Install this archive or dataset folder instead of fetching one.")
    ] = None,
    url: ListingOption = None,
    quiet: Annotated[bool, Parameter(negative="", help="Show no progress.")] = False,
    json: Json = False,
) -> int:
    """Fetch a dataset, check it and take it into use. Running HTTP servers switch to it."""
    if archive is not None and version:
        msg = f"--from installs the version in the archive or folder; leave out {version!r}"
        raise SettingsError(msg)
    home = Home.of(os.environ)
    console = lines_console(stderr=True)
    stamina.instrumentation.set_on_retry_hooks([lambda retry: console.print(_retry_notice(retry))])
    with _progress_bar(console, shown=sys.stderr.isatty() and not quiet) as bar:
        progress = _callbacks(bar)
        if archive is None:
            pulled = pulling.pull(home, version, dataset_listing(url), progress)
        elif archive.is_dir():
            pulled = pulling.pull_folder(home, archive, progress)
        else:
            pulled = pulling.pull_file(home, archive, progress)
    if json:
        result = {"version": pulled.version, "path": str(pulled.folder), "notes": pulled.notes}
        write_json(result, indent=2)
        return 0
    for note in pulled.notes:
        console.print(note)
    write(f"the dataset {pulled.version} is in use: {pulled.folder}\n")
    return 0


def _progress_bar(console: Terminal, *, shown: bool) -> Progress:
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


def _callbacks(bar: Progress) -> pulling.PullProgress:
    task = bar.add_task("", total=None)

    def stage(description: str) -> None:
        bar.reset(task, description=description, total=None)

    def transferred(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)

    return pulling.PullProgress(stage, transferred)


def _retry_notice(retry: RetryDetails) -> str:
    return f"{retry.caused_by}; trying again in {retry.wait_for:.0f} s"
