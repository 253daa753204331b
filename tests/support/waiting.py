"""Waiting for what other processes do."""

import time
from collections.abc import Callable

_PATIENCE = 60
"""Seconds; more than anything takes that happens at all."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; it must some time."""
    until = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
