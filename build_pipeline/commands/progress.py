"""Progress on stderr: bars on a terminal, otherwise a line every half minute."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Event, Thread
from typing import Final

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from server.dataset.terminal import Terminal, write_error

EVERY: Final = 30.0
"""Seconds between two lines where stderr is not a terminal."""
_WINDOW: Final = 120.0
"""Seconds over which rates are estimated."""


class Bars(Progress):
    """Progress bars; a context manager. A task's field `so_far` is text to show with it, such as "40 pages"."""

    def __init__(self, *columns: ProgressColumn, quiet: bool, every: float = EVERY) -> None:
        """Prepare.

        Args:
            columns: what a bar shows.
            quiet: show nothing at all.
            every: seconds between two lines where stderr is not a terminal.
        """
        console = Terminal(stderr=True)
        shown = console.is_terminal and not quiet
        super().__init__(*columns, console=console, transient=True, disable=not shown, speed_estimate_period=_WINDOW)
        self._every = every
        self._lines = not shown and not quiet
        self._ended = Event()

    def start(self) -> None:
        """Start showing."""
        super().start()
        if self._lines:
            Thread(target=self._tell, name="progress", daemon=True).start()

    def stop(self) -> None:
        """Stop showing."""
        self._ended.set()
        super().stop()

    def _tell(self) -> None:
        while not self._ended.wait(self._every):
            for task in self.tasks:
                if not task.finished:
                    write_error(f"{task.description}: {', '.join(_facts(task))}\n")
                    sys.stderr.flush()


class Stages(Bars):
    """A bar for each stage, one after the other."""

    def __init__(self, *, quiet: bool, every: float = EVERY) -> None:
        """Prepare, as `Bars`."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate())
        super().__init__(*columns, TimeElapsedColumn(), TimeRemainingColumn(), quiet=quiet, every=every)
        self._of: dict[str, TaskID] = {}

    def show(self, stage: str, done: int, total: int) -> None:
        """Show the progress of a stage."""
        if stage not in self._of:
            self._of[stage] = self.add_task(stage, total=total)
        self.update(self._of[stage], completed=done, total=total)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed and (task.total or 0) > 1 else "")


def _facts(task: Task) -> Iterator[str]:
    counted = task.total is not None and task.total > 1
    if counted:
        yield f"{task.completed:,.0f} of {task.total:,.0f}"
    if so_far := task.fields.get("so_far"):
        yield str(so_far)
    if counted and task.speed and task.time_remaining is not None:
        yield f"{task.speed:,.1f} a second"
        yield f"about {_span(task.time_remaining)} left"
    else:
        yield f"for {_span(task.elapsed or 0)}"


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"  # noqa: PLR2004
