"""Terminal output of all commands: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from typing import Annotated, Final, NoReturn

from cyclopts import Parameter

from build_pipeline.expected import ExpectedError
from server.dataset.terminal import Terminal, write_error

Flag = Annotated[bool, Parameter(negative="")]
"""An option without a value, and without a `--no-` form."""
Json = Annotated[bool, Parameter(name="--json", negative="")]
"""The option to print JSON."""

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


class CommandError(ExpectedError):
    """A command failed; the message is one line for people, the exit code 1."""


def fail(message: str, code: int) -> NoReturn:
    """Print an error to stderr in one line, and exit."""
    write_error(f"lorekeeper-build: {' '.join(message.split())}\n")
    sys.exit(code)


def progress_console(*, quiet: bool) -> Terminal:
    """The console for progress: stderr, or nothing if `quiet` or stderr is not a terminal."""
    console = Terminal(stderr=True)
    console.quiet = quiet or not console.is_terminal
    return console
