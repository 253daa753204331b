"""The library in service, and its replacement by a newer one while requests run."""

from __future__ import annotations

import logging
import queue
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.dataset.manifest import DatasetError
from server.library.requests.request import RequestError
from server.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.library.library import Library

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 2.0
"""Seconds between two checks of which dataset is in use."""


@dataclass(eq=False)
class _Lease:
    """A library, how many requests are using it, and whether it has been replaced."""

    library: Library
    generation: int
    users: int = 0
    retired: bool = False


class LibraryHolder:
    """Lends the library in service to requests; a replaced library is closed after its last request.

    Without a library yet, requests wait for the first.
    """

    def __init__(self, library: Library | None = None) -> None:
        self._lock = threading.Lock()
        self._told: list[Callable[[Library], None]] = []
        self._lease: _Lease | None = None
        self._in_service = threading.Event()
        if library is not None:
            self.replace(library)

    @property
    def generation(self) -> int:
        """Increases with every replacement; -1 before the first library."""
        lease = self._lease
        return -1 if lease is None else lease.generation

    def on_replace(self, tell: Callable[[Library], None]) -> None:
        """Call `tell` with every library put into service from now on."""
        self._told.append(tell)

    @contextmanager
    def lend(self) -> Iterator[Library]:
        """The library in service; it stays open until the end of the block."""
        lease = self._borrow()
        try:
            yield lease.library
        finally:
            if self._settle(lease, users=-1):
                # The last user may be the event loop, and closing the library waits for a running query.
                threading.Thread(target=lease.library.close, name="closing a library").start()

    def replace(self, library: Library) -> None:
        """Serve new requests from `library`; in-flight ones keep theirs."""
        with self._lock:
            old = self._lease
            self._lease = _Lease(library, 0 if old is None else old.generation + 1)
        self._in_service.set()
        try:
            for tell in self._told:
                tell(library)
        finally:
            if old is not None:
                self._retire(old)

    def close(self) -> None:
        """Close the library in service, if there is one, after its last request."""
        if self._lease is not None:
            self._retire(self._lease)

    def _borrow(self) -> _Lease:
        self._in_service.wait()
        with self._lock:
            assert self._lease is not None
            self._lease.users += 1
            return self._lease

    def _retire(self, lease: _Lease) -> None:
        if self._settle(lease, retired=True):
            lease.library.close()

    def _settle(self, lease: _Lease, *, users: int = 0, retired: bool = False) -> bool:
        """Change the number of users; whether the library has been replaced and has none left."""
        with self._lock:
            lease.users += users
            lease.retired |= retired
            return lease.retired and not lease.users


Asked = queue.SimpleQueue[None]
"""One entry for each request to reload the dataset."""


def asked_by_hangups() -> Asked:
    """Make every SIGHUP from now on request a reload of the dataset, where the system has that signal.

    By default the signal ends the process, even while it is still starting.
    """
    asked = Asked()  # a signal may interrupt the handling of another, and `threading.Event` is not reentrant
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: asked.put(None))
    return asked


class Follower:
    """Watches which dataset is in use, and puts a newly pulled one into service once it is loaded.

    If it cannot be served, that is logged and the old one stays in service.
    """

    def __init__(
        self,
        holder: LibraryHolder,
        serving: Path,
        locate: Callable[[], Path],
        load: Callable[[Path], Library],
        asked: Asked,
        *,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Prepare to follow.

        Args:
            holder: holds the library in service.
            serving: the folder that its dataset was loaded from.
            locate: finds the folder in use; raises what `load` raises.
            load: opens the library of a folder completely; raises DatasetError, RequestError or SettingsError.
            asked: requests to load the dataset in use even if it is already in service.
            poll_seconds: seconds between two checks.
        """
        self._holder = holder
        self._serving = self._seen = serving.resolve()
        self._locate = locate
        self._load = load
        self._asked = asked
        self._poll_seconds = poll_seconds
        self._last_error = ""
        self._ended = False
        self._thread = threading.Thread(target=self._follow, name="follower", daemon=True)

    @contextmanager
    def following(self) -> Iterator[None]:
        """Follow while the block runs."""
        self._thread.start()
        try:
            yield
        finally:
            self._ended = True
            self._asked.put(None)
            self._thread.join()

    def _follow(self) -> None:
        while True:
            asked = self._wait()
            if self._ended:
                return
            try:
                self._poll(reload=asked)
                self._last_error = ""
            except (DatasetError, RequestError, SettingsError) as error:
                self._log_once(str(error))
            except Exception as error:
                # Whatever is wrong with the new dataset, the old one still works.
                log.debug("loading failed", exc_info=True)
                self._log_once(f"{type(error).__name__}: {error}")

    def _wait(self) -> bool:
        """Wait until the next check is due; whether a reload was requested."""
        try:
            self._asked.get(timeout=self._poll_seconds)
        except queue.Empty:
            return False
        return True

    def _poll(self, *, reload: bool) -> None:
        folder = self._locate().resolve()
        known = {self._serving, self._seen}
        self._seen = folder  # even if it cannot be served: retrying every two seconds would not help
        if folder in known and not reload:
            return
        library = self._load(folder)
        self._serving = folder
        self._holder.replace(library)
        log.info("dataset %s", library.identity["version"])

    def _log_once(self, message: str) -> None:
        if message != self._last_error:
            log.error("%s; the old dataset stays in service", message)
        self._last_error = message
