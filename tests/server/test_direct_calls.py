"""Calls answered without FastMCP have the same bytes as its answers."""

import asyncio
import json
import subprocess
import sys
from typing import Any

import httpx
import pytest
from fastmcp import FastMCP

from server.app import create_server, http_app
from server.library.library import Library
from server.swap import LibraryHolder
from server.tools.direct import DirectCalls

ERAS = ("2024-11-05", "2025-06-18", "2026-07-28")
MODERN = {
    "io.modelcontextprotocol/protocolVersion": ERAS[-1],
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
PARAMS: list[Any] = [
    {"name": "lookup_spell", "arguments": {"name": "fireball"}},
    {"name": "lookup_spell", "arguments": {"name": "fireball", "format": "markdown"}},
    {"name": "search_all", "arguments": {"query": "fire", "limit": 3}},
    {"name": "search_spell", "arguments": {"level": 12}},
    {"name": "list_documents"},
    {"name": "list_documents", "arguments": None, "_meta": {"progressToken": 3}},
    {"name": "list_documents", "arguments": [], "extra": 1},
    {"name": "no_such_tool", "arguments": {}},
    {"name": 5},
    {},
    [],
]


def answers(library: Library, era: str, *, direct: bool) -> list[tuple[int, bytes]]:
    server = create_server(LibraryHolder(library))
    if not direct:
        protocol = server._mcp_server
        protocol.middleware = [each for each in protocol.middleware if not isinstance(each, DirectCalls)]
    app = http_app(server)

    async def ask() -> list[tuple[int, bytes]]:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
        ):
            found = [await client.post("/mcp", **request(params, era)) for params in PARAMS]
            return [(answer.status_code, answer.content) for answer in found]

    return asyncio.run(ask())


def request(params: Any, era: str) -> dict[str, Any]:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": era}
    if era == ERAS[-1] and isinstance(params, dict):
        params = {**params, "_meta": MODERN | params.get("_meta", {})}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": str(params.get("name"))}
    return {"json": {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}, "headers": headers}


@pytest.mark.parametrize("era", ERAS)
def test_direct_answers_have_fastmcps_bytes(tiny_library: Library, era: str):
    found = answers(tiny_library, era, direct=True)
    assert b"Fireball" in found[0][1]
    assert found == answers(tiny_library, era, direct=False)


def test_direct_calls_do_not_reach_fastmcp(tiny_library: Library, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(FastMCP, "call_tool", None)
    (_, fireball), *_ = answers(tiny_library, ERAS[1], direct=True)
    assert b"Fireball" in fireball


def test_stdio_calls_before_initialization_are_not_answered():
    program = (
        "from server.app import create_server; from server.swap import LibraryHolder; "
        "create_server(LibraryHolder(), identity={}, web=False).run('stdio', show_banner=False)"
    )
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": PARAMS[0]}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write(json.dumps(call) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.kill()
    assert answer["error"]["code"] == -32602
