"""The style sheet, the script and the icon: files of this package, kept in memory.

An address contains the hash of its file, so that browsers can cache it forever and never mix two versions.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Final


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that pages refer to."""

    name: str
    media_type: str
    content: bytes

    @property
    def address(self) -> str:
        """Where it is served."""
        stem, _, ending = self.name.partition(".")
        return f"/assets/{stem}.{hashlib.sha256(self.content).hexdigest()[:12]}.{ending}"


def _asset(name: str, media_type: str) -> Asset:
    return Asset(name, media_type, (files("server.pages") / "static" / name).read_bytes())


STYLE: Final = _asset("style.css", "text/css; charset=utf-8")
SCRIPT: Final = _asset("keys.js", "text/javascript; charset=utf-8")
ICON: Final = _asset("icon.svg", "image/svg+xml")
ASSETS: Final = {asset.address: asset for asset in (STYLE, SCRIPT, ICON)}
