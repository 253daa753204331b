"""What was tried and with which outcome: rows for the page, and progress messages."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import Final

_SHOWN: Final = 5
"""Maximum number of failures printed per row."""


@dataclass
class Row:
    """One kind of trial.

    Attributes:
        what: what was done, for a reader of the page.
        tries: number of tries.
        outcome: the outcome where nothing gave way.
        wrong: what gave way, one line each.
    """

    what: str
    tries: int = 0
    outcome: str = ""
    wrong: list[str] = field(default_factory=list)

    @property
    def told(self) -> str:
        """The outcome, preceded by how much gave way."""
        if not self.wrong:
            return self.outcome
        return f"**{len(self.wrong)} gave way**, such as: {self.wrong[0]}; {self.outcome}"


def say(text: str) -> None:
    """Print progress, with the time."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


def say_row(row: Row) -> None:
    """Print a row."""
    say(f"{row.what}: {row.tries:,} tries; {row.outcome or 'see below'}")
    for line in row.wrong[:_SHOWN]:
        say(f"  GAVE WAY {line}")
    if len(row.wrong) > _SHOWN:
        say(f"  … and {len(row.wrong) - _SHOWN} more")
