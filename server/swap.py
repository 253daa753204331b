"""The library in service, and how a newer one takes its place while requests run."""

from __future__ import annotations

import logging
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.dataset.manifest import DatasetError
from server.library.request import RequestError
from server.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

    from server.library.library import Library

log = logging.getLogger(__name__)

LOOK_EVERY: Final = 2.0
"""Seconds between two looks at which dataset is in use."""


@dataclass(eq=False)
class _Lent:
    """A library, how many requests use it, and whether it has been replaced."""

    library: Library
    generation: int
    users: int = 0
    retired: bool = False


class LibraryHolder:
    """Lends the library in service to one request after the other; a replaced one ends with its last request."""

    def __init__(self, library: Library) -> None:
        self._lock = threading.Lock()
        self._current = _Lent(library, 0)

    @property
    def generation(self) -> int:
        """Grows with every replacement."""
        return self._current.generation

    @contextmanager
    def lend(self) -> Iterator[Library]:
        """The library in service, the same one to the end of the block."""
        with self._lock:
            lent = self._current
            lent.users += 1
        try:
            yield lent.library
        finally:
            self._settle(lent, users=-1)

    def replace(self, library: Library) -> None:
        """Answer from `library` from now on; requests that are running end with the one that they began with."""
        with self._lock:
            old = self._current
            self._current = _Lent(library, old.generation + 1)
        self._settle(old, retired=True)

    def close(self) -> None:
        """Close the library in service as soon as its last request has ended."""
        self._settle(self._current, retired=True)

    def _settle(self, lent: _Lent, *, users: int = 0, retired: bool = False) -> None:
        with self._lock:
            lent.users += users
            lent.retired |= retired
            over = lent.retired and not lent.users
        if over:
            lent.library.close()


class Follower:
    """Watches which dataset is in use, and puts another one into service once it is loaded.

    One that cannot be served is logged, and the old one stays.
    """

    def __init__(
        self,
        holder: LibraryHolder,
        serving: Path,
        locate: Callable[[], Path],
        load: Callable[[Path], Library],
        every: float = LOOK_EVERY,
    ) -> None:
        """Prepare to follow.

        Args:
            holder: has the library in service.
            serving: the folder that its dataset was loaded from.
            locate: says which folder is in use; raises what `load` raises.
            load: opens the library of a folder; raises DatasetError, RequestError or SettingsError.
            every: seconds between two looks.
        """
        self._holder = holder
        self._seen = serving.resolve()
        self._locate = locate
        self._load = load
        self._every = every
        self._complaint = ""
        self._asked = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._follow, name="follower", daemon=True)

    @contextmanager
    def following(self) -> Iterator[None]:
        """Follow while the block runs; SIGHUP, where there is such a thing, has the dataset loaded anew at once."""
        self._thread.start()
        try:
            with _on_hangup(self._asked.set):
                yield
        finally:
            self._ended = True
            self._asked.set()
            self._thread.join()

    def _follow(self) -> None:
        while True:
            asked = self._asked.wait(self._every)
            self._asked.clear()
            if self._ended:
                return
            try:
                self._look(reload=asked)
                self._complaint = ""
            except (DatasetError, RequestError, SettingsError) as error:
                self._complain(str(error))
            except Exception as error:
                # Whatever is wrong with the new one, the old one is still good.
                log.debug("loading failed", exc_info=True)
                self._complain(f"{type(error).__name__}: {error}")

    def _look(self, *, reload: bool) -> None:
        folder = self._locate().resolve()
        if folder == self._seen and not reload:
            return
        self._seen = folder  # also where it cannot be served: it will not get better by trying every two seconds
        library = self._load(folder)
        library.wait_until_ready()
        self._holder.replace(library)
        log.info("dataset %s", library.identity["version"])

    def _complain(self, message: str) -> None:
        if message != self._complaint:
            log.error("%s; the dataset in service stays", message)
        self._complaint = message


@contextmanager
def _on_hangup(act: Callable[[], None]) -> Iterator[None]:
    if not hasattr(signal, "SIGHUP"):
        yield
        return

    def handle(_number: int, _frame: FrameType | None) -> None:
        act()

    before = signal.signal(signal.SIGHUP, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
