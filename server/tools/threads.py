"""Work of the library off the event loop, so that slow calls do not block others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import anyio.to_thread
from anyio.lowlevel import RunVar

if TYPE_CHECKING:
    from collections.abc import Callable

_AT_ONCE: Final = 3
"""Maximum number of calls that compute at a time.

Python runs one thread at a time, and a search yields the GIL dozens of times, each time going to the back of the queue:
with 32 callers on 40 threads, searches took 0.45 s on average and 1.1 s at most; on three threads, 0.19 s and 0.5 s.
"""
_MOST_WAITING: Final = 100
"""Maximum number of calls that wait for a thread: a few seconds' work."""

_computing: Final[RunVar[anyio.CapacityLimiter]] = RunVar("computing")

Answer = TypeVar("Answer")


class BusyError(Exception):
    """Too many calls are waiting; the message is for the caller."""


async def on_a_thread(work: Callable[[], Answer], *, waits: bool = False) -> Answer:
    """Run work on a worker thread, in turn.

    Args:
        work: the work.
        waits: whether it only waits for another process, so that it does not count as a call that computes.

    Raises:
        BusyError: too many calls wait for a thread.
    """
    limiter = anyio.to_thread.current_default_thread_limiter() if waits else _turns()
    if limiter.statistics().tasks_waiting >= _MOST_WAITING:
        msg = f"The server is busy: {_MOST_WAITING} calls are waiting. Try again in a moment."
        raise BusyError(msg)
    return await anyio.to_thread.run_sync(work, limiter=limiter)


def _turns() -> anyio.CapacityLimiter:
    """The event loop's limiter for calls that compute."""
    try:
        return _computing.get()
    except LookupError:
        _computing.set(anyio.CapacityLimiter(_AT_ONCE))
        return _computing.get()
