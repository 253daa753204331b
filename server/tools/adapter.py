"""The tools in FastMCP's form: what they publish, and how they answer calls and report refusals and failures."""

from __future__ import annotations

import logging
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import fastmcp.tools
from fastmcp.tools import ToolResult
from mcp_types import TextContent, ToolAnnotations
from mcp_types import Tool as ListedTool
from pydantic import PrivateAttr

from server.library.messages import did_you_mean
from server.library.requests.request import RequestError
from server.tools.output import output_schema
from server.tools.registry import SUCCESSORS
from server.tools.threads import BusyError, on_a_thread
from server.tools.values import listed, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.library import Library
    from server.swap import LibraryHolder
    from server.tools.tool import Tool

log = logging.getLogger(__name__)

_READ_ONLY: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class Answer(NamedTuple):
    """The answer to a call: the structured content, None if the call is refused, and the text."""

    structured: dict[str, Any] | None
    text: str


class PublishedTool(fastmcp.tools.Tool):
    """A tool over the library in service. It checks its arguments itself, so that refusals have our own messages."""

    _tool: Tool = PrivateAttr()
    _holder: LibraryHolder = PrivateAttr()

    @classmethod
    def over(cls, holder: LibraryHolder, library: Library, tool: Tool) -> PublishedTool:
        """Publish a tool that answers from the library in service; its descriptions list the values of `library`."""
        published = cls(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            parameters=tool.input_schema(library),
            output_schema=output_schema(tool),
            annotations=_READ_ONLY,
        )
        published._tool = tool
        published._holder = holder
        return published

    def to_mcp_tool(self, **overrides: Any) -> ListedTool:
        """The tool as in `tools/list`, without FastMCP's `_meta`, which no client uses."""
        return super().to_mcp_tool(**{"_meta": None, **overrides})

    async def answer(self, arguments: dict[str, Any]) -> Answer:
        """Answer a call on a thread of its own, so that slow calls do not block others, unless too many wait."""
        try:
            return await on_a_thread(partial(self._answer, arguments), waits=self._tool.waits)
        except BusyError as busy:
            return Answer(None, str(busy))

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Answer a call that reaches FastMCP because `DirectCalls` does not handle it."""
        structured, text = await self.answer(arguments)
        return ToolResult([TextContent(type="text", text=text)], structured, is_error=structured is None)

    def _answer(self, arguments: dict[str, Any]) -> Answer:
        try:
            with self._holder.lend() as library:
                return Answer(*self._tool.respond(library, arguments))
        except RequestError as error:
            return Answer(None, " ".join(str(error).split()))
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("error %s in %s(%s)", error_id, self.name, arguments)
            return Answer(None, f"Internal error {error_id}: the server's log has details under this id.")


class UnknownTool(fastmcp.tools.Tool):
    """A stand-in for an unpublished tool: it refuses calls and names the tool to use. It is never listed.

    Its own name is none that a caller gave: the SDK logs the names that it finds unusual, in full.
    """

    _NAME: ClassVar = "unknown"
    _refusal: str = PrivateAttr()

    @classmethod
    def instead_of(cls, name: str, published: Sequence[fastmcp.tools.Tool]) -> UnknownTool:
        """The stand-in for the tool `name`."""
        names = [tool.name for tool in published]
        successor = SUCCESSORS.get(name)
        hint = f" Use {successor}." if successor in names else did_you_mean(name, names)
        unknown = cls(name=cls._NAME, parameters={"type": "object"})
        unknown._refusal = f"There is no tool {shown(name)}.{hint} The tools: {listed(names)}."
        return unknown

    async def run(self, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - whatever they are
        """Refuse the call."""
        return ToolResult([TextContent(type="text", text=self._refusal)], is_error=True)
