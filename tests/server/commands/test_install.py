"""`lorekeeper install` and `lorekeeper doctor`, with a real server and configuration files of their own."""

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from server.clients import known
from server.clients.known import CLIENTS, ClientName
from server.clients.probe import Answer, ProbeError, ask_server
from server.commands import doctor, install

ANSWER = Answer(0.5, ("search_all",), 1)
"""Of a server, for tests that need not start one."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(known, "user_config_path", lambda **_: tmp_path / "config")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("LOREKEEPER_HOME", str(tmp_path / "lorekeeper"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LOREKEEPER_DATASET", raising=False)
    return tmp_path


def test_every_client_that_can_be_named_is_known():
    assert set(CLIENTS) == set(get_args(ClientName))


@pytest.mark.parametrize(
    ("client", "file", "servers"),
    [
        ("claude-desktop", "config/Claude/claude_desktop_config.json", "mcpServers"),
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", "config/Code/User/mcp.json", "servers"),
        ("gemini-cli", ".gemini/settings.json", "mcpServers"),
        ("codex", ".codex/config.toml", "mcp_servers"),
        ("windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"),
    ],
)
def test_the_entry_is_in_the_file_that_the_client_reads(home, lorekeeper, tiny_folder, *, client, file, servers):
    code, out, _ = lorekeeper("install", client, "--print", "--dataset", str(tiny_folder), "--toolsets", "lookup")
    assert code == 0
    entry = (tomllib if file.endswith("toml") else json).loads(out)[servers]["lorekeeper"]
    assert entry["args"] == ["serve", "--dataset", str(tiny_folder), "--toolsets", "lookup"]
    assert Path(entry["command"]).is_absolute()
    assert CLIENTS[client].path() == home / file
    assert not (home / file).exists(), "--print wrote the file"


@pytest.mark.thorough
def test_nothing_is_written_before_the_server_answers(home: Path, lorekeeper, tiny_folder: Path):
    code, _, err = lorekeeper("install", "cursor", "--dataset", str(tiny_folder), "--documents", "srd-2041")
    assert code == 2
    assert "srd-2041" in err
    assert len(err.splitlines()) == 1
    assert list(home.iterdir()) == []

    code, _, err = lorekeeper("install", "cursor", "--dataset", str(tiny_folder), "--documents", "srd-2014")
    assert code == 0
    assert "the server answers" in err
    entry = json.loads((home / ".cursor" / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]["lorekeeper"]
    assert entry["args"] == ["serve", "--dataset", str(tiny_folder), "--documents", "srd-2014"]

    code, _, err = lorekeeper("install", "cursor", "--remove")
    assert code == 0
    assert "removed" in err
    assert json.loads((home / ".cursor" / "mcp.json").read_text(encoding="utf-8")) == {"mcpServers": {}}


def test_settings_from_the_environment_are_written_to_the_entry(
    home: Path, lorekeeper, settled: Path, monkeypatch: pytest.MonkeyPatch
):
    earlier = {"mcpServers": {"lorekeeper": {"command": "/nowhere", "env": {"LANG": "C"}}}}
    (home / ".mcp.json").write_text(json.dumps(earlier), encoding="utf-8")
    monkeypatch.setenv("LOREKEEPER_HOME", os.path.relpath(settled))
    monkeypatch.setenv("LOREKEEPER_MAX_RESPONSE_CHARS", "9000")
    monkeypatch.setenv("LOREKEEPER_TOKEN", "nobody's business on stdio")
    monkeypatch.setattr(install, "ask_server", lambda *_: ANSWER)
    code, _, err = lorekeeper("install", "claude-code")
    assert code == 0, err
    entry = json.loads((home / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["lorekeeper"]
    assert entry["env"] == {"LANG": "C", "LOREKEEPER_HOME": str(settled), "LOREKEEPER_MAX_RESPONSE_CHARS": "9000"}

    for name in ("LOREKEEPER_HOME", "LOREKEEPER_MAX_RESPONSE_CHARS"):
        monkeypatch.delenv(name)
    assert ask_server(entry["command"], entry["args"], entry["env"]).tools
    monkeypatch.setenv("LOREKEEPER_HOME", str(settled))
    with pytest.raises(ProbeError, match="there is no dataset"):  # ask_server passes nothing on, as clients do
        ask_server(entry["command"], entry["args"], {"HOME": str(home)})


def test_a_missing_dataset_is_reported_at_once(home: Path, lorekeeper):
    code, _, err = lorekeeper("install", "cursor")
    assert code == 2
    assert "--dataset" in err
    assert list(home.iterdir()) == []


def test_doctor_reports_ok_when_nothing_is_wrong(
    home: Path, lorekeeper, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    code, out, _ = lorekeeper("doctor", "--dataset", str(tiny_folder), "--json")
    findings = {finding["subject"]: finding for finding in json.loads(out)}
    assert code == 0, out
    assert {findings[subject]["state"] for subject in ("program", "dataset", "settings", "server")} == {"ok"}
    assert findings["Cursor"] == {
        "subject": "Cursor", "state": "note", "detail": "not set up", "remedy": "lorekeeper install cursor",
    }  # fmt: skip
    assert list(home.iterdir()) == []


def test_doctor_reports_a_client_with_another_dataset(
    home: Path, lorekeeper, tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(doctor, "ask_server", lambda *_: ANSWER)
    other = tmp_path / "other"
    other.mkdir()
    entry = {"command": sys.executable, "args": ["serve", "--dataset", str(other)]}
    (home / ".mcp.json").write_text(json.dumps({"mcpServers": {"lorekeeper": entry}}), encoding="utf-8")
    _, out, _ = lorekeeper("doctor", "--dataset", str(tiny_folder))
    assert f"with another dataset: {other}" in " ".join(out.split())
    entry["args"][-1] = str(tiny_folder)
    (home / ".mcp.json").write_text(json.dumps({"mcpServers": {"lorekeeper": entry}}), encoding="utf-8")
    assert "another dataset" not in lorekeeper("doctor", "--dataset", str(tiny_folder))[1]


def test_doctor_names_the_remedy_for_each_fault(home: Path, lorekeeper):
    (home / ".mcp.json").write_text('{"mcpServers": {"lorekeeper": {"command": "/nowhere"}}}', encoding="utf-8")
    code, out, _ = lorekeeper("doctor")
    assert code == 1
    assert "WRONG  dataset" in out
    assert "/nowhere is not there" in out
    assert "→ lorekeeper install claude-code" in out
