"""`lorekeeper prune`: remove pulled datasets that are no longer wanted."""

from __future__ import annotations

import os
from typing import Annotated

from cyclopts import Parameter
from filelock import Timeout

from server.store.home import Home


def prune(
    *, keep: Annotated[int, Parameter(help="How many to keep beside the one in use, the newest first.")] = 1
) -> int:
    """Remove pulled datasets, and what interrupted pulls left behind. The one in use always stays."""
    home = Home.of(os.environ)
    others = [version for version in home.versions() if version != home.current()]
    for version in others[max(keep, 0) :]:
        home.remove(version)
        print(f"removed {version}")  # noqa: T201 - the output itself
    try:
        with home.pulling.acquire(timeout=0):
            home.sweep(downloads=True)
    except Timeout:
        print("a pull is running; what it works on stays")  # noqa: T201
    return 0
