"""`lorekeeper serve` touches no network, from start to answers, semantic search included.

Python's own audit events are fatal in the process, and on Linux, where it is allowed, the process lives in a network
namespace of its own whose counters tell what native code may have tried. What would be sent later is written first:
so nothing may be written either.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from serving import SERVE

GUARD: Final = """
import os, sys

def guard(event, arguments):
    if event.startswith("socket.") and event not in {"socket.__new__", "socket.bind"}:
        os.write(2, f"NETWORK {event} {arguments}\\n".encode())
        os._exit(99)

sys.addaudithook(guard)
"""
HELLO: Final = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
MESSAGES: Final = [
    {"method": "initialize", "params": HELLO},
    {"method": "tools/list"},
    {"method": "tools/call", "params": {"name": "search_all", "arguments": {"query": "a sphere of flame"}}},
    {"method": "tools/call", "params": {"name": "lookup_spell", "arguments": {"name": "fireball"}}},
]
CONNECT: Final = "import socket; socket.socket().connect_ex(('192.0.2.1', 80))"
RESOLVE: Final = "import socket\ntry: socket.getaddrinfo('example.org', 80)\nexcept OSError: pass"

unshared = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run(["unshare", "-n", "true"], check=False).returncode != 0,
    reason="may not make a network namespace",
)


def converse(command: list[str], folder: Path, home: Path, *on_path: Path) -> tuple[list[Any], str, dict[str, int]]:
    """Answers, log, and the process's network counters after the last answer; checks that its home stays empty."""
    pipe = subprocess.PIPE
    home.mkdir()
    # The environment must not silence a library that would use the network elsewhere.
    settings = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    settings |= dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), str(home))
    settings["PYTHONPATH"] = os.pathsep.join(map(str, (*on_path, Path(__file__).parents[2])))
    process = subprocess.Popen(
        [*command, "--dataset", str(folder)], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=settings
    )
    answers = []
    with process:
        for number, message in enumerate(MESSAGES):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, **message}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                break
            answers.append(json.loads(line)["result"])
        counters = sent(process.pid) if sys.platform == "linux" and process.poll() is None else {}
        process.stdin.close()
        log = process.stderr.read()
    assert list(home.iterdir()) == []
    return answers, log, counters


def sent(pid: int | str) -> dict[str, int]:
    """The counters of what a process's network namespace tried to send."""
    lines = Path(f"/proc/{pid}/net/snmp").read_text(encoding="ascii").splitlines()
    counters = {}
    for names, values in zip(lines[::2], lines[1::2], strict=True):
        protocol, *heads = names.split()
        counters |= {protocol + head: int(value) for head, value in zip(heads, values.split()[1:], strict=True)}
    wanted = ("Ip:OutRequests", "Ip:OutNoRoutes", "Tcp:ActiveOpens", "Udp:OutDatagrams")
    return {name: counters[name] for name in wanted}


def check(answers: list[Any], log: str) -> None:
    assert len(answers) == len(MESSAGES), log
    found = answers[2]["structuredContent"]
    assert found["results"][0]["similarity_score"] > 0
    assert found["message"] is None  # no message: it was ranked by meaning too
    assert answers[3]["structuredContent"]["count"] > 0


def test_no_socket_is_used(tiny_folder: Path, tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    answers, log, _ = converse(SERVE, tiny_folder, tmp_path / "home", tmp_path)
    check(answers, log)
    assert "NETWORK" not in log
    for attempt in (CONNECT, RESOLVE):
        done = subprocess.run(
            [sys.executable, "-c", attempt],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr[:7]) == (99, "NETWORK")


@unshared
def test_nothing_is_sent_from_a_namespace_without_routes(tiny_folder: Path, tmp_path: Path):
    answers, log, counters = converse(["unshare", "-n", *SERVE], tiny_folder, tmp_path / "home")
    check(answers, log)
    assert set(counters.values()) == {0}
    script = f"{CONNECT}\nprint(open('/proc/self/net/snmp').read())"
    tried = subprocess.run(
        ["unshare", "-n", sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    ip = dict(zip(*(line.split() for line in tried.splitlines()[:2]), strict=True))
    assert ip["OutNoRoutes"] != "0", "the counters would not have told"
