"""What the commands share in talking to a terminal: results on stdout, all else on stderr."""

from __future__ import annotations

import sys
from typing import Final, NoReturn

from rich.console import Console

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


class CommandError(Exception):
    """A command cannot do what it was asked; the message is one line for people, the exit code 1."""


def fail(message: str, code: int) -> NoReturn:
    """Say on stderr, in one line, what went wrong, and exit."""
    sys.stderr.write(f"lorekeeper-build: {' '.join(message.split())}\n")
    sys.exit(code)


def progress_console(*, quiet: bool) -> Console:
    """Where progress goes: stderr, or nowhere if `quiet` or stderr is no terminal."""
    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    return console
