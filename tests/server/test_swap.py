"""Replacing the served dataset under load; a library is closed after its last request."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from mirror import NEW, OLD

from server.dataset.load import load_dataset
from server.dataset.manifest import DatasetError
from server.library.library import Library
from server.store.home import HOME_VARIABLE, Home
from server.swap import Asked, Follower, LibraryHolder
from server.tools.provider import LibraryTools
from tests.support.waiting import wait_until

HEADERS: Final = {"Accept": "application/json, text/event-stream"}
PATIENCE: Final = 30


class Ended:
    """A stand-in for a library, for tests of closing."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_library_is_closed_after_its_last_request():
    old, new = Ended(), Ended()
    holder = LibraryHolder(old)
    with holder.lend() as first, holder.lend() as second:
        assert first is second is old
        holder.replace(new)
        with holder.lend() as third:
            assert third is new
        assert old.closed == 0
    wait_until(lambda: (old.closed, new.closed) == (1, 0))
    with holder.lend():
        holder.close()
        assert new.closed == 0
    wait_until(lambda: new.closed == 1)


def test_the_last_request_does_not_wait_for_closing():
    query_ends = threading.Event()

    class Queried(Ended):
        def close(self) -> None:
            assert query_ends.wait(PATIENCE)
            super().close()

    holder = LibraryHolder(old := Queried())
    with holder.lend():
        holder.replace(Ended())
    assert old.closed == 0
    query_ends.set()
    wait_until(lambda: old.closed == 1)


def test_a_replaced_library_is_closed_even_if_a_notification_fails():
    def tell(_: Library) -> None:
        msg = "nobody listens"
        raise ValueError(msg)

    holder = LibraryHolder(old := Ended())
    holder.on_replace(tell)
    with pytest.raises(ValueError, match="nobody listens"):
        holder.replace(new := Ended())
    assert (old.closed, new.closed) == (1, 0)


class Overtaken(LibraryHolder):
    """Replaces the library as soon as the first one is borrowed."""

    def __init__(self, first: Library, then: Library) -> None:
        super().__init__(first)
        self._then = [then]

    @contextmanager
    def lend(self) -> Iterator[Library]:
        with super().lend() as library:
            if self._then:
                self.replace(self._then.pop())
            yield library


def test_tools_published_while_a_library_is_replaced_are_published_again(editions: dict[str, Path]):
    holder = Overtaken(*(Library(load_dataset(editions[version])) for version in (OLD, NEW)))
    tools = LibraryTools(holder, ["search"])

    async def listed() -> str:
        return str([tool.parameters for tool in await tools.list_tools()])

    assert f"school of {OLD}" in asyncio.run(listed())
    assert f"school of {NEW}" in asyncio.run(listed())
    holder.close()


def test_a_missing_dataset_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    asked = threading.Semaphore(0)

    def locate() -> Path:
        asked.release()
        msg = "the disk is gone"
        raise OSError(msg)

    follower = Follower(LibraryHolder(Ended()), tmp_path, locate, lambda _: Ended(), Asked(), poll_seconds=0.01)
    with follower.following():
        for _ in range(5):
            assert asked.acquire(timeout=PATIENCE)
    assert [record.message for record in caplog.records] == [
        "OSError: the disk is gone; the old dataset stays in service"
    ]


def test_returning_from_an_invalid_dataset_keeps_the_served_one(tmp_path: Path):
    polled = threading.Semaphore(0)
    turns = ["damaged", "damaged", "served", "served"]
    loaded: list[str] = []

    def locate() -> Path:
        polled.release()
        return tmp_path / (turns.pop(0) if turns else "damaged")

    def load(folder: Path) -> Library:
        loaded.append(folder.name)
        msg = "a file is missing"
        raise DatasetError(msg)

    follower = Follower(LibraryHolder(Ended()), tmp_path / "served", locate, load, Asked(), poll_seconds=0.01)
    with follower.following():
        for _ in range(7):
            assert polled.acquire(timeout=PATIENCE)
    assert loaded == ["damaged", "damaged"]


def test_sighup_reloads_the_dataset(tmp_path: Path):
    loaded: list[Path] = []
    polled = threading.Semaphore(0)

    def locate() -> Path:
        polled.release()
        return tmp_path

    def load(folder: Path) -> Library:
        loaded.append(folder)
        msg = "a file is missing"
        raise DatasetError(msg)

    asked = Asked()
    follower = Follower(LibraryHolder(Ended()), tmp_path, locate, load, asked, poll_seconds=0.01)
    with follower.following():
        for _ in range(3):
            assert polled.acquire(timeout=PATIENCE)
        assert loaded == []
        asked.put(None)
        wait_until(lambda: loaded == [tmp_path])


class Server:
    """A real server process over HTTP."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._heard = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.url = re.search(r"http://[\d.:]+", self.wait_for("Uvicorn running"))[0]

    def _listen(self) -> None:
        for line in self.process.stderr:
            with self._heard:
                self.said.append(line)
                self._heard.notify_all()

    def wait_for(self, words: str, times: int = 1) -> str:
        def matching() -> list[str]:
            return [line for line in self.said if words in line]

        with self._heard:
            assert self._heard.wait_for(lambda: len(matching()) >= times, PATIENCE), self.said
        return matching()[-1]

    def ask(self, client: httpx.Client, method: str, **params: Any) -> dict[str, Any]:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = client.post(f"{self.url}/mcp", json=body, headers=HEADERS)
        assert answer.status_code == 200
        return answer.json()["result"]


@contextmanager
def serving(home: Home) -> Iterator[Server]:
    code = "from server.cli import main; main()"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LOREKEEPER_")}
    process = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--transport", "http", "--port", "0"],
        env=environment | {HOME_VARIABLE: str(home.root)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Server(process)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stderr.close()


@pytest.mark.thorough
def test_a_dataset_is_replaced_under_load(home: Home, editions: dict[str, Path]):
    home.install(shutil.copytree(editions[NEW], home.work_folder() / NEW), NEW, {"archive_sha256": ""})
    home.use(OLD)
    seen: list[str] = []
    stop = threading.Event()

    def load(server: Server) -> int:
        asked = 0
        with httpx.Client() as client:
            while not stop.is_set():
                call = {"search": "flame", "limit": 5} if asked % 2 else {"school": "evocation"}
                found = server.ask(client, "tools/call", name="search_spell", arguments=call)
                answer = found["structuredContent"]
                version = answer["dataset"]["version"]
                assert {record["description"] for record in answer["results"]} == {f"As of {version}."}
                assert answer["message"] is None
                seen.append(version)
                asked += 1
        return asked

    with serving(home) as server, httpx.Client() as client, ThreadPoolExecutor(3) as pool:
        listed = json.dumps(server.ask(client, "tools/list"))
        assert f"school of {OLD}" in listed
        running = [pool.submit(load, server) for _ in range(3)]
        try:
            wait_until(lambda: OLD in seen)
            home.use(NEW)
            server.wait_for(f"dataset {NEW}")
            wait_until(lambda: NEW in seen[-3:])
            listed = json.dumps(server.ask(client, "tools/list"))
            assert f"school of {NEW}" in listed
            assert f"school of {OLD}" not in listed
            # a damaged one is refused
            (home.folder(OLD) / "rules.parquet").write_bytes(b"x")
            home.use(OLD)
            assert "rules.parquet" in server.wait_for("the old dataset stays in service")
            home.use(NEW)
            if hasattr(signal, "SIGHUP"):
                server.process.send_signal(signal.SIGHUP)
                server.wait_for(f"dataset {NEW}", times=2)
            health = client.get(f"{server.url}/health").json()
            assert health["dataset"]["version"] == NEW
        finally:
            stop.set()
        assert all(future.result() for future in running)
    assert set(seen) == {OLD, NEW}
    assert seen.index(NEW) > 0
