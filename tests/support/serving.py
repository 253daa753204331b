"""`lorekeeper serve` as a process of its own, for tests of clients."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

SERVE = [sys.executable, "-c", "from server.cli import main; main()", "serve"]
START_SECONDS = 60


@contextmanager
def over_http(dataset: Path, log: Path, *options: str) -> Iterator[str]:
    """A server on a free port of this machine: its address. What it logs goes to `log`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [*SERVE, *options, "--transport", "http", "--port", str(port), "--dataset", str(dataset)]
    with log.open("w") as stderr, subprocess.Popen(command, stderr=stderr) as process:
        try:
            _wait_for(f"{address}/health", process, log)
            yield f"{address}/mcp"
        finally:
            process.terminate()


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
