"""Terminal output of all commands: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from typing import Final, NoReturn

from rich.console import Console

from server.dataset.printable import printable

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


class CommandError(Exception):
    """A command failed; the message is one line for people, the exit code 1."""


def fail(message: str, code: int) -> NoReturn:
    """Print an error to stderr in one line, and exit."""
    sys.stderr.write(f"lorekeeper-build: {printable(' '.join(message.split()))}\n")
    sys.exit(code)


def progress_console(*, quiet: bool) -> Console:
    """The console for progress: stderr, or nothing if `quiet` or stderr is not a terminal."""
    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    return console
