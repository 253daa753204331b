"""Pauses Python's garbage collector while many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_lock: Final = Lock()
_blocks: Final[set[object]] = set()
"""The blocks that are running, in any thread: the process has only one collector."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Stop the collector for a block that makes many lasting objects, which it would examine repeatedly for nothing.

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
