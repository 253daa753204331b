"""Work beside other work: Python runs one thread at a time, and a machine has more cores than one.

On Linux a copy of the process does it, which has everything that was made so far without being sent it. Such a copy has
none of the other threads, so the work must be Python's own: polars, onnxruntime and Ray would wait for theirs forever.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import Final, TypeVar

from build_pipeline.expected import ExpectedError
from build_pipeline.kept import adopt, used_for

_PR_SET_PDEATHSIG: Final = 1
"""Of Linux's `prctl.h`."""

_AT_ONCE: Final = 32
"""How many of many small pieces of work are taken at a time."""

T = TypeVar("T")
R = TypeVar("R")


class AsideError(ExpectedError):
    """The copy of the process ended without a value: the system stopped it for its memory, or nothing could be sent."""


@contextmanager
def aside(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Begin some work; within the block, what this yields waits, once, for its value, or raises what it raised.

    Elsewhere than on Linux it is done when its value is asked for.

    Args:
        work: pure Python; its value can be pickled.

    Raises:
        AsideError: when asked for the value: its process ended without one.
    """
    if sys.platform != "linux":
        yield work
        return
    receiver, sender = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_do, args=(work, sender, os.getpid()), daemon=True)
    process.start()
    sender.close()

    def value() -> T:
        try:
            found, error, used = receiver.recv()
        except EOFError as ended:
            process.join()
            by_a_signal = process.exitcode is not None and process.exitcode < 0
            hint = "does the machine have memory for two?" if by_a_signal else "its traceback stands above"
            msg = f"a process of the build ended with code {process.exitcode}; {hint}"
            raise AsideError(msg) from ended
        adopt(used)
        if error is not None:
            raise error
        result: T = found
        return result

    try:
        yield value
    finally:
        receiver.close()
        process.kill()
        process.join()


def shared(work: Callable[[T], R], items: Sequence[T], at_once: int = _AT_ONCE) -> list[R]:
    """What some work gives for each of some items, in their order: this process and a copy take the next in turn.

    Args:
        work: as for `aside`; what it does to an item is lost, or done twice over.
        items: what to do it for.
        at_once: how many are taken at a time.

    Raises:
        AsideError: the copy ended without what it took.
    """
    if len(items) <= at_once or sys.platform != "linux":
        return [work(item) for item in items]
    begun = get_context("fork").Value("q", 0)

    def share() -> dict[int, list[R]]:
        done: dict[int, list[R]] = {}
        while (start := _next(begun, at_once)) < len(items):
            done[start] = [work(item) for item in items[start : start + at_once]]
        return done

    with aside(share) as others:
        own = share()
        done = own | others()
    return [value for start in sorted(done) for value in done[start]]


def _next(begun: Synchronized[int], at_once: int) -> int:
    """Where those begin that nobody has taken."""
    with begun.get_lock():
        start = begun.value
        begun.value += at_once
    return start


def _do(work: Callable[[], T], sender: Connection, parent: int) -> None:
    """Send the value or the error, and what of the kept results it took."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts both; who waits for this ends it
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # it holds the locks of the build too
    if os.getppid() != parent:
        return
    try:
        (found, used), error = used_for(work), None
    except Exception as raised:  # noqa: BLE001 - raised again where the value is asked for
        raised.add_note(f"raised in a copy of the process:\n{traceback.format_exc()}")
        found, used, error = None, {}, raised
        pickle.loads(pickle.dumps(raised))  # noqa: S301 - what cannot be sent ends this process, and is told by it
    sender.send((found, error, used))
