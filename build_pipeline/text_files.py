"""Text files, read and written the same way on every system: UTF-8, and only a line feed ends a line.

`str.splitlines` also splits at characters that occur within texts, and on Windows text streams write other line ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from build_pipeline.expected import ExpectedError


class TextFileError(ExpectedError):
    """A text file cannot be read; the message names it."""


def numbered_lines(path: Path) -> Iterator[tuple[str, str]]:
    """The non-blank lines of a file, as (place, line), with places such as `file, line 3`.

    Raises:
        TextFileError: it cannot be read, or is not UTF-8.
    """
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path} cannot be read as UTF-8 text: {error}"
        raise TextFileError(msg) from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield f"{path}, line {number}", line.strip()


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    path.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: Path, value: object, indent: int = 1) -> None:
    """Write a value as indented JSON with a final line break."""
    write_text(path, as_json(value, indent))


def as_json(value: object, indent: int = 1) -> str:
    """The text that `write_json` writes."""
    return json.dumps(value, ensure_ascii=False, indent=indent) + "\n"
