"""The server's entry in a client's configuration file: read, written and removed; all else in the file is untouched."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from server.clients import json_edit, toml_edit
from server.clients.json_edit import EditError

if TYPE_CHECKING:
    from server.clients.known import Client

SERVER_NAME: Final = "lorekeeper"
BACKUP_SUFFIX: Final = ".before-lorekeeper"


class ConfigurationError(Exception):
    """A configuration file that cannot be read or edited; the message names it and says what to do."""


def read_entry(client: Client) -> dict[str, Any] | None:
    """The server's entry in the client's configuration; None if it has none.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    path = client.path()
    text = _read(path)
    try:
        entry = _editor(path).get_member(text, client.servers, SERVER_NAME)
    except EditError as error:
        raise _unreadable(path, error) from error
    return entry if isinstance(entry, dict) else None


def write_entry(client: Client, entry: dict[str, Any]) -> Path:
    """Add the entry, keeping those keys of an earlier one that it lacks, such as `env` and switches.

    Returns:
        The file written. A backup of its earlier content, if any, lies next to it.

    Raises:
        ConfigurationError: the file cannot be read or edited.
    """
    path = client.path()
    merged = {**(read_entry(client) or {}), **entry}
    text = _read(path)
    try:
        edited = _editor(path).set_member(text, client.servers, SERVER_NAME, merged)
    except EditError as error:
        raise _unreadable(path, error) from error
    return _replace(path, text, edited)


def remove_entry(client: Client) -> Path | None:
    """Remove the entry.

    Returns:
        The file written; None if it has no entry.

    Raises:
        ConfigurationError: the file cannot be read or edited.
    """
    if read_entry(client) is None:
        return None
    path = client.path()
    text = _read(path)
    return _replace(path, text, _editor(path).remove_member(text, client.servers, SERVER_NAME))


def rendered_entry(client: Client, entry: dict[str, Any]) -> str:
    """A configuration file with only this entry, to be copied manually."""
    return _editor(client.path()).set_member("", client.servers, SERVER_NAME, entry)


class _Editor(Protocol):
    """Reads and changes the member `name` of the object `outer` in a text."""

    def get_member(self, text: str, outer: str, name: str) -> object: ...
    def set_member(self, text: str, outer: str, name: str, value: dict[str, Any]) -> str: ...
    def remove_member(self, text: str, outer: str, name: str) -> str: ...


def _editor(path: Path) -> _Editor:
    editor: _Editor = toml_edit if path.suffix == ".toml" else json_edit
    return editor


def _read(path: Path) -> str:
    """The text of a file with its own line ends; "" if it does not exist."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> ConfigurationError:
    return ConfigurationError(f"cannot edit {path}: {error}; add the output of --print manually")


def _replace(path: Path, before: str, after: str) -> Path:
    """Replace the file (the target of a link) atomically, keeping its mode; the old content goes into a backup."""
    target = path.resolve()
    if "\r\n" in before:
        after = after.replace("\r\n", "\n").replace("\n", "\r\n")
    if after == before:
        return path
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.copy2(target, target.with_name(target.name + BACKUP_SUFFIX))
    with tempfile.NamedTemporaryFile("wb", dir=target.parent, prefix=target.name, delete=False) as file:
        file.write(after.encode("utf-8"))
    partial = Path(file.name)
    try:
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    return path
