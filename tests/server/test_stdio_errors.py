"""Lines on stdio that are no message: each is answered, with its id if it has one, so that nobody waits for ever."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import SERVE

PING = {"jsonrpc": "2.0", "id": "the next", "method": "ping"}


@pytest.fixture(scope="module")
def server(tiny_folder: Path) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    command = [*SERVE, "--dataset", str(tiny_folder)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        process.stdin.close()
        assert process.wait(30) == 0


def answers(server: subprocess.Popen[str], line: str) -> list[dict[str, Any]]:
    """All that is answered to a line before the answer to a ping that follows it."""
    server.stdin.write(f"{line}\n{json.dumps(PING)}\n")
    server.stdin.flush()
    found: list[dict[str, Any]] = []
    while (answer := json.loads(server.stdout.readline()))["id"] != PING["id"]:
        found.append(answer)
    return found


@pytest.mark.parametrize(
    ("line", "code", "identity"),
    [
        ("{", -32700, None),
        ("Content-Length: 5", -32700, None),
        ('{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"half": "\\ud83d"}}', -32700, 7),
        ('{"jsonrpc": "2.0", "id": "\\ud83d", "method": "ping"}', -32700, None),
        (f'{{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"[" * 9_999}', -32700, None),
        ("[]", -32600, None),
        (json.dumps([PING]), -32600, None),
        ("{}", -32600, None),
        ('{"jsonrpc": "1.0", "id": 7, "method": "ping"}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}', -32600, 7),
    ],
)
def test_a_line_that_is_no_message_is_answered(server, line: str, code: int, identity: object):
    (answer,) = answers(server, line)
    assert (answer["error"]["code"], answer["id"]) == (code, identity)


@pytest.mark.parametrize(
    "line", ["", "  ", '{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no"}}']
)
def test_empty_lines_and_errors_are_not_answered(server, line: str):
    assert answers(server, line) == []
