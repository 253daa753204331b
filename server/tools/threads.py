"""Work of the library off the event loop, so that slow calls do not block others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import anyio.to_thread
from anyio.lowlevel import RunVar

if TYPE_CHECKING:
    from collections.abc import Callable

_AT_ONCE: Final = 3
"""Calls that compute at a time.

Python runs one thread at a time, and a search gives its turn away dozens of times, each time behind all the others:
with 32 callers on 40 threads searches took 0.45 s in the mean and 1.1 at most, on three 0.19 and 0.5.
"""
_MOST_WAITING: Final = 100
"""Calls that may wait for a thread: a few seconds' work."""

_computing: Final[RunVar[anyio.CapacityLimiter]] = RunVar("computing")

Answer = TypeVar("Answer")


class BusyError(Exception):
    """Too many calls are waiting; the message is for the caller."""


async def on_a_thread(work: Callable[[], Answer], *, waits: bool = False) -> Answer:
    """Do some work on a thread of its own, in turn.

    Args:
        work: what to do.
        waits: whether it only waits for another process, so that it takes no turn of those that compute.

    Raises:
        BusyError: too many calls wait for a thread.
    """
    limiter = anyio.to_thread.current_default_thread_limiter() if waits else _turns()
    if limiter.statistics().tasks_waiting >= _MOST_WAITING:
        msg = f"The server is busy: {_MOST_WAITING} calls are waiting. Try again in a moment."
        raise BusyError(msg)
    return await anyio.to_thread.run_sync(work, limiter=limiter)


def _turns() -> anyio.CapacityLimiter:
    """The event loop's limiter of calls that compute."""
    try:
        return _computing.get()
    except LookupError:
        _computing.set(anyio.CapacityLimiter(_AT_ONCE))
        return _computing.get()
