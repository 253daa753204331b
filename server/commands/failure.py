"""How a command reports a failure: one line on stderr and an exit code."""

from __future__ import annotations

from typing import Final

from server.commands.wording import in_a_terminal
from server.dataset.manifest import DatasetError
from server.dataset.terminal import write_error
from server.library.requests.request import RequestError
from server.settings import SettingsError

CODES: Final[dict[type[Exception], int]] = {DatasetError: 1, OSError: 1, RequestError: 2, SettingsError: 2}
"""Expected errors → exit code: 1 for a fault in the data or system, 2 for a wrong request."""
EXPECTED: Final = tuple(CODES)


def report(error: Exception) -> int:
    """Report an error, one of `EXPECTED`, in one line; the exit code."""
    said = in_a_terminal(error.message) if isinstance(error, RequestError) else str(error)
    write_error(f"lorekeeper: {' '.join(said.split())}\n")
    return next(code for kind, code in CODES.items() if isinstance(error, kind))
