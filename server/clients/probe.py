"""A check that a server answers when started as a client would start it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PATIENCE: Final = 60.0
"""Seconds that clients wait before they give up on a server."""


class ProbeError(Exception):
    """The server did not answer; the message is its last line on stderr, or the error."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answers.

    Attributes:
        seconds: from its start to the list of its tools.
        tools: their names.
        results: number of results of a search over everything; None if the server does not offer that search.
    """

    seconds: float
    tools: tuple[str, ...]
    results: int | None


def ask_server(command: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Answer:
    """Start a server on stdio, list its tools, search, and stop it.

    Args:
        command: the program.
        arguments: its arguments.
        environment: the variables that its entry sets. From this process it inherits only those that clients pass on:
            home, path, user, terminal.

    Raises:
        ProbeError: the message says why it did not answer.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "stderr"
        try:
            return asyncio.run(_ask(command, list(arguments), dict(environment), log))
        except Exception as error:  # whatever the client library raises, it means that there is no answer
            raise ProbeError(_last_line(log) or _reason(error)) from error


async def _ask(command: str, arguments: list[str], environment: dict[str, str], log: Path) -> Answer:
    from fastmcp import Client  # noqa: PLC0415 - the import takes half a second
    from fastmcp.client.transports import StdioTransport  # noqa: PLC0415

    transport = StdioTransport(command, arguments, env=environment, keep_alive=False, log_file=log)
    started = time.monotonic()
    async with Client(transport, timeout=_PATIENCE, init_timeout=_PATIENCE) as client:
        tools = tuple(tool.name for tool in await client.list_tools())
        seconds = time.monotonic() - started
        found: Any = None
        if "search_all" in tools:
            found = (await client.call_tool("search_all", {"query": "heal wounds", "limit": 1})).structured_content
    return Answer(seconds, tools, found["count"] if found else None)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    shown = [line.strip() for line in lines if line.strip()]
    return shown[-1].removeprefix("lorekeeper: ") if shown else ""


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
