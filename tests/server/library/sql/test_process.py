"""The process that runs queries: what ends it, the message then, and its replacement."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.library.sql.engine import SqlEngine
from server.library.sql.process import QueryProcess
from tests.support.queries import ENDLESS, ROOM, outcome, refusal
from tests.support.waiting import wait_until

linux = pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory for a process")


@pytest.mark.skipif(sys.platform == "win32", reason="no alarm")
def test_a_query_is_stopped_in_time_even_while_texts_are_looked_up() -> None:
    endless = "CREATE VIEW spells AS SELECT concat('spell ', i % 9) AS name FROM range(1000000000000) AS r(i)"
    setup = {"statements": [endless], "tables": ["spells"], "memory": 256_000_000}
    process = QueryProcess(lambda: setup)
    at_once = "SELECT name FROM spells WHERE name = 'spell 1' LIMIT 1"
    process.ask("SELECT 1", 1, ROOM, seconds=60)
    assert process.ask(at_once, 1, ROOM, seconds=2.0) == {"refused": {"reason": "time"}}
    assert process.ask("SELECT 1", 1, ROOM, seconds=60)["rows"] == [[1]]
    process.close()


@linux
@pytest.mark.slow
def test_a_query_over_its_memory_is_refused_and_the_next_one_answered(engine: SqlEngine) -> None:
    doubled = "WITH RECURSIVE n AS (SELECT 'a' AS t UNION ALL SELECT t || t FROM n) SELECT max(len(t)) FROM n"
    assert refusal(engine, doubled).startswith("The query needs more than 256 MB")
    wait_until(lambda: outcome(engine, "SELECT 1") == ("[[1]]", ""))


def test_an_idle_process_ends_and_starts_again(tiny_folder: Path) -> None:
    process = QueryProcess(SqlEngine(tiny_folder)._setup, idle=0.1)
    for _ in range(2):
        assert process.ask("SELECT count(*) FROM spells", 1, ROOM, seconds=60)["rows"]
        until = time.monotonic() + 60
        while process._worker is not None:
            assert time.monotonic() < until
            time.sleep(0.02)
    process.close()


def children() -> set[int]:
    """This process's query processes, including ended ones that were not waited for."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
    return {int(pid) for pid, parent, what in rows if int(parent) == os.getpid() and "sql.worker" in what}


@pytest.mark.skipif(sys.platform == "win32", reason="no ps")
def test_a_killed_process_is_replaced(tiny_folder: Path) -> None:
    before = children()
    engine = SqlEngine(tiny_folder)
    engine.run("SELECT 1", 1, ROOM)
    (killed,) = children() - before
    os.kill(killed, signal.SIGKILL)
    assert refusal(engine, "SELECT 1").startswith("The query needs more than 256 MB")
    assert len(children() - before) == 1
    wait_until(lambda: outcome(engine, "SELECT 1") == ("[[1]]", ""))
    assert len(children() - before) == 1
    engine.close()
    assert children() == before


@pytest.mark.skipif(sys.platform == "win32", reason="no ps")
def test_a_process_that_ends_for_other_reasons_is_not_blamed_on_memory(
    tiny_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = children()
    engine = SqlEngine(tiny_folder)
    engine.run("SELECT 1", 1, ROOM)
    (ended,) = children() - before
    os.kill(ended, signal.SIGSEGV)
    assert refusal(engine, "SELECT 1").startswith("The query failed because of a fault in the server")
    assert [record.getMessage() for record in caplog.records] == ["the process for queries has ended with status -11"]
    wait_until(lambda: outcome(engine, "SELECT 1") == ("[[1]]", ""))
    engine.close()


def test_an_unexpected_failure_is_reported_and_the_next_query_answered(
    tiny_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    engine = SqlEngine(tiny_folder)
    assert refusal(engine, "SELECT '\ud800'").startswith("The query failed because of a fault in the server")
    wait_until(lambda: outcome(engine, "SELECT 1") == ("[[1]]", ""))
    engine.close()
    said = capfd.readouterr().err
    assert "a query failed" in said
    assert "Traceback" in said


def test_a_query_is_answered_even_if_looking_up_its_texts_fails(capfd: pytest.CaptureFixture[str]) -> None:
    unreadable = "CREATE VIEW spells AS SELECT 'Fireball' AS name, error('was read')::VARCHAR AS school"
    process = QueryProcess(lambda: {"statements": [unreadable], "tables": ["spells"], "memory": 256_000_000})
    answer = process.ask("SELECT count(*) FROM spells WHERE false AND school = 'x'", 1, ROOM, seconds=60)
    assert (answer["rows"], answer["absent"]) == ([[0]], [])
    process.close()
    assert "was read" in capfd.readouterr().err


def test_a_process_that_cannot_start_is_watched_by_one_thread() -> None:
    before = set(threading.enumerate())
    process = QueryProcess(lambda: {"statements": ["SELECT nothing FROM nowhere"], "tables": [], "memory": 1})
    for _ in range(3):
        with pytest.raises(EOFError):
            process.ask("SELECT 1", 1, ROOM, seconds=60)
    assert len([thread for thread in set(threading.enumerate()) - before if thread.name == "idle queries"]) == 1
    process.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no ps")
def test_no_process_starts_after_closing(tiny_folder: Path) -> None:
    before = children()
    closed = SqlEngine(tiny_folder)
    closed.close()
    assert "The dataset was closed" in refusal(closed, "SELECT 1")
    assert children() == before


@pytest.mark.skipif(sys.platform == "win32", reason="no ps")
def test_running_and_waiting_queries_are_told_of_closing(tiny_folder: Path) -> None:
    before = children()
    closing = SqlEngine(tiny_folder, seconds=60)
    closing.run("SELECT 1", 1, ROOM)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(refusal, closing, ENDLESS) for _ in range(2)]
        time.sleep(0.5)  # until one runs and one waits
        closing.close()
        told = [call.result() for call in asked]
    assert all("The dataset was closed" in each for each in told), told
    assert children() == before


def test_waiting_does_not_count_towards_the_time_limit(tiny_folder: Path) -> None:
    process = QueryProcess(SqlEngine(tiny_folder)._setup, idle=0)
    slow = f"SELECT count(*) FROM {', '.join(f'spells s{n}' for n in range(4))}"
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _: process.ask(slow, 1, ROOM, seconds=60), range(6)))
    assert all(len(answer["rows"]) == 1 for answer in answers)
    process.close()


def test_queries_over_the_queue_limit_are_refused_at_once(engine: SqlEngine) -> None:
    with ThreadPoolExecutor(40) as pool:
        each = [pool.submit(engine.run, "SELECT count(*) FROM spells", 1, ROOM) for _ in range(40)]
    refused = [call.exception() for call in each if call.exception()]
    assert all("try again in a moment" in str(error) for error in refused)
    assert len(refused) < len(each)
