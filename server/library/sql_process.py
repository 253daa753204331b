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

from server.library.sql_reason import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

_COMMAND: Final = (sys.executable, "-P", "-m", "server.library.sql_worker")
_ENVIRONMENT: Final = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""What the process gets of the environment; the rest is none of a query's business."""
_START_LIMIT: Final = 60.0
"""Seconds that reading the tables may take."""
_TO_END: Final = 0.3
"""Seconds, of those that a query may run, that ending its process may take."""
_INTERRUPTED_EARLIER: Final = 0.3
"""Seconds by which the process is asked to interrupt a query before it is ended itself."""
_IDLE: Final = 60.0
"""Seconds without a query after which the process ends: it holds 120 MB, and starts again in half a second."""
_MOST_WAITING: Final = 8
"""Queries that run or wait; more are refused at once, since each holds a thread that other calls need."""
_FOR_MEMORY: Final = (-signal.SIGABRT, -getattr(signal, "SIGKILL", 9))
"""How a process ends that gets no memory: DuckDB's C++ gives up, or the system picks it. Status as of `subprocess`."""

Answer = dict[str, Any]


class QueryProcess:
    """A process with the tables that answers one query after the other. Thread-safe.

    It is started when it is asked, and ends when nobody has asked for a while.
    """

    def __init__(self, setup: Callable[[], Answer], *, idle: float = _IDLE) -> None:
        """Prepare to start it.

        Args:
            setup: makes what the process reads first, as `sql_worker` says.
            idle: seconds without a query after which it ends.
        """
        self._setup = setup
        self._idle = idle
        self._ends_at = 0.0  # as of `time.monotonic`
        self._is_watched = False
        self._closed = threading.Event()
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(_MOST_WAITING)
        self._worker: _Worker | None = None

    def ask(self, sql: str, limit: int, room: int, *, seconds: float) -> Answer:
        """The worker's answer, as `sql_worker` says.

        It is `refused` as BUSY if others leave it no time, and as CLOSED from `close` on.

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
        """End the process, and with it a query that runs; none is answered from then on."""
        self._closed.set()
        # The query that runs has the turn, and may set `_worker` meanwhile.
        if (worker := self._worker) is not None:
            worker.kill()
        with self._turn:
            self._end()

    def _watch(self) -> None:
        """Have somebody end it when nobody asks; one thread, also where it cannot start and is tried again."""
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
        """`until`: when the answer is due, as of `time.monotonic`."""
        if not worker.wait_until_ready(until - time.monotonic() - _TO_END):
            return _refused(Reason.BUSY)
        left = until - time.monotonic()
        # Less than half of the time is no fair trial.
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
            case Reason.MEMORY | Reason.FAILED as reason:  # what it still holds, or has broken, is not for the next
                return self._instead_of(worker, reason)
        return answer

    def _instead_of(self, worker: _Worker, reason: Reason) -> Answer:
        """The refusal of a query, and another process, which reads the tables while nobody waits."""
        if self._closed.is_set():  # its end was meant
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
        """Whether it has the tables, now or in so many seconds.

        Raises:
            EOFError: it has ended; why is in the log.
        """
        with contextlib.suppress(TimeoutError):
            self._is_ready = self._is_ready or self._next(seconds) is not None
        return self._is_ready

    def ask(self, query: Answer, seconds: float) -> Answer:
        """The answer.

        Raises:
            EOFError: the process has ended.
            TimeoutError: there is none after so many seconds.
        """
        self._write(query)
        return self._next(seconds)

    def died_of(self) -> Reason:
        """Why it has ended by itself: for want of memory, or for a fault, which is logged."""
        if (status := self._process.wait()) in _FOR_MEMORY:
            return Reason.MEMORY
        log.error("the process for queries has ended with status %d", status)
        return Reason.FAILED

    def kill(self) -> None:
        """End it in the midst of whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """End it, and wait for that."""
        self._process.kill()
        self._reader.join()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # what it was to be told
                pipe.close()

    def _next(self, seconds: float) -> Answer:
        try:
            answer = self._answers.get(timeout=max(seconds, 0))
        except queue.Empty as error:
            msg = f"no answer in {seconds:.1f} s"
            raise TimeoutError(msg) from error
        if answer is None:
            msg = "the process for queries has ended; what it says itself is in the log"
            raise EOFError(msg)
        return answer

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(json.loads(line) if line.endswith("\n") else None)
        self._answers.put(None)

    def _write(self, message: Answer) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended, which reading tells
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()


def _refused(reason: Reason) -> Answer:
    return {"refused": {"reason": reason}}
