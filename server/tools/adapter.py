"""The one place where a tool meets FastMCP: published as the specification says, refused and failed in plain words."""

from __future__ import annotations

import json
import logging
import secrets
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
import fastmcp.tools
from fastmcp.tools import ToolResult
from mcp_types import TextContent, ToolAnnotations
from pydantic import PrivateAttr

from server.library.request import RequestError
from server.tools.output import output_schema

if TYPE_CHECKING:
    from server.library.library import Library
    from server.tools.tool import Tool

log = logging.getLogger(__name__)

_READ_ONLY: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class PublishedTool(fastmcp.tools.Tool):
    """A tool over a library. It reads its arguments itself, so that refusals are ours and not a validator's."""

    _tool: Tool = PrivateAttr()
    _library: Library = PrivateAttr()

    @classmethod
    def over(cls, library: Library, tool: Tool) -> PublishedTool:
        """Publish a tool that answers from a library."""
        published = cls(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            tags={tool.toolset},
            parameters=tool.input_schema(library),
            output_schema=output_schema(tool),
            annotations=_READ_ONLY,
        )
        published._tool = tool
        published._library = library
        return published

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Answer a call on a thread of its own, so that a slow one holds up no other."""
        return await anyio.to_thread.run_sync(self._answer, arguments)

    def _answer(self, arguments: dict[str, Any]) -> ToolResult:
        try:
            answer = self._tool.call(self._library, arguments)
        except RequestError as error:
            return _refused(" ".join(str(error).split()))
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("error %s in %s(%s)", error_id, self.name, arguments)
            return _refused(f"Internal error {error_id}: the server's log has the details under this id.")
        text = answer["text"] if "text" in answer else json.dumps(answer, ensure_ascii=False)
        return ToolResult(content=[TextContent(type="text", text=text)], structured_content=answer)


def _refused(message: str) -> ToolResult:
    return ToolResult(content=[TextContent(type="text", text=message)], is_error=True)
