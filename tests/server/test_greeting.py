"""A server on stdio answers `initialize` before it loads its dataset, and still refuses a bad one in one line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from serving import SERVE

ENGINE = {"duckdb", "faiss", "numpy", "onnxruntime", "polars", "rapidfuzz", "re2", "tokenizers"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def test_initialization_imports_no_engine():
    program = f"import sys, server.app, server.commands.serve; print(sorted({ENGINE} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_initialize_is_answered_without_a_library():
    program = (
        "from server.app import create_server; from server.swap import LibraryHolder; "
        "create_server(LibraryHolder(), identity={}, web=False).run('stdio', show_banner=False)"
    )
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}) + "\n"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(hello)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.kill()


def test_a_damaged_dataset_is_refused_in_one_line_after_initialize(tiny_folder: Path, tmp_path: Path):
    damaged = shutil.copytree(tiny_folder, tmp_path / "damaged")
    with (damaged / "encoder" / "model.onnx").open("ab") as file:
        file.write(b"\0")
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}) + "\n"
    call = {"name": "list_documents", "arguments": {}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}) + "\n"
    pipe = subprocess.PIPE
    command = [*SERVE, "--dataset", str(damaged)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        process.stdin.write(hello + asked)
        process.stdin.flush()
        answered = [json.loads(line)["id"] for line in process.stdout]
        assert process.wait(30) == 1
        (line,) = process.stderr.read().splitlines()
    assert 2 not in answered
    assert "model.onnx" in line
    assert "damaged" in line


def test_calls_wait_for_the_dataset(tiny_folder: Path):
    calls = [("initialize", HELLO), ("tools/list", {}), ("tools/call", {"name": "lookup_spell", "arguments": {}})]
    messages = [{"jsonrpc": "2.0", "id": i, "method": m, "params": p} for i, (m, p) in enumerate(calls)]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    with subprocess.Popen(
        [*SERVE, "--dataset", str(tiny_folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write(lines)
        process.stdin.flush()
        answers = {answer["id"]: answer["result"] for answer in (json.loads(process.stdout.readline()) for _ in calls)}
        process.stdin.close()
    assert answers[1]["tools"]
    assert answers[2]["structuredContent"]["total"]
