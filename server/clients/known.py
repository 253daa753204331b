"""The MCP clients that `lorekeeper install` can configure, as their documentation describes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from platformdirs import user_config_path

if TYPE_CHECKING:
    from collections.abc import Callable

ClientName = Literal["claude-desktop", "claude-code", "cursor", "vscode", "gemini-cli", "codex", "windsurf"]


@dataclass(frozen=True, slots=True)
class Client:
    """A client and where it reads its MCP servers.

    Attributes:
        title: its name, as its users know it.
        path: the configuration file, JSON (comments allowed) or TOML by its suffix; a function, as it depends on
            the user's home and the current folder.
        servers: the key of the object of servers in that file.
        typed: whether entries name their transport (`"type": "stdio"`).
    """

    title: str
    path: Callable[[], Path]
    servers: str = "mcpServers"
    typed: bool = False

    @property
    def name(self) -> str:
        """Its title without the place of the configuration."""
        return self.title.partition(",")[0]


def _application(*parts: str) -> Path:
    return user_config_path(roaming=True).joinpath(*parts)


CLIENTS: Final[dict[ClientName, Client]] = {
    "claude-desktop": Client("Claude Desktop", lambda: _application("Claude", "claude_desktop_config.json")),
    "claude-code": Client("Claude Code, in this folder", lambda: Path.cwd() / ".mcp.json", typed=True),
    "cursor": Client("Cursor", lambda: Path.home() / ".cursor" / "mcp.json", typed=True),
    "vscode": Client("VS Code", lambda: _application("Code", "User", "mcp.json"), servers="servers", typed=True),
    "gemini-cli": Client("Gemini CLI", lambda: Path.home() / ".gemini" / "settings.json"),
    "codex": Client("Codex", lambda: Path.home() / ".codex" / "config.toml", servers="mcp_servers"),
    "windsurf": Client("Windsurf", lambda: Path.home() / ".codeium" / "windsurf" / "mcp_config.json"),
}
