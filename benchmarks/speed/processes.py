"""A server as a separate process, called over its pipes by a minimal client."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

PROTOCOL: Final = "2025-11-25"
FLOOR: Final = (sys.executable, "-m", "benchmarks.speed.floor")
"""An empty FastMCP server; an argument names the file of the answers of its one tool."""

_HELLO: Final = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_MEMORY: Final = re.compile(r"^(VmRSS|RssAnon):\s+(\d+) kB$", re.MULTILINE)


def ours(dataset: Path) -> tuple[str, ...]:
    """The command that serves a dataset."""
    return (sys.executable, "-c", "from server.cli import main; main()", "serve", "--dataset", str(dataset))


class StdioServer:
    """A server on stdio, timed from its start."""

    def __init__(self, command: Sequence[str]) -> None:
        self._started = time.perf_counter()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def age(self) -> float:
        """The seconds since it was started."""
        return time.perf_counter() - self._started

    def hello(self) -> None:
        """Send `initialize` and wait for the answer."""
        self._ask("initialize", _HELLO)
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[float, dict[str, Any]]:
        """The seconds until a tool answered, and the answer's structured content ({} for a refusal)."""
        start = time.perf_counter()
        line = self._ask("tools/call", {"name": tool, "arguments": arguments})
        seconds = time.perf_counter() - start
        return seconds, json.loads(line)["result"].get("structuredContent", {})

    def _ask(self, method: str, parameters: dict[str, Any]) -> bytes:
        """The line that answers, not parsed: parsing JSON is not the server's work."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            if b'"id":' in line:
                return line
        msg = f"the server ended instead of answering {method}"
        raise RuntimeError(msg)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


def resident(pid: int) -> tuple[float, float]:
    """Resident megabytes (10⁶) of a process, and how many of them are its own rather than files'. Linux only."""
    held = {name: int(kilobytes) for name, kilobytes in _MEMORY.findall(Path(f"/proc/{pid}/status").read_text("utf-8"))}
    return held["VmRSS"] * 1024 / 1e6, held["RssAnon"] * 1024 / 1e6


def children(pid: int) -> list[int]:
    """The processes that a process has started. Linux only."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text("utf-8").split()]
