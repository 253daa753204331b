"""`lorekeeper serve`: a real process on stdio, and the HTTP app."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from serving import SERVE

from server.app import create_server, http_app
from server.commands.serve import web_address
from server.dataset.load import load_dataset
from server.library.library import Library
from server.swap import LibraryHolder

LEGACY = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def start(folder: Path, **kwargs: Any) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [*SERVE, "--dataset", str(folder)]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, **kwargs)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stdio_ends_at_once_on_a_signal_though_stdin_is_open(tiny_folder: Path, number: signal.Signals):
    with start(tiny_folder) as process:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": LEGACY}) + "\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(number)
        assert process.wait(timeout=30) == 128 + number


def test_stdio_speaks_nothing_but_the_protocol(tiny_folder: Path, tmp_path: Path):
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=nonsense\n", encoding="utf-8")
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": LEGACY},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "search_spell", "arguments": {"search": "fire"}},
        },
        {
            "jsonrpc": "2.0",
            "id": 4,
            "method": "tools/call",
            "params": {"name": "search_spell", "arguments": {"lvl": 1}},
        },
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with start(tiny_folder, cwd=tmp_path, env=environment) as process:
        assert process.stdin
        assert process.stdout
        answers: dict[int, Any] = {}
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            if "id" in message:
                answer = json.loads(process.stdout.readline())
                answers[answer["id"]] = answer["result"]
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(20) == 0
    assert answers[1]["protocolVersion"] == LEGACY["protocolVersion"]
    assert "list_documents" in answers[1]["instructions"]
    assert len(answers[2]["tools"]) == 13
    assert json.loads(answers[3]["content"][0]["text"]) == answers[3]["structuredContent"]
    assert answers[4]["isError"] is True
    assert "structuredContent" not in answers[4]


def test_a_current_client_is_answered_on_stdio(tiny_folder: Path):
    transport = StdioTransport(
        command=SERVE[0],
        args=[*SERVE[1:], "--toolsets", "lookup", "--documents", "srd-5e"],
        env=os.environ | {"LOREKEEPER_DATASET": str(tiny_folder)},
    )

    async def ask() -> tuple[set[str], set[str]]:
        async with Client(transport) as client:
            tools = {tool.name for tool in await client.list_tools()}
            found = await client.call_tool("lookup_spell", {})
            return tools, {record["document_key"] for record in found.structured_content["results"]}

    tools, documents = asyncio.run(ask())
    assert len(tools) == 6
    assert documents == {"srd-2014"}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--dataset", "nowhere"], 1, "is not a dataset"),
        ([], 2, "--dataset DIR"),
        (["--transport", "http", "--host", "0.0.0.0"], 2, "LOREKEEPER_TOKEN"),  # noqa: S104 - refused
        (["--documents", "srd-2015"], 2, "srd-2014"),
    ],
)
def test_a_server_that_cannot_serve_says_why_in_one_line(tiny_folder: Path, tmp_path: Path, arguments, code, said):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LOREKEEPER_")}
    environment["LOREKEEPER_HOME"] = str(tmp_path)
    if "--documents" in arguments:
        environment["LOREKEEPER_DATASET"] = str(tiny_folder)
    done = subprocess.run([*SERVE, *arguments], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("host", "address"), [("127.0.0.1", "http://127.0.0.1:8000"), ("::1", "http://[::1]:8000")])
def test_the_announced_address_can_be_opened(host: str, address: str):
    assert web_address(host, 8000) == address
    assert httpx.URL(address).port == 8000


def test_a_port_of_another_program_is_refused_in_one_line(tiny_folder: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        command = [*SERVE, "--transport", "http", "--port", port, "--dataset", str(tiny_folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"lorekeeper: cannot listen on 127.0.0.1, port {port}: Address already in use\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--toolsets", "magic"], "search, lookup, query, compat, research, table"),
        (["--transport", "pigeon"], "stdio"),
        (["--transport", "http", "--port", "70000"], "65535"),
        (["--transport", "http", "--public-url", "lore.example"], "https://lore.example"),
        (["--transport", "http", "--public-url", "https://lore.example/dnd"], "whole host"),
        (["--workers", "2"], "--workers is for --transport http"),
        (["--host", "0.0.0.0"], "--host is for --transport http"),  # noqa: S104 - refused
        (["--port", "80"], "--port is for --transport http"),
        (["--no-auth"], "--no-auth is for --transport http"),
        (["--public-url", "https://lore.example"], "--public-url is for --transport http"),
    ],
)
def test_an_invalid_option_is_refused_in_one_line(lorekeeper, arguments: list[str], said: str):
    # Refused before the process catches signals, so a process of its own is not needed.
    code, out, err = lorekeeper("serve", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_http_answers_calls_and_refuses_other_hosts(tiny_library: Library):
    app = http_app(create_server(LibraryHolder(tiny_library)))
    call = {"name": "lookup_spell", "arguments": {"name": "fireball"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Accept": "application/json, text/event-stream"}

    async def ask() -> list[httpx.Response]:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
        ):
            return [
                await client.get("/health"),
                await client.post("/mcp", json=body, headers=headers),
                await client.post("/mcp", json=body, headers=headers | {"Host": "evil.example"}),
                await client.post("/mcp", json=body, headers=headers | {"Origin": "http://evil.example"}),
            ]

    health, answer, foreign_host, foreign_origin = asyncio.run(ask())
    assert health.json() == {"status": "ok", "dataset": tiny_library.identity}
    assert answer.json()["result"]["structuredContent"]["results"][0]["name"] == "Fireball"
    assert foreign_host.status_code == 421
    assert foreign_origin.status_code == 403


def test_the_allow_header_names_the_allowed_methods(tiny_library: Library):
    app = http_app(create_server(LibraryHolder(tiny_library)))

    async def ask() -> tuple[httpx.Response, dict[str, int]]:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
        ):
            refused = await client.get("/mcp")
            allowed = refused.headers["allow"].split(", ")
            return refused, {method: (await client.request(method, "/mcp")).status_code for method in allowed}

    refused, answered = asyncio.run(ask())
    assert refused.status_code == 405
    assert "POST" in answered
    assert 405 not in answered.values()


@pytest.mark.parametrize(
    ("encode_timeout", "status", "said"), [(60, 200, "ready"), (0, 503, "the encoder took longer than 0 s")]
)
def test_a_server_is_ready_while_it_can_search_by_meaning(
    tiny_folder: Path, encode_timeout: float, status: int, said: str
):
    library = Library(load_dataset(tiny_folder), encode_timeout=encode_timeout)
    app = http_app(create_server(LibraryHolder(library), token="secret"))

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            return await client.get("/ready")

    answer = asyncio.run(ask())
    assert (answer.status_code, answer.json()) == (status, {"status": said, "dataset": library.identity})


def test_concurrent_calls_get_the_same_answers(tiny_library: Library):
    async def ask() -> list[Any]:
        async with Client(create_server(LibraryHolder(tiny_library))) as client:
            calls = (client.call_tool("search_all", {"query": "fire", "offset": i % 3}) for i in range(30))
            return [result.structured_content for result in await asyncio.gather(*calls)]

    answers = asyncio.run(ask())
    assert answers[:3] * 10 == answers
