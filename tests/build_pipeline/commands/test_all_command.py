"""`lorekeeper-build all`: from nothing to a dataset in use, with sources on loopback."""

import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from origin_server import Origin
from starter_rows import STARTER

from build_pipeline import cli
from build_pipeline.commands.all import _left
from build_pipeline.commands.snapshot import BaseUrls, web_sources
from build_pipeline.snapshot.raw import SNAPSHOT_FILE
from build_pipeline.snapshot.web.origin import Origin as ApiOrigin
from build_pipeline.sources import ENDPOINTS
from server.dataset.manifest import read_manifest
from server.store.home import HOME_VARIABLE, Home
from server.store.locate import locate_dataset


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return Home(tmp_path / "home")


@pytest.fixture
def cache(tmp_path: Path, build_cache: Path) -> Path:
    """An empty cache, except for the exported model."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "build").symlink_to(build_cache)
    return tmp_path / "cache"


@pytest.fixture
def origin(origin: Origin) -> Origin:
    """The starter's objects as Open5e would send them; the other sources have none."""
    for endpoint in ENDPOINTS:
        path = STARTER / "raw" / endpoint.source / f"{endpoint.name}.jsonl"
        if endpoint.source == "open5e_v2":
            lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
            origin.lists[endpoint.path] = [json.loads(line) for line in lines]
    return origin


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["lorekeeper-build", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def sources_at(url: str) -> list[str]:
    return ["--open5e-url", url, "--dnd5e-url", url, "--srd-url", f"{url}/raw"]


@pytest.fixture
def command(origin: Origin, cache: Path, tiny_model: Path) -> list[object]:
    return ["all", *sources_at(origin.url), "--cache-dir", cache, "--model", tiny_model]


@pytest.mark.thorough
def test_one_command_makes_a_dataset_and_puts_it_in_use(
    command: list[object], home: Home, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command += ["--orcbrew", STARTER / "lantern-coast.orcbrew"]

    assert run(monkeypatch, *command) == 1
    told = capsys.readouterr()
    assert "GB of disk" in told.out
    assert "problem(s) with what the sources sent; what was received is kept" in told.err
    assert home.current() is None

    assert run(monkeypatch, *command, "--incomplete") == 0
    first = home.current()
    assert capsys.readouterr().out.endswith(f"the dataset {first} is in use: {home.folder(first)}\n")
    folder = locate_dataset(None, os.environ)
    assert folder == home.folder(first)
    counts = read_manifest(folder)["counts"]
    assert counts["by_type"]["spell"] > 0
    assert "the-lantern-coast" in counts["by_document"]
    assert not (folder / "raw").exists()
    assert not (cache / "all").exists()

    kept = ["--out", cache / "kept"]
    assert run(monkeypatch, *command, "--incomplete", "--quiet", *kept) == 0
    assert home.versions() == [f"{first}.1", first]
    assert home.current() == f"{first}.1"
    assert (cache / "kept" / "raw").is_dir()
    assert not capsys.readouterr().out


@pytest.mark.thorough
def test_a_killed_build_continues_without_a_network(
    origin: Origin, home: Home, cache: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["all", *sources_at(origin.url), "--cache-dir", cache, "--incomplete", "--quiet"]
    missing = cache / "missing"
    missing.mkdir()
    assert run(monkeypatch, *command, "--model", missing) == 1  # the snapshot was taken, the build failed
    asked = len(origin.log)
    assert run(monkeypatch, *command, "--model", tiny_model) == 0
    assert len(origin.log) == asked
    assert home.current()


def taken(folder: Path, at: datetime, problems: Sequence[object] = ()) -> list[ApiOrigin]:
    """A snapshot of every source, according to its `snapshot.json`, and the sources."""
    origins = web_sources(BaseUrls(), None)
    sources = [{"source": origin.name, "base_url": origin.base_url, "endpoints": {}} for origin in origins]
    info = {"snapshot_at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "sources": sources, "problems": problems}
    (folder / SNAPSHOT_FILE).write_text(json.dumps(info))
    return origins


def test_a_recent_complete_snapshot_of_the_same_sources_is_reused(tmp_path: Path) -> None:
    now, incomplete = datetime.now(UTC), [{"raw": "open5e_v2/spells", "reason": "status 500; the endpoint is skipped"}]
    origins = taken(tmp_path, now)
    assert _left(tmp_path, origins, incomplete=False) == now.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert _left(tmp_path, origins[1:], incomplete=False) is None
    taken(tmp_path, now, incomplete)
    assert _left(tmp_path, origins, incomplete=False) is None
    assert _left(tmp_path, origins, incomplete=True)
    taken(tmp_path, now - timedelta(days=8))
    assert _left(tmp_path, origins, incomplete=True) is None


def test_a_missing_or_damaged_snapshot_is_taken_anew(tmp_path: Path) -> None:
    origins = taken(tmp_path, datetime.now(UTC))
    (tmp_path / SNAPSHOT_FILE).write_text("{")
    assert _left(tmp_path, origins, incomplete=True) is None
    assert _left(tmp_path / "none", origins, incomplete=True) is None


def test_a_missing_network_is_reported_at_once(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = "http://127.0.0.1:9"
    assert run(monkeypatch, "all", *sources_at(nowhere), "--cache-dir", tmp_path / "cache", "--quiet") == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("lorekeeper-build: no network: cannot connect to 127.0.0.1")
    assert err.count("\n") == 1
    assert home.current() is None


def test_missing_homebrew_is_reported_before_anything_is_fetched(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [
        "all",
        *sources_at(origin.url),
        "--cache-dir",
        tmp_path / "cache",
        "--orcbrew",
        tmp_path / "none.orcbrew",
    ]
    assert run(monkeypatch, *command) == 1
    assert origin.log == []


def test_help_names_every_option(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "all", "--help") == 0
    shown = capsys.readouterr().out
    options = "orcbrew out open5e-url dnd5e-url srd-url srd-dir model incomplete cache-dir quiet"
    assert all(f"--{option}" in shown for option in options.split())
