"""`lorekeeper serve` as a separate process, for tests of clients."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

SERVE = [sys.executable, "-c", "from server.cli import main; main()", "serve"]
START_SECONDS = 60


class Served(NamedTuple):
    """The address of a server's endpoint, and its process."""

    endpoint: str
    process: subprocess.Popen[bytes]


@contextmanager
def process_over_http(dataset: Path, log: Path, *options: str) -> Iterator[Served]:
    """A server on a free port of this machine, which logs to `log`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [*SERVE, *options, "--transport", "http", "--port", str(port), "--dataset", str(dataset)]
    with log.open("w") as stderr, subprocess.Popen(command, stderr=stderr) as process:
        try:
            _wait_for(f"{address}/health", process, log)
            yield Served(f"{address}/mcp", process)
        finally:
            process.terminate()


@contextmanager
def over_http(dataset: Path, log: Path, *options: str) -> Iterator[str]:
    """The same; yields the address of its endpoint."""
    with process_over_http(dataset, log, *options) as served:
        yield served.endpoint


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.get(url, trust_env=False).raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(log.read_text())
