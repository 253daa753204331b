"""`lorekeeper prune`: remove old pulled datasets."""

from __future__ import annotations

import os
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number
from filelock import Timeout

from server.dataset.terminal import write
from server.store.home import Home


def prune(
    *,
    keep: Annotated[
        int, Parameter(help="How many to keep besides the one in use, newest first.", validator=Number(gte=0))
    ] = 1,
) -> int:
    """Remove old pulled datasets and what interrupted pulls left behind. The one in use always stays."""
    home = Home.of(os.environ)
    others = [version for version in home.versions() if version != home.current()]
    old = others[keep:]
    for version in old:
        home.remove(version)
        write(f"removed {version}\n")
    if not old:
        kept = f"; kept besides the one in use: {', '.join(others)}" if others else ""
        write(f"nothing to remove{kept}\n")
    try:
        with home.pulling.acquire(timeout=0):
            home.sweep(downloads=True)
    except Timeout:
        write("a pull is running; its files were kept\n")
    return 0
