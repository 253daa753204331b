"""Text files maintained by hand: `data/` of the repository, or its copy in the installed package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parent
DATA: Final = next(folder for folder in (_PACKAGE / "data", _PACKAGE.parent / "data") if folder.is_dir())


def text(name: str) -> str:
    """The content of a text file in `data/`."""
    return (DATA / name).read_text(encoding="utf-8")


def lines(name: str) -> list[str]:
    """The lines of a text file in `data/`, without blank lines and `#` comments."""
    return [line.strip() for line in text(name).splitlines() if line.strip() and not line.startswith("#")]
