"""`lorekeeper install`: add the server to a client's configuration, or remove it."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import Parameter

from server.clients.configuration import (
    BACKUP_SUFFIX,
    ConfigurationError,
    read_entry,
    remove_entry,
    rendered_entry,
    write_entry,
)
from server.clients.known import CLIENTS, ClientName
from server.clients.probe import ProbeError, ask_server
from server.commands.options import DatasetOption, DocumentsOption, PreferOption, ToolsetsOption
from server.dataset.terminal import lines_console, write
from server.settings import (
    ENCODE_TIMEOUT_VARIABLE,
    LOG_LEVEL_VARIABLE,
    MAX_RESPONSE_VARIABLE,
    SettingsError,
    dataset_folder,
    open_library,
    read_toolsets,
)
from server.store.home import HOME_VARIABLE, Home
from server.store.locate import named_dataset

_DATA_FOLDER: Final = "XDG_DATA_HOME"
_WITHOUT_OPTION: Final = (MAX_RESPONSE_VARIABLE, ENCODE_TIMEOUT_VARIABLE, LOG_LEVEL_VARIABLE)
"""Settings of a server on stdio that the entry passes on in its environment rather than as options."""


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

    The server is first started with these options, as the client would start it: nothing is written unless it answers.
    Clients do not pass on this shell's environment, so its settings are written too. A backup of the old file is kept
    next to the new one. A campaign's settings are options: `--documents 2014` for an edition, `--documents
    srd-2014,srd-2024` for the books at the table.
    """
    target = CLIENTS[client]
    console = lines_console(stderr=True)
    try:
        if remove:
            path = remove_entry(target)
            console.print(f"removed from {path}" if path else f"{target.path()} has no entry to remove")
            return 0
        dataset_folder(dataset)  # says how to get one, without starting a server to say the same
        transport = {"type": "stdio"} if target.typed else {}
        entry = transport | server_entry(dataset, documents, prefer, toolsets)
        if print_only:
            open_library(dataset, documents, prefer).close()  # refuses what a server would refuse
            write(rendered_entry(target, entry))
            console.print(f"{target.title} reads it from {target.path()}")
            return 0
        if environment := (read_entry(target) or {}).get("env", {}) | entry.get("env", {}):
            entry["env"] = environment
        answer = ask_server(entry["command"], entry["args"], environment)
        if not target.path().parent.is_dir():
            console.print(f"there is no folder {target.path().parent}: has {target.name} ever been started here?")
        path = write_entry(target, entry)
    except (ConfigurationError, ProbeError) as error:
        raise SettingsError(str(error)) from error
    console.print(f"the server answers, with {len(answer.tools)} tools after {answer.seconds:.1f} s")
    backup = path.resolve().with_name(path.resolve().name + BACKUP_SUFFIX)
    console.print(f"wrote {path}{f'; backup: {backup}' if backup.exists() else ''}")
    console.print(f"now restart {target.name} and ask it something")
    return 0


def server_command() -> Path:
    """The full path of the program to start: clients start it from any folder."""
    return Path(sysconfig.get_path("scripts")) / ("lorekeeper.exe" if os.name == "nt" else "lorekeeper")


def server_entry(
    dataset: Path | None, documents: str | None, prefer: str | None, toolsets: str | None
) -> dict[str, Any]:
    """A client's entry to start the server with these options and the settings of this process.

    If neither `dataset` nor the environment names a dataset, the server takes the one in use when it starts.
    """
    named = named_dataset(dataset, os.environ)
    arguments = ["serve"]
    for option, value in (
        ("--dataset", named and str(named.resolve())),
        ("--documents", documents),
        ("--prefer", prefer),
        ("--toolsets", toolsets and ",".join(read_toolsets(toolsets))),
    ):
        arguments += [option, value] if value else []
    settings = {name: os.environ[name] for name in _WITHOUT_OPTION if os.environ.get(name)}
    if os.environ.get(HOME_VARIABLE) or os.environ.get(_DATA_FOLDER):
        settings[HOME_VARIABLE] = str(Home.of(os.environ).root.resolve())
    return {"command": str(server_command()), "args": arguments} | ({"env": settings} if settings else {})
