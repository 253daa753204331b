"""Work of the library off the event loop, so that slow calls do not block others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import anyio.to_thread

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_WAITING: Final = 100
"""Calls that may wait for a thread: a few seconds' work."""

Answer = TypeVar("Answer")


class BusyError(Exception):
    """Too many calls are waiting; the message is for the caller."""


async def on_a_thread(work: Callable[[], Answer]) -> Answer:
    """Do some work on a thread of its own.

    Raises:
        BusyError: too many calls wait for one.
    """
    if anyio.to_thread.current_default_thread_limiter().statistics().tasks_waiting >= _MOST_WAITING:
        msg = f"The server is busy: {_MOST_WAITING} calls are waiting. Try again in a moment."
        raise BusyError(msg)
    return await anyio.to_thread.run_sync(work)
