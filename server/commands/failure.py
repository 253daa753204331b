"""How a command says that it failed: one line on stderr, and an exit code."""

from __future__ import annotations

from typing import Final

from server.dataset.manifest import DatasetError
from server.dataset.terminal import write_error
from server.library.request import WHERE_DOCUMENTS_ARE, RequestError
from server.settings import SettingsError

CODES: Final[dict[type[Exception], int]] = {DatasetError: 1, OSError: 1, RequestError: 2, SettingsError: 2}
"""What is expected to go wrong: 1 something that was found, 2 something that was asked for."""
EXPECTED: Final = tuple(CODES)


def in_a_terminal(message: str) -> str:
    """A message to those who call tools, for those who type commands."""
    return message.replace(WHERE_DOCUMENTS_ARE, "`lorekeeper documents` lists the valid keys.")


def report(error: Exception) -> int:
    """Say in a line what went wrong, one of `EXPECTED`; the exit code."""
    write_error(f"lorekeeper: {in_a_terminal(' '.join(str(error).split()))}\n")
    return next(code for kind, code in CODES.items() if isinstance(error, kind))
