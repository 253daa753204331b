"""The server's side of the process in which queries run: starts it, asks it, and ends it when it takes too long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from server.library.sql_reason import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

_COMMAND: Final = (sys.executable, "-P", "-m", "server.library.sql_worker")
_ENVIRONMENT: Final = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""What the process gets of the environment; the rest is none of a query's business."""
_START_LIMIT: Final = 60.0
"""Seconds that reading the tables may take."""
_TO_END: Final = 0.1
"""Seconds, of those that a query may run, that ending its process may take."""
_INTERRUPTED_EARLIER: Final = 0.3
"""Seconds by which the process is asked to interrupt a query before it is ended itself."""
_MOST_WAITING: Final = 8
"""Queries that run or wait; more are refused at once, since each holds a thread that other calls need."""

Answer = dict[str, Any]


class QueryProcess:
    """A process with the tables that answers one query after the other; started on first use. Thread-safe."""

    def __init__(self, setup: Callable[[], Answer]) -> None:
        """`setup`: makes what the process reads first, as `sql_worker` says."""
        self._setup = setup
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(_MOST_WAITING)
        self._process: subprocess.Popen[str] | None = None
        self._is_ready = False

    def ask(self, sql: str, limit: int, room: int, *, seconds: float) -> Answer:
        """The worker's answer, as `sql_worker` says; `refused` as BUSY if too many are waiting.

        Args:
            sql: the statement.
            limit: maximum number of rows.
            room: maximum size of columns and rows, in characters of JSON.
            seconds: how long it may run, and how long it may wait for others.
        """
        if not self._places.acquire(blocking=False):
            return _refused(Reason.BUSY)
        try:
            if not self._turn.acquire(timeout=seconds):
                return _refused(Reason.BUSY)
            try:
                return self._answer(sql, limit, room, seconds)
            finally:
                self._turn.release()
        finally:
            self._places.release()

    def close(self) -> None:
        """End the process, and with it a query that runs."""
        if self._process is not None:
            self._process.kill()
        with self._turn:
            self._end()

    def _answer(self, sql: str, limit: int, room: int, seconds: float) -> Answer:
        if self._process is None:
            self._process = self._start()
            self._wait_until_ready(self._process)
        asked = time.monotonic()
        self._wait_until_ready(self._process)
        # What followed a query that was ended is waited for, which leaves at least half of the time.
        left = seconds - _TO_END - min(time.monotonic() - asked, seconds / 2)
        query = {"sql": sql, "limit": limit, "room": room, "seconds": max(left - _INTERRUPTED_EARLIER, left / 2)}
        _write(self._process, query)
        answer, late = _read(self._process, left)
        if answer is None:
            answer = _refused(Reason.TIME if late else Reason.MEMORY)
        elif answer.get("refused", {}).get("reason") != Reason.MEMORY:
            return answer
        # The process has ended, or holds memory that the next query needs; another reads the tables while nobody waits.
        self._end()
        self._process = self._start()
        return answer

    def _start(self) -> subprocess.Popen[str]:
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        pipe = subprocess.PIPE
        process = subprocess.Popen(  # noqa: S603 - this program
            _COMMAND, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", env=environment
        )
        self._is_ready = False
        _write(process, self._setup())
        return process

    def _wait_until_ready(self, process: subprocess.Popen[str]) -> None:
        if not self._is_ready:
            ready, _ = _read(process, _START_LIMIT)
            if ready is None:
                self._end()
                msg = "the process for queries did not start; what it says itself is in the log"
                raise RuntimeError(msg)
            self._is_ready = True

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _write(process: subprocess.Popen[str], message: Answer) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def _read(process: subprocess.Popen[str], seconds: float) -> tuple[Answer | None, bool]:
    """The next answer, None if the process ended; and whether it was ended since it took longer than `seconds`."""
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
    finally:
        timer.cancel()
    return (json.loads(line) if line.endswith("\n") else None), late.is_set()


def _refused(reason: Reason) -> Answer:
    return {"refused": {"reason": reason}}
