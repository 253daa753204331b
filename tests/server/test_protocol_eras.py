"""Old and new protocol, stdio and HTTP, the SDK's client and FastMCP's: all get the same answers."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastmcp
import mcp
import pytest
from fastmcp.client.transports import StdioTransport
from mcp import StdioServerParameters
from serving import SERVE, over_http

ERAS = ("legacy", "2026-07-28")
"""With a handshake, and without one."""

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("lookup_spell", {"name": "fireball"}),
    ("search_all", {"query": "fire", "limit": 3}),
    ("search_creature", {"cr": "1/3"}),
    ("lookup_rule", {"rule_type": "condition", "documents": []}),
    ("list_documents", {"format": "text"}),
]
Seen = list[Any]


@pytest.fixture(scope="module")
def address(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with over_http(tiny_folder, tmp_path_factory.mktemp("http") / "log") as address:
        yield address


async def seen_by_sdk(server: Any, era: str) -> Seen:
    """What the SDK's client sees, which validates every answer."""
    async with mcp.Client(server, mode=era) as client:
        tools = (await client.list_tools()).tools
        answers = [await client.call_tool(tool, arguments) for tool, arguments in CALLS]
    return seen(tools, answers)


async def seen_by_fastmcp(server: Any, era: str) -> Seen:
    async with fastmcp.Client(server, mode=era) as client:
        tools = await client.list_tools()
        answers = [await client.call_tool(tool, arguments, raise_on_error=False) for tool, arguments in CALLS]
    return seen(tools, answers)


def seen(tools: Any, answers: Any) -> Seen:
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    return [listed, *((a.is_error, a.structured_content, [part.text for part in a.content]) for a in answers)]


@pytest.fixture(scope="module")
def reference(address: str) -> Seen:
    return asyncio.run(seen_by_sdk(address, ERAS[0]))


def test_the_reference_answers_are_sound(reference: Seen) -> None:
    tools, fireball, ranked, refused, empty, table = reference
    assert len(tools) == 13
    assert json.loads(fireball[2][0]) == fireball[1]
    assert ranked[1]["results"][0]["similarity_score"]
    assert refused[0]
    assert refused[1] is None
    assert refused[2][0].startswith('cr cannot be "1/3".')
    assert empty[1]["results"] == []
    assert table[2] == [table[1]["text"]]


@pytest.mark.parametrize("era", ERAS)
def test_http_gives_the_reference_answers(address: str, reference: Seen, era: str) -> None:
    assert asyncio.run(seen_by_sdk(address, era)) == reference
    assert asyncio.run(seen_by_fastmcp(address, era)) == reference


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
def test_stdio_gives_the_reference_answers(tiny_folder: Path, reference: Seen, era: str) -> None:
    command, *arguments = [*SERVE, "--dataset", str(tiny_folder)]
    assert asyncio.run(seen_by_sdk(StdioServerParameters(command=command, args=arguments), era)) == reference
    assert asyncio.run(seen_by_fastmcp(StdioTransport(command=command, args=arguments), era)) == reference
