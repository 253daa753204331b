"""Opening of the library in the background, with little memory, while the server already greets clients."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import sys
import time
from threading import Thread
from typing import TYPE_CHECKING, Final

from server.commands.failure import EXPECTED, report
from server.dataset.collector import uncollected

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.library.library import Library
    from server.swap import LibraryHolder

log = logging.getLogger("lorekeeper")

_M_ARENA_MAX: Final = -8
"""From glibc's `malloc.h`."""


def open_settled(load: Callable[[], Library]) -> Library:
    """Load a library completely, then release the memory that only loading needed.

    Its objects live as long as it does, so they are hidden from the garbage collector; those of a library that has
    since been replaced are collected.
    """
    with uncollected():
        library = load()
        library.wait_until_ready()  # errors that would fail a later call are raised now
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    _glibc("malloc_trim", 0)
    return library


def with_one_arena() -> None:
    """Make threads started from now on allocate from one shared malloc arena.

    With an arena of its own for each, the free space in one arena cannot be used by the threads of another.
    """
    _glibc("mallopt", _M_ARENA_MAX, 1)


def _glibc(function: str, *arguments: int) -> None:
    """Call a function of the GNU C library, if the system has it."""
    if sys.platform == "linux" and (called := getattr(ctypes.CDLL(None), function, None)):
        called(*arguments)


class Opening:
    """A library being opened on a thread of its own and put into service.

    If that fails, `wait` raises the error; or, with `ends_process`, the process ends with one line and an exit code.
    """

    def __init__(
        self, holder: LibraryHolder, load: Callable[[], Library], *, delay: float = 0, ends_process: bool = False
    ) -> None:
        """Start to load.

        Args:
            holder: takes the library.
            load: opens it; raises DatasetError, RequestError or SettingsError.
            delay: seconds to wait before loading, for work that should happen first.
            ends_process: end the process on failure, as nobody may be waiting.
        """
        self._holder = holder
        self._load = load
        self._delay = delay
        self._ends_process = ends_process
        self._failure: Exception | None = None
        self._thread = Thread(target=self._open, name="opening", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the library is in service; raise the error if it could not be opened."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _open(self) -> None:
        time.sleep(self._delay)
        try:
            library = open_settled(self._load)
        except Exception as error:  # noqa: BLE001 - `wait` raises it
            self._failure = error
            if self._ends_process:
                _end(error)
            return
        self._holder.replace(library)
        log.info("dataset %s", library.identity["version"])


def _end(error: Exception) -> None:
    """End the process, whose other threads wait for stdin."""
    if isinstance(error, EXPECTED):
        code = report(error)
    else:
        log.error("the dataset could not be opened", exc_info=error)
        code = 1
    sys.stderr.flush()
    os._exit(code)
