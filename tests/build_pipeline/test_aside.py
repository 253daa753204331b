"""Work in a forked process: its value, errors and end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from build_pipeline.aside import AsideError, aside, shared
from build_pipeline.kept import RESULTS_FILE, keeping, kept

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is done in a copy of the process")

_calls: list[int] = []

WAITING = """
import os, time
from build_pipeline.aside import aside

def work():
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(600)

with aside(work):
    time.sleep(600)
"""


def test_another_process_computes_the_value() -> None:
    with aside(lambda: (os.getpid(), [1, 2])) as value:
        process, found = value()
    assert process != os.getpid()
    assert found == [1, 2]


def test_an_error_is_raised_where_the_value_is_requested() -> None:
    def fail() -> None:
        msg = "three is not four"
        raise ValueError(msg)

    with aside(fail) as value, pytest.raises(ValueError, match="three is not four"):
        value()


def test_an_error_has_its_traceback() -> None:
    known: dict[str, int] = {}
    with aside(lambda: known["absent"]) as value, pytest.raises(KeyError) as raised:
        value()
    (note,) = raised.value.__notes__
    assert 'lambda: known["absent"]' in note


class TwoNumbersError(Exception):
    """An error that cannot be constructed from its message."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} is not {other}")


def test_an_error_that_cannot_be_pickled_is_reported_by_its_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise TwoNumbersError(3, 4)

    with aside(fail) as value, pytest.raises(AsideError, match="code 1; its traceback is above"):
        value()
    assert "TwoNumbersError: 3 is not 4" in capfd.readouterr().err


def test_many_items_are_shared_and_stay_in_order() -> None:
    def work(number: int) -> tuple[int, int]:
        time.sleep(0.001)
        return number, os.getpid()

    found = shared(work, range(100), at_once=3)
    assert [number for number, _ in found] == list(range(100))
    assert len({process for _, process in found}) == 2


def test_few_items_start_no_process() -> None:
    assert shared(lambda _: os.getpid(), range(3)) == 3 * [os.getpid()]


@pytest.mark.parametrize("failing", range(8))
def test_an_error_in_any_item_is_raised(failing: int) -> None:
    def work(number: int) -> float:
        return 1 / (number - failing)

    with pytest.raises(ZeroDivisionError):
        shared(work, range(8), at_once=1)


def test_a_process_that_ends_without_a_value_is_reported() -> None:
    with (
        aside(lambda: os.kill(os.getpid(), signal.SIGKILL)) as value,
        pytest.raises(AsideError, match=r"-9; .* memory"),
    ):
        value()


def test_an_interrupt_is_handled_by_the_waiting_process() -> None:
    def work() -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return 42

    with aside(work) as value:
        assert value() == 42


def test_a_value_that_cannot_be_pickled_is_reported_by_its_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    with aside(lambda: lambda: 1) as value, pytest.raises(AsideError, match="code 1; its traceback is above"):
        value()
    assert "pickle" in capfd.readouterr().err


def test_an_unrequested_value_is_not_waited_for(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "process").write_text(str(os.getpid()))
        time.sleep(600)

    with aside(work):
        process = _number_in(tmp_path / "process")
    assert not _lives(process)


def test_the_fork_ends_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        assert _lives(process)
        parent.kill()
    deadline = time.monotonic() + 60
    while _lives(process):
        assert time.monotonic() < deadline, "it outlived the build"
        time.sleep(0.01)


def test_results_used_in_the_fork_are_cached(tmp_path: Path) -> None:
    for _ in range(2):
        with keeping(tmp_path), aside(lambda: (_doubled(21), len(_calls))) as value:
            results, computed = value()
            assert results == 42
        assert (tmp_path / RESULTS_FILE).is_file()
    assert computed == 0


@kept
def _doubled(number: int) -> int:
    _calls.append(number)
    return 2 * number


def _number_in(file: Path) -> int:
    while not file.exists() or not file.read_text():
        time.sleep(0.01)
    return int(file.read_text())


def _lives(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
