"""How a command says that it failed: one line on stderr, and an exit code."""

from __future__ import annotations

from typing import Final

from server.commands.wording import in_a_terminal
from server.dataset.manifest import DatasetError
from server.dataset.terminal import write_error
from server.library.request import RequestError
from server.settings import SettingsError

CODES: Final[dict[type[Exception], int]] = {DatasetError: 1, OSError: 1, RequestError: 2, SettingsError: 2}
"""What is expected to go wrong: 1 something that was found, 2 something that was asked for."""
EXPECTED: Final = tuple(CODES)


def report(error: Exception) -> int:
    """Say in a line what went wrong, one of `EXPECTED`; the exit code."""
    said = " ".join(str(error).split())
    write_error(f"lorekeeper: {in_a_terminal(said) if isinstance(error, RequestError) else said}\n")
    return next(code for kind, code in CODES.items() if isinstance(error, kind))
