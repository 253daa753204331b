"""Waiting for other processes."""

import time
from collections.abc import Callable

_PATIENCE = 60
"""Seconds; more than anything waited for takes."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail after a minute."""
    until = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
