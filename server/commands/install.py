"""`lorekeeper install`: add the server to a client's configuration."""

from __future__ import annotations

import json
import os
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter
from platformdirs import user_config_path
from rich.console import Console

from server.commands.options import DatasetOption, DocumentsOption, ToolsetsOption
from server.settings import SettingsError, dataset_folder, read_toolsets
from server.store.locate import named_dataset

if TYPE_CHECKING:
    from collections.abc import Callable

ClientName = Literal["claude-desktop", "claude-code", "cursor", "vscode"]

SERVER_NAME: Final = "lorekeeper"


@dataclass(frozen=True, slots=True)
class _Client:
    """A client: its name, the file with its MCP servers, and the key in that file."""

    title: str
    path: Callable[[], Path]
    key: str = "mcpServers"


def _application(*parts: str) -> Path:
    return user_config_path(roaming=True).joinpath(*parts)


_CLIENTS: Final[dict[ClientName, _Client]] = {
    "claude-desktop": _Client("Claude Desktop", lambda: _application("Claude", "claude_desktop_config.json")),
    "claude-code": _Client("Claude Code, in this folder", lambda: Path.cwd() / ".mcp.json"),
    "cursor": _Client("Cursor", lambda: Path.home() / ".cursor" / "mcp.json"),
    "vscode": _Client("VS Code", lambda: _application("Code", "User", "mcp.json"), key="servers"),
}


def install(
    client: ClientName,
    *,
    print_only: Annotated[bool, Parameter(name="--print", negative="", help="Print the entry, write nothing.")] = False,
    dataset: DatasetOption = None,
    documents: DocumentsOption = None,
    toolsets: ToolsetsOption = None,
) -> int:
    """Add the server to a client's configuration, keeping everything else in it."""
    target = _CLIENTS[client]
    dataset_folder(dataset)  # fails if the server could not start
    entry = _entry(named_dataset(dataset, os.environ), documents, toolsets)
    if print_only:
        print(json.dumps({target.key: {SERVER_NAME: entry}}, indent=2))  # noqa: T201 - the output itself
        return 0
    path = target.path()
    _add(path, target.key, entry)
    Console(stderr=True, soft_wrap=True, highlight=False).print(f"wrote {path}; restart {target.title}")
    return 0


def _entry(dataset: Path | None, documents: str | None, toolsets: str | None) -> dict[str, Any]:
    """The configuration entry, with absolute paths because clients may start the server from any folder.

    Without `dataset`, the server uses whichever dataset is in use when it starts.
    """
    command = Path(sysconfig.get_path("scripts")) / ("lorekeeper.exe" if os.name == "nt" else "lorekeeper")
    arguments = ["serve"]
    if dataset is not None:
        arguments += ["--dataset", str(dataset.resolve())]
    if documents:
        arguments += ["--documents", documents]
    if toolsets:
        arguments += ["--toolsets", ",".join(read_toolsets(toolsets))]
    return {"type": "stdio", "command": str(command), "args": arguments}


def _add(path: Path, key: str, entry: dict[str, Any]) -> None:
    """Write the entry into the file, which is replaced atomically."""
    try:
        configuration = json.loads(path.read_text(encoding="utf-8") or "{}") if path.exists() else {}
    except ValueError as error:
        msg = f"{path} is not plain JSON ({error}); add the output of --print by hand"
        raise SettingsError(msg) from error
    servers = configuration.setdefault(key, {}) if isinstance(configuration, dict) else None
    if not isinstance(servers, dict):
        msg = f"{path} has no object {key!r}; add the output of --print by hand"
        raise SettingsError(msg)
    servers[SERVER_NAME] = entry
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(json.dumps(configuration, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(path)
