"""FastMCP's provider of the tools, once there is a library in service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio.to_thread
from fastmcp.server.providers import Provider

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import fastmcp.tools
    from fastmcp.utilities.components import FastMCPComponent
    from fastmcp.utilities.versions import VersionSpec

    from server.swap import LibraryHolder
    from server.tools.adapter import PublishedTool


class LibraryTools(Provider):
    """The tools over the library in service; their descriptions list its values. Listing them waits for a library."""

    def __init__(self, holder: LibraryHolder, toolsets: Collection[str], public_url: str = "") -> None:
        """Publish the tools of `toolsets`, again whenever another library goes into service.

        Args:
            holder: the library in service.
            toolsets: the tool sets to offer.
            public_url: as for `tools_of`.
        """
        super().__init__()
        self._holder = holder
        self._toolsets = toolsets
        self._public_url = public_url
        self._generation = -1
        self._published: Sequence[PublishedTool] = ()

    async def _get_tool(self, name: str, version: VersionSpec | None = None) -> fastmcp.tools.Tool:
        """The tool of that name; if it is unknown, a tool whose answer lists the existing ones."""
        if found := await super()._get_tool(name, version):
            return found
        from server.tools.adapter import UnknownTool  # noqa: PLC0415 - as below

        return UnknownTool.instead_of(name, await self._list_tools())

    async def published(self, name: object) -> PublishedTool | None:
        """The tool of that name; None if none is published under it."""
        return next((tool for tool in await self._list_tools() if tool.name == name), None)

    async def get_tasks(self) -> Sequence[FastMCPComponent]:
        """Empty, as no tool runs in the background. FastMCP asks before the greeting, and would list the tools."""
        return ()

    async def _list_tools(self) -> Sequence[PublishedTool]:
        if self._generation < 0 or self._generation != self._holder.generation:
            self._generation, self._published = await anyio.to_thread.run_sync(self._publish)
        return self._published

    def _publish(self) -> tuple[int, Sequence[PublishedTool]]:
        """The library's generation and its tools; the generation is outdated if the library was replaced meanwhile."""
        generation = self._holder.generation
        with self._holder.lend() as library:
            # The tools need the engine, which takes longer to import than FastMCP needs to greet.
            from server.tools.adapter import PublishedTool  # noqa: PLC0415
            from server.tools.registry import tools_of  # noqa: PLC0415

            tools = tools_of(self._toolsets, self._public_url)
            return generation, [PublishedTool.over(self._holder, library, tool) for tool in tools]
