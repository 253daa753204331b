"""Background work in a forked process: Python runs one thread at a time, and machines have several cores.

On Linux a fork has everything that was built so far, without any of it being sent. It lacks the parent's other threads,
so the work must be pure Python: polars, onnxruntime and Ray would wait for their threads forever.
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
"""From Linux's `prctl.h`."""

_AT_ONCE: Final = 32
"""How many items a process takes at a time."""

T = TypeVar("T")
R = TypeVar("R")


class AsideError(ExpectedError):
    """The forked process ended without a value: the system killed it for its memory, or the value could not be sent."""


@contextmanager
def aside(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Start some work, and yield a function that waits for its value or raises its error; call it at most once.

    Outside Linux, that call does the work.

    Args:
        work: pure Python; its value can be pickled.

    Raises:
        AsideError: from that call: the process ended without a value.
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
            hint = "does the machine have memory for two?" if by_a_signal else "its traceback is above"
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
    """Apply some work to items and return the results in their order; this process and a fork take turns.

    Args:
        work: as for `aside`; it must not modify the items, as the fork's changes are lost.
        items: what to apply it to.
        at_once: how many items a process takes at a time.

    Raises:
        AsideError: the forked process ended without its results.
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
    """Claim the next items; returns the index of the first."""
    with begun.get_lock():
        start = begun.value
        begun.value += at_once
    return start


def _do(work: Callable[[], T], sender: Connection, parent: int) -> None:
    """Do the work in the forked process; send the value or the error, and the kept results that it used."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts both processes; the parent ends this one
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # an orphan would keep the build's locks
    if os.getppid() != parent:
        return
    try:
        (found, used), error = used_for(work), None
    except Exception as raised:  # noqa: BLE001 - raised again where the value is asked for
        raised.add_note(f"raised in a copy of the process:\n{traceback.format_exc()}")
        found, used, error = None, {}, raised
        pickle.loads(pickle.dumps(raised))  # noqa: S301 - what cannot be sent ends this process, and is told by it
    sender.send((found, error, used))
