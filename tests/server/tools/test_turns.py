"""Which calls wait for a thread and which do not."""

from __future__ import annotations

import threading

import anyio
import pytest

from server.tools import threads
from server.tools.threads import BusyError, on_a_thread


def test_computing_calls_take_turns_and_waiting_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_AT_ONCE", 1)
    started, release = threading.Event(), threading.Event()
    done: list[str] = []

    def long() -> None:
        started.set()
        release.wait()
        done.append("long")

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(on_a_thread, long)
            await anyio.to_thread.run_sync(started.wait)
            group.start_soon(on_a_thread, lambda: done.append("next"))
            await on_a_thread(lambda: done.append("waiting"), waits=True)
            release.set()

    anyio.run(ask)
    assert done == ["waiting", "long", "next"]


def test_calls_over_the_limit_are_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_MOST_WAITING", 0)
    for waits in (False, True):
        with pytest.raises(BusyError, match="busy"):
            anyio.run(lambda waits=waits: on_a_thread(list, waits=waits))
