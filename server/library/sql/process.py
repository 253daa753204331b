"""The server's side of the process in which queries run: starts it, asks it, and ends it when it takes too long."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from server.library.sql.reason import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

_COMMAND: Final = (sys.executable, "-P", "-m", "server.library.sql.worker")
_ENVIRONMENT: Final = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Environment variables that the process gets; the others are none of a query's business."""
_START_LIMIT: Final = 60.0
"""Seconds that reading the tables may take."""
_TO_END: Final = 0.3
"""Seconds of a query's time that are reserved for ending its process."""
_INTERRUPTED_EARLIER: Final = 0.3
"""How long before the process would be killed, in seconds, it interrupts a query itself."""
_IDLE: Final = 60.0
"""Seconds without a query after which the process ends: it holds 120 MB, and starts again in half a second."""
_MOST_WAITING: Final = 8
"""Queries that run or wait; more are refused at once, since each holds a thread that other calls need."""
_FOR_MEMORY: Final = (-signal.SIGABRT, -getattr(signal, "SIGKILL", 9))
"""Exit statuses, as in `subprocess`, of a process out of memory: DuckDB's C++ aborts, or the system kills it."""

Answer = dict[str, Any]


class QueryProcess:
    """A process with the tables that answers one query after another. Thread-safe.

    It starts with the first query, and ends when there has been none for a while.
    """

    def __init__(self, setup: Callable[[], Answer], *, idle: float = _IDLE) -> None:
        """Prepare to start it.

        Args:
            setup: makes the first message to the process (see `worker`).
            idle: seconds without a query after which it ends.
        """
        self._setup = setup
        self._idle = idle
        self._ends_at = 0.0  # by `time.monotonic`
        self._is_watched = False
        self._closed = threading.Event()
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(_MOST_WAITING)
        self._worker: _Worker | None = None

    def ask(self, sql: str, limit: int, room: int, *, seconds: float) -> Answer:
        """The worker's answer (see `worker`).

        It is `refused` as BUSY if other queries leave it no time, and as CLOSED after `close`.

        Args:
            sql: the statement.
            limit: maximum number of rows.
            room: maximum size of columns and rows, in characters of JSON.
            seconds: how long the call may take; the first one also starts the process.
        """
        if not self._places.acquire(blocking=False):
            return _refused(Reason.BUSY)
        try:
            until = time.monotonic() + seconds
            if not self._turn.acquire(timeout=seconds):
                return _refused(Reason.BUSY)
            try:
                if self._closed.is_set():
                    return _refused(Reason.CLOSED)
                if self._worker is None:
                    self._worker = _Worker(self._setup())
                    self._watch()
                    self._worker.wait_until_ready(_START_LIMIT)
                    until = time.monotonic() + seconds
                return self._answer(self._worker, {"sql": sql, "limit": limit, "room": room}, until, seconds)
            except EOFError:  # it could not start: the next call tries again
                self._end()
                if self._closed.is_set():
                    return _refused(Reason.CLOSED)
                raise
            finally:
                self._ends_at = time.monotonic() + self._idle
                self._turn.release()
        finally:
            self._places.release()

    def close(self) -> None:
        """End the process, and with it a running query; none is answered from then on."""
        self._closed.set()
        # A running query holds the turn, and may set `_worker` meanwhile.
        if (worker := self._worker) is not None:
            worker.kill()
        with self._turn:
            self._end()

    def _watch(self) -> None:
        """Start the thread that ends an idle process: only one, even if the process fails and is started again."""
        if not self._is_watched:
            threading.Thread(target=self._end_when_idle, name="idle queries", daemon=True).start()
            self._is_watched = True

    def _end_when_idle(self) -> None:
        while not self._closed.wait(max(self._ends_at - time.monotonic(), 0)):
            with self._turn:
                if time.monotonic() >= self._ends_at:
                    self._end()
                    self._is_watched = False
                    return

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _answer(self, worker: _Worker, query: Answer, until: float, seconds: float) -> Answer:
        """The worker's answer to a query; `until`: when it is due, by `time.monotonic`."""
        if not worker.wait_until_ready(until - time.monotonic() - _TO_END):
            return _refused(Reason.BUSY)
        left = until - time.monotonic()
        # With less than half of the time, the query had no fair trial.
        too_late = Reason.TIME if left > seconds / 2 else Reason.BUSY
        left -= _TO_END
        try:
            answer = worker.ask(query | {"seconds": max(left - _INTERRUPTED_EARLIER, left / 2)}, left)
        except TimeoutError:
            return self._instead_of(worker, too_late)
        except EOFError:
            return self._instead_of(worker, worker.died_of())
        match answer.get("refused", {}).get("reason"):
            case Reason.TIME:
                return _refused(too_late)
            case Reason.MEMORY | Reason.FAILED as reason:  # the next query must not get what it holds or broke
                return self._instead_of(worker, reason)
        return answer

    def _instead_of(self, worker: _Worker, reason: Reason) -> Answer:
        """Refuse a query, and start another process, which reads the tables while nobody waits."""
        if self._closed.is_set():  # it was ended on purpose
            return _refused(Reason.CLOSED)
        worker.end()
        self._worker = _Worker(self._setup())
        return _refused(reason)


class _Worker:
    """The process itself."""

    def __init__(self, setup: Answer) -> None:
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - this program
            _COMMAND, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", env=environment
        )
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._is_ready = False
        self._write(setup)

    def wait_until_ready(self, seconds: float) -> bool:
        """Whether it has the tables, now or within this many seconds.

        Raises:
            EOFError: it has ended; the log says why.
        """
        with contextlib.suppress(TimeoutError):
            self._is_ready = self._is_ready or self._next(seconds) is not None
        return self._is_ready

    def ask(self, query: Answer, seconds: float) -> Answer:
        """The answer.

        Raises:
            EOFError: the process has ended.
            TimeoutError: there is none after this many seconds.
        """
        self._write(query)
        return self._next(seconds)

    def died_of(self) -> Reason:
        """Why it has ended by itself: lack of memory, or a fault, which is logged."""
        if (status := self._process.wait()) in _FOR_MEMORY:
            return Reason.MEMORY
        log.error("the process for queries has ended with status %d", status)
        return Reason.FAILED

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()

    def end(self) -> None:
        """End it, and wait for that."""
        self._process.kill()
        self._reader.join()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # it left input unread
                pipe.close()

    def _next(self, seconds: float) -> Answer:
        try:
            answer = self._answers.get(timeout=max(seconds, 0))
        except queue.Empty as error:
            msg = f"no answer in {seconds:.1f} s"
            raise TimeoutError(msg) from error
        if answer is None:
            msg = "the process for queries has ended; its own output is in the log"
            raise EOFError(msg)
        return answer

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(json.loads(line) if line.endswith("\n") else None)
        self._answers.put(None)

    def _write(self, message: Answer) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended, which `_next` reports
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()


def _refused(reason: Reason) -> Answer:
    return {"refused": {"reason": reason}}
