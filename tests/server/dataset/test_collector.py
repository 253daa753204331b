"""The garbage collector is off while any `uncollected` block runs."""

from __future__ import annotations

import gc
from threading import Event, Thread

import pytest

from server.dataset.collector import uncollected


def test_a_nested_block_does_not_end_the_outer_one() -> None:
    with uncollected():
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_block_of_one_thread_does_not_end_anothers() -> None:
    entered, over = Event(), Event()

    def other() -> None:
        with uncollected():
            entered.set()
            over.wait()

    thread = Thread(target=other)
    thread.start()
    entered.wait()
    with uncollected():
        pass
    enabled_meanwhile = gc.isenabled()
    over.set()
    thread.join()
    assert not enabled_meanwhile
    assert gc.isenabled()


def test_an_error_ends_a_block() -> None:
    with pytest.raises(ZeroDivisionError), uncollected():
        raise ZeroDivisionError
    assert gc.isenabled()
