"""Python's garbage collector, while many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_lock: Final = Lock()
_blocks: Final[set[object]] = set()
"""Those that run now, in any thread: the collector is the process's."""


@contextmanager
def uncollected() -> Iterator[None]:
    """A block that makes many objects that stay: the collector looks at them again and again for nothing.

    Blocks may be nested, or run in several threads: the last to end lets the collector work again.
    """
    block = object()
    with _lock:
        _blocks.add(block)
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _blocks.remove(block)
            if not _blocks:
                gc.enable()
