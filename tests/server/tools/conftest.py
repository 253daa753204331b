"""A server with the tiny dataset, and an in-memory client that stays connected for the session."""

from collections.abc import Callable, Iterator
from typing import Any

import fastmcp.client.client
import mcp_types
import pytest
from anyio.from_thread import start_blocking_portal
from fastmcp import Client, FastMCP

from server.app import create_server
from server.library.library import Library
from server.settings import TOOLSETS
from server.swap import LibraryHolder

Call = Callable[[str, dict[str, Any]], fastmcp.client.client.CallToolResult]


@pytest.fixture(scope="session")
def tiny_server(tiny_library: Library) -> FastMCP:
    return create_server(LibraryHolder(tiny_library), toolsets=TOOLSETS)


@pytest.fixture(scope="session")
def listing(tiny_library: Library) -> mcp_types.ListToolsResult:
    """The answer to `tools/list` with the default tool sets."""
    with start_blocking_portal() as portal:

        async def listed() -> mcp_types.ListToolsResult:
            async with Client(create_server(LibraryHolder(tiny_library))) as client:
                return await client.list_tools_mcp()

        return portal.call(listed)


@pytest.fixture(scope="session")
def call(tiny_server: FastMCP) -> Iterator[Call]:
    """Calls a tool through a client; errors are returned as results."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(tiny_server)) as client:

        def call_tool(name: str, arguments: dict[str, Any]) -> fastmcp.client.client.CallToolResult:
            return portal.call(lambda: client.call_tool(name, arguments, raise_on_error=False))

        yield call_tool
