"""A server over HTTP in a separate process, and the resources that the process holds (Linux)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

SERVE: Final = "from server.cli import main; main()"
ALL_TOOLSETS: Final = "search,lookup,query,compat,research,table"


@dataclass(frozen=True)
class Held:
    """The resources of a process and its children.

    Attributes:
        memory: resident bytes of the process, and of its children together.
        descriptors: open files of the process.
        threads: threads of the process.
    """

    memory: tuple[int, int]
    descriptors: int
    threads: int


def told(before: Held, after: Held) -> str:
    """In words, what a server held before and after something."""
    memory = [f"{sum(held.memory) / 1e6:.0f}" for held in (before, after)]
    return (
        f"memory {memory[0]} → {memory[1]} MB, descriptors {before.descriptors} → {after.descriptors}, "
        f"threads {before.threads} → {after.threads}"
    )


@dataclass(frozen=True)
class Served:
    """A running server.

    Attributes:
        url: its address, without a path.
        pid: the id of its process.
        log: the file that it logs to.
    """

    url: str
    pid: int
    log: Path

    def held(self) -> Held:
        """The resources that it holds now."""
        process = Path(f"/proc/{self.pid}")
        pids = [int(pid) for path in process.glob("task/*/children") for pid in path.read_text().split()]
        return Held(
            (_pages(self.pid), sum(map(_resident, pids))),
            len(list((process / "fd").iterdir())),
            len(list((process / "task").iterdir())),
        )


@contextmanager
def served(code: str, arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> Iterator[Served]:
    """Run a server, ours or another, on a free port.

    Args:
        code: the Python code that serves, given `arguments` and `--port`.
        arguments: the arguments of its command line.
        log: the file to write its stderr to.
        environment: its environment variables in addition to ours.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", code, *arguments, "--port", str(port)]
    with log.open("wb") as stderr, subprocess.Popen(command, stderr=stderr, env=os.environ | environment) as process:
        try:
            while not _is_up(f"http://127.0.0.1:{port}/health"):
                if process.poll() is not None:
                    msg = f"the server ended: {log.read_text()[-500:]}"
                    raise RuntimeError(msg)
                time.sleep(0.1)
            yield Served(f"http://127.0.0.1:{port}", process.pid, log)
        finally:
            process.terminate()


@contextmanager
def lorekeeper(dataset: Path, log: Path, *options: str, **environment: str) -> Iterator[Served]:
    """`lorekeeper serve` over HTTP."""
    arguments = ["serve", "--dataset", str(dataset), "--transport", "http", *options]
    with served(SERVE, arguments, log, environment) as running:
        yield running


def _is_up(address: str) -> bool:
    try:
        httpx.get(address, trust_env=False)
    except httpx.TransportError:
        return False
    return True


def _resident(pid: int) -> int:
    """Bytes; 0 for a process that has ended, or that is still the fork of the server."""
    with suppress(FileNotFoundError, ProcessLookupError):
        if b"sql.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return _pages(pid)
    return 0


def _pages(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
