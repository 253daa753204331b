"""The library as an MCP client sees it: `lorekeeper serve` as a separate process, on stdio."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from benchmarks.assistant.cases import Call, DatasetName
from benchmarks.assistant.transcript import Run, Turn


class ServedTools:
    """The tools of a server."""

    def __init__(self, client: Client[Any]) -> None:
        self._client = client

    async def call(self, call: Call) -> Turn:
        """Make a call; refusals are answers too."""
        result = await self._client.call_tool(call.tool, call.arguments, raise_on_error=False)
        text = "\n".join(block.text for block in result.content if block.type == "text")
        return Turn(call=call, text=text, structured=None if result.is_error else result.structured_content)

    async def describe(self, model: str, dataset: Path, content: DatasetName) -> Run:
        """The run of a model over these tools."""
        listed = await self._client.list_tools()
        tools = [{"name": t.name, "description": t.description, "inputSchema": t.input_schema} for t in listed]
        documents = (await self.call(Call(tool="list_documents"))).structured or {}
        return Run(
            model=model,
            date=datetime.now(UTC).date().isoformat(),
            dataset=dataset,
            content=content,
            identity=documents["dataset"],
            instructions=self._client.instructions or "",
            tools=tools,
        )


@asynccontextmanager
async def serving(dataset: Path) -> AsyncIterator[ServedTools]:
    """A server over a dataset, which ends with the block."""
    command = ["-c", "from server.cli import main; main()", "serve", "--dataset", str(dataset), "--log-level", "error"]
    transport = StdioTransport(command=sys.executable, args=command, env=dict(os.environ), keep_alive=False)
    async with Client(transport) as client:
        yield ServedTools(client)
