"""Calls of published tools, answered before they reach FastMCP.

FastMCP looks the tool up in its providers, opens two contexts and two spans, and copies the answer three times, value
by value: more work than most look-ups. Our tools check their arguments themselves and answer in JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import SERVER_INFO_META_KEY
from mcp_types.methods import validate_client_request
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.lowlevel import Server

    from server.tools.adapter import Answer, PublishedTool
    from server.tools.provider import LibraryTools


class DirectCalls:
    """Middleware of the protocol's server; all other requests, including malformed calls, continue to FastMCP."""

    def __init__(self, tools: LibraryTools, server: Server[Any]) -> None:
        """Answer calls of these tools for this server."""
        self._tools = tools
        self._server = server

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """The answer to a request."""
        if ctx.method != "tools/call" or not _is_call(ctx):
            return await call_next(ctx)
        assert ctx.params is not None
        tool: PublishedTool | None = await self._tools.published(ctx.params["name"])
        if tool is None:
            return await call_next(ctx)
        return self._as_sent(ctx.protocol_version, await tool.answer(ctx.params.get("arguments") or {}))

    def _as_sent(self, version: str, answer: Answer) -> dict[str, Any]:
        """The result of a call in the form of a protocol version."""
        modern = version in MODERN_PROTOCOL_VERSIONS
        result: dict[str, Any] = {"content": [{"text": answer.text, "type": "text"}]}
        result["isError"] = answer.structured is None
        if modern:
            result["resultType"] = "complete"
        if answer.structured is not None:
            result["structuredContent"] = answer.structured
        if modern:
            result["_meta"] = {SERVER_INFO_META_KEY: self._server.server_info_stamp}
        return result


def _is_call(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether a request is a valid call that its client may make: on stdio only after initializing."""
    if ctx.request is None and ctx.session.client_params is None:
        return False
    try:
        validate_client_request(ctx.method, ctx.protocol_version, ctx.params)
    except (ValidationError, KeyError):
        return False
    return True
