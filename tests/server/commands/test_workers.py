"""Several processes on one port: they share connections and end together."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from serving import SERVE, START_SECONDS, process_over_http

from server.commands.workers import Port, check_workers
from server.settings import SettingsError
from tests.support.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="connections are shared out by Linux alone")

CONNECTIONS = 32


def workers_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def sockets_of(pid: int) -> set[str]:
    """The inodes of a process's sockets, without those that it closes meanwhile."""
    return {number for link in Path(f"/proc/{pid}/fd").iterdir() if (number := socket_behind(link))}


def socket_behind(link: Path) -> str:
    try:
        name = link.readlink().name
    except FileNotFoundError:
        return ""
    return name.removeprefix("socket:[").removesuffix("]") if name.startswith("socket:") else ""


def accepted(callers: list[socket.socket]) -> set[str]:
    """The inodes of the servers' ends of these connections, without those that are not accepted yet."""
    ports = {caller.getsockname()[1] for caller in callers}
    connections = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {fields[9] for fields in connections if int(fields[2].rpartition(":")[2], 16) in ports} - {"0"}


def has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.thorough
def test_workers_share_connections_and_end_together(starter_dataset: Path, tmp_path: Path) -> None:
    with process_over_http(starter_dataset, tmp_path / "log", "--workers", "2") as served:
        workers = workers_of(served.process.pid)
        assert len(workers) == 2
        wait_until(lambda: (tmp_path / "log").read_text().count("Application startup complete") == 2)
        address = urlsplit(served.endpoint)
        callers = [socket.create_connection((address.hostname, address.port)) for _ in range(CONNECTIONS)]
        wait_until(lambda: len(accepted(callers)) == CONNECTIONS)
        shares = [sockets_of(worker) & accepted(callers) for worker in workers]
        assert all(shares)
        assert set().union(*shares) == accepted(callers)
        for caller in callers:
            caller.close()
        assert httpx.get(served.endpoint.replace("/mcp", "/ready"), trust_env=False).json()["status"] == "ready"
        served.process.terminate()
        assert served.process.wait(START_SECONDS) == 0
        assert all(map(has_ended, workers))


@pytest.mark.thorough
@pytest.mark.parametrize("killed", ["worker", "parent"])
def test_all_end_when_one_is_killed(starter_dataset: Path, tmp_path: Path, killed: str) -> None:
    with process_over_http(starter_dataset, tmp_path / "log", "--workers", "2") as served:
        workers = workers_of(served.process.pid)
        os.kill(workers[0] if killed == "worker" else served.process.pid, signal.SIGKILL)
        assert served.process.wait(START_SECONDS) == (9 if killed == "worker" else -9)
        wait_until(lambda: all(map(has_ended, workers)))
    if killed == "worker":
        assert "a worker ended with code 9: the others are stopped" in (tmp_path / "log").read_text()


def catches_hangups(pid: int) -> bool:
    """Whether a process has a handler for SIGHUP."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return bool(int(status["SigCgt"], 16) >> (signal.SIGHUP - 1) & 1)


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.thorough), 2])
def test_sighup_makes_every_worker_reload_even_while_loading(tiny_folder: Path, tmp_path: Path, workers: int) -> None:
    log = tmp_path / "log"
    command = [*SERVE, "--transport", "http", "--port", "0", "--workers", str(workers), "--dataset", str(tiny_folder)]

    def loaded() -> int:
        return log.read_text().count(": dataset ")

    with log.open("w") as stderr, subprocess.Popen(command, stderr=stderr) as process:
        try:
            wait_until(lambda: process.poll() is not None or catches_hangups(process.pid))
            if workers > 1:
                wait_until(lambda: len(workers_of(process.pid)) == workers)
            assert loaded() == 0
            process.send_signal(signal.SIGHUP)
            wait_until(lambda: loaded() == 2 * workers)
            process.send_signal(signal.SIGHUP)
            wait_until(lambda: loaded() == 3 * workers)
        finally:
            process.terminate()


def test_a_refused_dataset_ends_all_workers(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    command = [*SERVE, "--transport", "http", "--port", "0", "--workers", "2", "--dataset", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=START_SECONDS, check=False)
    assert ended.returncode == 1
    assert "manifest.json" in ended.stderr


def test_all_workers_listen_on_the_same_free_port() -> None:
    port = Port("127.0.0.1", 0)
    with port.listen() as one, port.listen() as other:
        assert one.getsockname() == other.getsockname() == ("127.0.0.1", port.number)
        with pytest.raises(SettingsError, match=f"cannot listen on 127.0.0.1, port {port.number}: Address already"):
            Port("127.0.0.1", port.number)


def test_a_port_of_another_program_is_refused() -> None:
    with (
        socket.create_server(("127.0.0.1", 0), reuse_port=True) as other,
        pytest.raises(SettingsError, match=f"port {other.getsockname()[1]}: Address already in use"),
    ):
        Port("127.0.0.1", other.getsockname()[1])


def test_the_address_of_another_machine_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"cannot listen on 192\.0\.2\.1, port 8000: Cannot assign"):
        Port("192.0.2.1", 8000)


def test_several_workers_are_refused_outside_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    check_workers(1)
    with pytest.raises(SettingsError, match="--workers 2 needs Linux"):
        check_workers(2)
