"""Python's garbage collector, while many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """A block that makes many objects that stay: the collector looks at them again and again for nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
