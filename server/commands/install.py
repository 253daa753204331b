"""`lorekeeper install`: add the server to a client's configuration, or remove it."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from server.clients.configuration import (
    BACKUP_SUFFIX,
    ConfigurationError,
    read_entry,
    remove_entry,
    rendered_entry,
    write_entry,
)
from server.clients.known import CLIENTS, Client, ClientName
from server.clients.probe import ProbeError, ask_server
from server.commands.options import DatasetOption, DocumentsOption, PreferOption, ToolsetsOption
from server.dataset.terminal import lines_console, write
from server.settings import SettingsError, dataset_folder, open_library, read_toolsets
from server.store.locate import named_dataset


def install(
    client: ClientName,
    /,
    *,
    print_only: Annotated[bool, Parameter(name="--print", negative="", help="Print the entry, write nothing.")] = False,
    remove: Annotated[bool, Parameter(negative="", help="Remove the entry.")] = False,
    dataset: DatasetOption = None,
    documents: DocumentsOption = None,
    prefer: PreferOption = None,
    toolsets: ToolsetsOption = None,
) -> int:
    """Add the server to a client's configuration, or remove it; everything else in the file stays as it is.

    The server is started with these options first: nothing is written unless it answers. The file as it was lies
    beside the new one. A campaign's settings are options: `--documents 2014` for an edition, `--documents srd-5e,tob3`
    for the books at the table.
    """
    target = CLIENTS[client]
    console = lines_console(stderr=True)
    try:
        if remove:
            path = remove_entry(target)
            console.print(f"removed from {path}" if path else f"{target.path()} has no entry to remove")
            return 0
        dataset_folder(dataset)  # says how to get one, before a server is started to say the same
        entry = _entry(target, named_dataset(dataset, os.environ), documents, prefer, toolsets)
        if print_only:
            open_library(dataset, documents, prefer).close()  # refuses what a server would
            write(rendered_entry(target, entry))
            console.print(f"{target.title} reads it from {target.path()}")
            return 0
        environment = (read_entry(target) or {}).get("env", {})
        answer = ask_server(entry["command"], entry["args"], environment)
        if not target.path().parent.is_dir():
            console.print(f"{target.name} has left nothing in {target.path().parent}: was it ever started here?")
        path = write_entry(target, entry)
    except (ConfigurationError, ProbeError) as error:
        raise SettingsError(str(error)) from error
    console.print(f"the server answers, with {len(answer.tools)} tools after {answer.seconds:.1f} s")
    backup = path.resolve().with_name(path.resolve().name + BACKUP_SUFFIX)
    console.print(f"wrote {path}{f'; as it was: {backup}' if backup.exists() else ''}")
    console.print(f"now restart {target.name} and ask it something")
    return 0


def server_command() -> Path:
    """The program to start, by its full path: clients start it from any folder."""
    return Path(sysconfig.get_path("scripts")) / ("lorekeeper.exe" if os.name == "nt" else "lorekeeper")


def _entry(
    client: Client, dataset: Path | None, documents: str | None, prefer: str | None, toolsets: str | None
) -> dict[str, Any]:
    """The configuration entry; without `dataset` the server takes whichever is in use when it starts."""
    arguments = ["serve"]
    for option, value in (
        ("--dataset", dataset and str(dataset.resolve())),
        ("--documents", documents),
        ("--prefer", prefer),
        ("--toolsets", toolsets and ",".join(read_toolsets(toolsets))),
    ):
        arguments += [option, value] if value else []
    transport = {"type": "stdio"} if client.typed else {}
    return {**transport, "command": str(server_command()), "args": arguments}
