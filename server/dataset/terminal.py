"""The only way in which commands print: what a terminal would obey, or nobody would see, becomes its escape."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment

from server.dataset.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType


class Terminal(Console):
    """A console whose texts are printable; its own colours and cursor movements are not touched."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render, with every text printable."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else printable(segment.text)
            yield segment if text is segment.text else Segment(text, segment.style)


def lines_console(*, stderr: bool = False) -> Terminal:
    """A console for plain lines: nothing is wrapped, highlighted or understood as markup."""
    return Terminal(stderr=stderr, soft_wrap=True, highlight=False, markup=False)


def write(text: str) -> None:
    """Write to stdout."""
    sys.stdout.write(printable(text))


class PrintableStdout:
    """Stdout for writers of a format, such as those of CSV."""

    def write(self, text: str) -> None:
        """Write to stdout."""
        write(text)


def write_error(text: str) -> None:
    """Write to stderr."""
    sys.stderr.write(printable(text))


def write_json(value: object, indent: int | None = None) -> None:
    """Write a value as JSON and a line break to stdout; what is not printable becomes a JSON escape."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    sys.stdout.write(printable(text, lambda character: json.dumps(character)[1:-1]) + "\n")
