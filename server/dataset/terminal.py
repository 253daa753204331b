"""The only way in which commands print: what a terminal would obey, or nobody would see, becomes its escape.

What the encoding of stdout or stderr lacks, as that of a file on Windows lacks the minus sign, becomes what looks like
it.
"""

from __future__ import annotations

import codecs
import json
import sys
import unicodedata
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.segment import Segment

from server.dataset.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType


_ERRORS: Final = "lookalike"
"""The name of the error handler that `_lookalikes` is."""
_LOOKALIKES: Final = str.maketrans(
    {
        **dict.fromkeys("−–—‐‑‒•·─", "-"),
        **dict.fromkeys("‘’′", "'"),
        **dict.fromkeys("“”″", '"'),
        "→": "->",
        "×": "x",
        "⁄": "/",
    }
)
"""Characters of the books and of the program's own lines → ASCII; for others, see `_lookalikes`."""


def without_encoding_errors() -> None:
    """Let stdout and stderr print texts whatever their encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def encodable(text: str, encoding: str) -> str:
    """The text with lookalikes of what an encoding lacks."""
    return text.encode(encoding, _ERRORS).decode(encoding)


def _lookalikes(error: UnicodeError) -> tuple[str, int]:
    """The ASCII that looks like what cannot be encoded: `-` for `−`, `e` for `é`, `1/2` for `½`; otherwise `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    plain = (unicodedata.normalize("NFKD", each).translate(_LOOKALIKES) for each in lacking)
    return "".join(each.encode("ascii", "ignore").decode() or "?" for each in plain), error.end


codecs.register_error(_ERRORS, _lookalikes)


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
    """Write a value as JSON and a line break to stdout.

    What is not printable becomes a JSON escape, as does all that is not ASCII if stdout cannot encode everything.
    """
    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    text = json.dumps(value, indent=indent, ensure_ascii=not is_unicode)
    sys.stdout.write(printable(text, lambda character: json.dumps(character)[1:-1]) + "\n")
