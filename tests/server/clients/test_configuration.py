"""Clients' configuration files: entries are written, replaced and removed; the rest, file mode and links are kept."""

import json
import tomllib
from pathlib import Path

import pytest

from server.clients.configuration import BACKUP_SUFFIX, ConfigurationError, read_entry, remove_entry, write_entry
from server.clients.known import Client

ENTRY = {"command": "/opt/lorekeeper", "args": ["serve"]}


def client(path: Path, servers: str = "mcpServers") -> Client:
    return Client("A client", lambda: path, servers)


@pytest.fixture(params=["settings.json", "config.toml"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / "configuration" / request.param


def parsed(path: Path) -> dict:
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


def test_an_entry_creates_the_file(path: Path):
    assert write_entry(client(path), ENTRY) == path
    assert parsed(path) == {"mcpServers": {"lorekeeper": ENTRY}}
    assert read_entry(client(path)) == ENTRY
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_removed_entry_leaves_the_others(path: Path):
    assert remove_entry(client(path)) is None
    write_entry(client(path), ENTRY)
    assert remove_entry(client(path)) == path
    assert read_entry(client(path)) is None


def test_environment_and_switches_of_an_earlier_entry_are_kept(path: Path):
    write_entry(client(path), {"command": "old", "args": [], "env": {"LOREKEEPER_PREFER": "2014"}, "disabled": False})
    write_entry(client(path), ENTRY)
    assert read_entry(client(path)) == {**ENTRY, "env": {"LOREKEEPER_PREFER": "2014"}, "disabled": False}


def test_comments_in_toml_are_kept(tmp_path: Path):
    path = tmp_path / "config.toml"
    before = 'model = "m"  # mine\n\n[mcp_servers.other]\ncommand = "x"\n'
    path.write_text(before, encoding="utf-8")
    write_entry(client(path, "mcp_servers"), ENTRY)
    assert path.read_text(encoding="utf-8").startswith(before)
    assert list(parsed(path)["mcp_servers"]) == ["other", "lorekeeper"]
    remove_entry(client(path, "mcp_servers"))
    assert path.read_text(encoding="utf-8").strip() == before.strip()


def test_line_endings_mode_and_link_are_kept_and_a_backup_is_written(tmp_path: Path):
    before = b'{\r\n  "theme": "dark"\r\n}\r\n'
    target, link = tmp_path / "dotfiles.json", tmp_path / "settings.json"
    target.write_bytes(before)
    target.chmod(0o640)
    link.symlink_to(target)
    write_entry(client(link), ENTRY)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.read_bytes().count(b"\r\n") == target.read_bytes().count(b"\n")
    assert target.with_name(target.name + BACKUP_SUFFIX).read_bytes() == before
    remove_entry(client(link))
    assert parsed(target) == {"theme": "dark", "mcpServers": {}}


def test_an_unchanged_entry_writes_nothing(path: Path):
    write_entry(client(path), ENTRY)
    before = path.stat().st_mtime_ns
    write_entry(client(path), ENTRY)
    assert path.stat().st_mtime_ns == before
    assert len(list(path.parent.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("settings.json", b"[]"),
        ("settings.json", b'{"mcpServers": []}'),
        ("settings.json", b'{"mcpServers": '),
        ("settings.json", b"\xff\xfe{}"),
        ("config.toml", b"mcpServers = 5"),
        ("config.toml", b"= ="),
    ],
)
def test_an_unreadable_file_is_left_unchanged(tmp_path: Path, name: str, content: bytes):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=rf"{name}.*--print"):
        write_entry(client(path), ENTRY)
    assert path.read_bytes() == content
    assert len(list(tmp_path.iterdir())) == 1
