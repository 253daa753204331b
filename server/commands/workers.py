"""Several processes that answer on one port, as the GIL limits each to little more than one core.

They share only the port. Each listens for itself (SO_REUSEPORT), and Linux gives every connection to one of them.
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
"""From Linux's `prctl.h`."""


class Port:
    """An address that is known to be free and that several processes may listen on."""

    def __init__(self, host: str, port: int) -> None:
        """Reserve the address; port 0 takes any free port.

        Raises:
            SettingsError: another program has it, or this machine has no such address.
        """
        self.host, self.number = host, free_port(host, port)
        self._held = _bound(host, self.number, socket.SO_REUSEPORT)

    def listen(self) -> socket.socket:
        """A listening socket of this process, which gets its share of the connections."""
        address = (self.host, self.number)
        return socket.create_server(address, family=_family(self.host), backlog=_BACKLOG, reuse_port=True)


def free_port(host: str, port: int) -> int:
    """The port, known to be free; any free one for 0.

    Raises:
        SettingsError: another program has it, or this machine has no such address.
    """
    try:
        # Without SO_REUSEPORT, with which even a port in use would seem free.
        with _bound(host, port, socket.SO_REUSEADDR) as alone:
            return int(alone.getsockname()[1])
    except OSError as error:
        msg = f"cannot listen on {host}, port {port}: {error.strerror}"
        raise SettingsError(msg) from error


def _bound(host: str, port: int, option: int) -> socket.socket:
    bound = socket.socket(_family(host))
    bound.setsockopt(socket.SOL_SOCKET, option, 1)
    bound.bind((host, port))
    return bound


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def check_workers(count: int) -> None:
    """Refuse more than one worker where the system does not distribute connections.

    Raises:
        SettingsError: the system is not Linux.
    """
    if count > 1 and sys.platform != "linux":
        msg = f"--workers {count} needs Linux, which distributes connections; run several servers behind a proxy"
        raise SettingsError(msg)


def in_workers(count: int) -> int | None:
    """Fork worker processes; call it before any thread has started.

    Returns:
        None in each worker. In the parent, once all workers have ended, its exit code: 0 if it was told to stop,
        otherwise that of the first worker that ended, after which the others are stopped.
    """
    workers: list[int] = []
    parent = os.getpid()
    with _signals_held_back():
        for _ in range(count):
            if not (worker := os.fork()):
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
                if os.getppid() != parent:  # the parent ended before the call
                    os._exit(1)
                return None
            workers.append(worker)
        overseer = _Overseer(workers)
    return overseer.wait()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Block signals until the end of the block, so that none arrives before the overseer can pass it on."""
    held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, held)


class _Overseer:
    """Passes signals on to workers, and waits for them to end."""

    def __init__(self, workers: list[int]) -> None:
        self._workers = workers
        self._told_to_stop = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, lambda number, _: self._tell(number))

    def wait(self) -> int:
        """Wait until all workers have ended; the exit code."""
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
        # A terminal interrupts the workers too; another SIGINT would cut off requests in progress, so SIGTERM is sent.
        self._told_to_stop = True
        self._tell(signal.SIGTERM)

    def _tell(self, number: int) -> None:
        for worker in self._workers:
            with suppress(ProcessLookupError):
                os.kill(worker, number)
