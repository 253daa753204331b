"""Several processes that answer on one port, as each runs one thread of Python at a time: little more than a core.

They share nothing but it. Each listens for itself (SO_REUSEPORT), and Linux gives every connection to one of them.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from server.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

log = logging.getLogger("lorekeeper")

_BACKLOG: Final = 2048
_PR_SET_PDEATHSIG: Final = 1
"""Of Linux's `prctl.h`."""


class Port:
    """An address that several processes may listen on, once it is known to be free."""

    def __init__(self, host: str, port: int) -> None:
        """Take it.

        Raises:
            SettingsError: another program has it, or this machine has no such address.
        """
        self._family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            with self._bound(host, port, socket.SO_REUSEADDR) as alone:  # who shares finds even a port of others free
                number = int(alone.getsockname()[1])
            self._held = self._bound(host, number, socket.SO_REUSEPORT)
        except OSError as error:
            msg = f"cannot listen on {host}, port {port}: {error.strerror}"
            raise SettingsError(msg) from error
        self.host, self.number = host, number

    def listen(self) -> socket.socket:
        """A socket of this process, to which the system gives its share of the connections."""
        return socket.create_server((self.host, self.number), family=self._family, backlog=_BACKLOG, reuse_port=True)

    def _bound(self, host: str, port: int, option: int) -> socket.socket:
        bound = socket.socket(self._family)
        bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind((host, port))
        return bound


def check_workers(count: int) -> None:
    """Refuse more than one worker where connections are not shared out.

    Raises:
        SettingsError: this is no Linux.
    """
    if count > 1 and sys.platform != "linux":
        msg = f"--workers {count} needs Linux, which shares connections out; run several servers behind a proxy instead"
        raise SettingsError(msg)


def in_workers(count: int) -> int | None:
    """Go on in several processes, before any thread has started.

    Returns:
        None in each of them; in the one that began, once all have ended, its exit code: 0 if it was told to stop, else
        that of the first worker that ended, whom the others follow.
    """
    workers: list[int] = []
    parent = os.getpid()
    with _signals_held_back():
        for _ in range(count):
            if not (worker := os.fork()):
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
                if os.getppid() != parent:  # it ended before that was said
                    os._exit(1)
                return None
            workers.append(worker)
        overseer = _Overseer(workers)
    return overseer.wait()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Have signals wait for the end of the block, so that none falls between the workers and who passes it on."""
    held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, held)


class _Overseer:
    """Passes signals on to workers, and waits for their end."""

    def __init__(self, workers: list[int]) -> None:
        self._workers = workers
        self._told_to_stop = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, lambda number, _: self._tell(number))

    def wait(self) -> int:
        """Wait until all have ended; the exit code."""
        first = 0
        while self._workers:
            worker, status = os.wait()
            self._workers.remove(worker)
            if not self._told_to_stop:
                first = abs(os.waitstatus_to_exitcode(status)) or 1
                log.error("a worker ended with code %d: the others are stopped", first)
                self._told_to_stop = True
                self._tell(signal.SIGTERM)
        return first

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        # A terminal interrupts all of them; a second interrupt would cut off who is being answered.
        self._told_to_stop = True
        self._tell(signal.SIGTERM)

    def _tell(self, number: int) -> None:
        for worker in self._workers:
            with suppress(ProcessLookupError):
                os.kill(worker, number)
