"""`lorekeeper doctor`: everything that can be wrong between a dataset and an assistant, and its remedy."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, Final, Literal

from server.clients.configuration import ConfigurationError, read_entry
from server.clients.known import CLIENTS, Client, ClientName
from server.clients.probe import ProbeError, ask_server
from server.commands.install import server_command, server_entry
from server.commands.options import DatasetOption, Json
from server.dataset import verify
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.terminal import lines_console, write_json
from server.library.requests.request import RequestError
from server.settings import (
    DEFAULT_TOOLSETS,
    DOCUMENTS_VARIABLE,
    PREFER_VARIABLE,
    TOOLSETS_VARIABLE,
    SettingsError,
    dataset_folder,
    open_library,
    read_toolsets,
)
from server.store.age import age_warning
from server.store.home import Home

if TYPE_CHECKING:
    from collections.abc import Iterator

State = Literal["ok", "wrong", "note"]

_SHOWN: Final = 3
"""Maximum number of complaints about a dataset to show; `lorekeeper verify` lists all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        subject: what was checked.
        state: "wrong" if it keeps an assistant from getting answers.
        detail: what was found.
        remedy: what to do; "" if there is nothing to do.
    """

    subject: str
    state: State
    detail: str
    remedy: str = ""


def doctor(*, dataset: DatasetOption = None, json: Json = False) -> int:
    """Check the program, the dataset, the settings, the server and every client's configuration.

    Exit code 1 if anything is wrong.
    """
    findings = list(_examine(dataset))
    if json:
        write_json([asdict(finding) for finding in findings], indent=2)
    else:
        _print(findings)
    return int(any(finding.state == "wrong" for finding in findings))


def _print(findings: list[Finding]) -> None:
    console = lines_console()
    width = max(len(finding.subject) for finding in findings)
    margin = " " * 7
    lines = TextWrapper(console.width, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)
    for finding in findings:
        mark = {"ok": "ok   ", "wrong": "WRONG", "note": "  -  "}[finding.state]
        console.print(lines.fill(f"{mark}  {finding.subject:<{width}}  {finding.detail}"))
        for remedy in finding.remedy.split("; ") if finding.remedy else ():
            console.print(lines.fill(f"{margin}→ {remedy}"))


def _examine(dataset: Path | None) -> Iterator[Finding]:
    yield _program()
    served = None
    try:
        folder = served = dataset_folder(dataset)
    except (SettingsError, DatasetError) as error:
        yield Finding("dataset", "wrong", *_said_and_remedy(error))
    else:
        yield from _dataset(folder)
        yield _settings(dataset)
        yield _server(dataset)
    for name, client in CLIENTS.items():
        yield _client(name, client, served)


def _program() -> Finding:
    command = server_command()
    detail = f"lorekeeper {version('lorekeeper-offline')}, Python {sys.version.split()[0]}, {command}"
    if not command.is_file():
        return Finding("program", "wrong", f"{command} is missing", "install the package again")
    if shutil.which("lorekeeper") is None:
        remedy = f"export PATH={command.parent}:$PATH" if os.name != "nt" else f"add {command.parent} to PATH"
        return Finding("program", "note", f"{detail}, which this shell does not find as `lorekeeper`", remedy)
    return Finding("program", "ok", detail)


def _said_and_remedy(error: Exception) -> tuple[str, str]:
    said, _, remedy = str(error).partition(": ")
    return said, remedy


def _dataset(folder: Path) -> Iterator[Finding]:
    try:
        Home.of(os.environ).check_manifest(folder)
        manifest = read_manifest(folder)
        complaints = verify.verify(folder)
    except DatasetError as error:
        yield Finding("dataset", "wrong", str(error), "get it again, or name another with --dataset")
        return
    if complaints:
        more = f" and {len(complaints) - _SHOWN} more" if len(complaints) > _SHOWN else ""
        yield Finding(
            "dataset", "wrong", "; ".join(complaints[:_SHOWN]) + more, f"get it again; `lorekeeper verify {folder}`"
        )
        return
    yield Finding("dataset", "ok", f"{manifest['dataset_version']} in {folder}, all hashes and tables are correct")
    if old := age_warning(manifest["snapshot_at"], datetime.now(UTC)):
        yield Finding("age", "note", *old.split("; ", 1))


def _settings(dataset: Path | None) -> Finding:
    given = _given()
    detail = (
        ", ".join(f"{name}={value}" for name, value in given.items() if value)
        or f"all documents, tool sets {', '.join(DEFAULT_TOOLSETS)}"
    )
    try:
        read_toolsets(given[TOOLSETS_VARIABLE])
        open_library(dataset, given[DOCUMENTS_VARIABLE], given[PREFER_VARIABLE]).close()
    except (DatasetError, RequestError, SettingsError) as error:
        return Finding("settings", "wrong", detail, str(error))
    return Finding("settings", "ok", detail)


def _given() -> dict[str, str]:
    return {name: os.environ.get(name, "") for name in (DOCUMENTS_VARIABLE, PREFER_VARIABLE, TOOLSETS_VARIABLE)}


def _server(dataset: Path | None) -> Finding:
    try:
        entry = server_entry(dataset, *_given().values())
        answer = ask_server(entry["command"], entry["args"], entry.get("env", {}))
    except (ProbeError, SettingsError) as error:
        return Finding("server", "wrong", "it does not answer over stdio", str(error))
    found = {None: "no search tools", 0: "a search found nothing"}.get(answer.results, "a search found something")
    return Finding(
        "server", "ok", f"answers over stdio after {answer.seconds:.1f} s: {len(answer.tools)} tools, {found}"
    )


def _client(name: ClientName, client: Client, served: Path | None) -> Finding:
    try:
        entry = read_entry(client)
    except ConfigurationError as error:
        return Finding(client.title, "wrong", str(error), f"repair {client.path()}, or remove it")
    if entry is None:
        return Finding(client.title, "note", "not set up", f"lorekeeper install {name}")
    if wrong := _wrong_entry(entry):
        return Finding(client.title, "wrong", f"{wrong} ({client.path()})", f"lorekeeper install {name}")
    setup = f"set up in {client.path()}"
    named = _dataset_of(entry)
    if served and named and Path(named).resolve() != served.resolve():
        return Finding(client.title, "note", f"{setup}, with another dataset: {named}", f"lorekeeper install {name}")
    return Finding(client.title, "ok", setup)


def _wrong_entry(entry: dict[str, Any]) -> str:
    """What is wrong with a client's entry; "" if nothing is."""
    command, arguments = entry.get("command"), entry.get("args", [])
    if not isinstance(command, str) or not isinstance(arguments, list):
        return "its entry names no command"
    if shutil.which(command) is None:
        return f"its command {command} is not there"
    named = _dataset_of(entry)
    return f"its dataset {named} is not there" if named and not Path(named).is_dir() else ""


def _dataset_of(entry: dict[str, Any]) -> str:
    """The folder of the dataset that a client's entry names; "" if it names none and so takes the one in use."""
    return next((str(value) for option, value in pairwise(entry.get("args", [])) if option == "--dataset"), "")
