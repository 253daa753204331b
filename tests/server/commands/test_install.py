"""`lorekeeper install` adds one entry and leaves the rest of a client's configuration alone."""

import json
from pathlib import Path

import pytest

from server.commands import install as module
from server.commands.install import install
from server.settings import SettingsError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "user_config_path", lambda **_: tmp_path / "config")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LOREKEEPER_DATASET", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("client", "file", "key"),
    [
        ("claude-desktop", "config/Claude/claude_desktop_config.json", "mcpServers"),
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", "config/Code/User/mcp.json", "servers"),
    ],
)
def test_writes_where_the_client_looks(home: Path, client, file, key):
    assert install(client, dataset=Path("data"), documents="srd-5e", toolsets="lookup") == 0
    entry = json.loads((home / file).read_text(encoding="utf-8"))[key]["lorekeeper"]
    assert entry["args"] == [
        "serve", "--dataset", str(home / "data"), "--documents", "srd-5e", "--toolsets", "lookup",
    ]  # fmt: skip
    assert Path(entry["command"]).is_absolute()


def test_keeps_what_is_there_and_replaces_its_own_entry(home: Path):
    path = home / ".mcp.json"
    before = {"theme": "dunkel", "mcpServers": {"other": {"command": "x"}, "lorekeeper": {"command": "old"}}}
    path.write_text(json.dumps(before), encoding="utf-8")
    install("claude-code", dataset=Path("data"))
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["theme"] == "dunkel"
    assert after["mcpServers"]["other"] == {"command": "x"}
    assert after["mcpServers"]["lorekeeper"]["args"][0] == "serve"
    assert [p.name for p in home.iterdir()] == [".mcp.json"]


@pytest.mark.parametrize("content", ["// a comment\n{}", "[]", '{"mcpServers": []}'])
def test_leaves_alone_what_it_cannot_read(home: Path, content):
    path = home / ".mcp.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match="--print"):
        install("claude-code", dataset=Path("data"))
    assert path.read_text(encoding="utf-8") == content


def test_print_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]):
    install("vscode", dataset=Path("data"), print_only=True)
    assert list(json.loads(capsys.readouterr().out)) == ["servers"]
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("home")
def test_needs_a_dataset():
    with pytest.raises(SettingsError, match="--dataset"):
        install("cursor")
