from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest
from origin_server import Origin

from build_pipeline import cli
from build_pipeline.snapshot.raw import read_raw_layer
from build_pipeline.sources import ENDPOINTS


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["lorekeeper-build", *map(str, arguments)])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    code = exit_.value.code or 0
    assert isinstance(code, int)
    return code


def snapshot_of(origin: Origin, tmp_path: Path) -> list[object]:
    where = ["--open5e-url", origin.url, "--dnd5e-url", f"{origin.url}/", "--cache-dir", tmp_path / "cache"]
    return ["snapshot", "--out", tmp_path / "out", "--sources", "open5e_v2", *where]


@pytest.fixture
def origin(origin: Origin) -> Origin:
    """Every endpoint of Open5e v2, two of them with objects; the empty lists of the others are problems."""
    origin.lists = {e.path: [] for e in ENDPOINTS if e.source == "open5e_v2"}
    origin.lists["/v2/itemrarities/"] = [{"key": "common", "name": "Common", "rank": 1}]
    origin.lists["/v2/publishers/"] = [{"key": "us", "name": "Us"}]
    return origin


def test_it_writes_the_layer_and_reports_problems(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *snapshot_of(origin, tmp_path)) == 1
    out, err = capsys.readouterr()
    assert out == f"{tmp_path / 'out'}: 2 objects of 33 endpoints; 64 requests\n"
    assert "open5e_v2/spells: the endpoint is empty (page " in err
    assert err.endswith("… and 11 more problems\n")
    assert len(list(read_raw_layer(tmp_path / "out"))) == 2


def test_the_summary_can_be_json(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *snapshot_of(origin, tmp_path), "--json") == 1
    summary = json.loads(capsys.readouterr().out)
    assert summary["objects"] == {"open5e_v2": 2}
    assert summary["requests"] == 64  # an empty list is requested again
    assert len(summary["problems"]) == 31
    assert {"raw", "reason", "page", "field"} == set(summary["problems"][0])


def test_strict_writes_nothing(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *snapshot_of(origin, tmp_path), "--strict", "--quiet") == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.endswith("31 problem(s), and --strict allows none: nothing was written\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["snapshot"], "--out"),
        (["snapshot", "--out", "x", "--sources", "open5e_v3"], '"open5e_v3" for --sources. Choose from: "srd"'),
        (["snapshot", "--out", "x", "--cache-ttl", "soon"], "7d, 12h, 5m or 30s"),
        (["snapshot", "--out", "x", "--open5e-url", "api.open5e.com"], "not a base URL"),
        (["snapshot", "--out", "x", "--fast"], "--fast"),
        (["snapshoot"], "snapshoot"),
    ],
)
def test_wrong_usage_gives_one_line_and_exit_code_2(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert message in err
    assert err.count("\n") == 1


def test_an_unusable_folder_gives_one_line_and_exit_code_1(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("a file")
    assert run(monkeypatch, *snapshot_of(origin, tmp_path)) == 1
    assert capsys.readouterr().err == f"lorekeeper-build: {tmp_path / 'out'} is a file; --out takes a folder\n"


def test_homebrew_can_be_taken_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = '{"My Book" {:orcpub.dnd.e5/spells {:zap {:name "Zap" :key :zap :option-pack "My Book" :level 1}}}}'
    (tmp_path / "good.orcbrew").write_text(good)
    out = [
        "snapshot",
        "--sources",
        "orcbrew",
        "--out",
        tmp_path / "out",
        "--cache-dir",
        tmp_path / "cache",
        "--orcbrew",
    ]
    assert run(monkeypatch, *out, tmp_path / "good.orcbrew") == 0
    assert [obj.id for obj in read_raw_layer(tmp_path / "out")] == ["orcbrew/spells/my-book/zap"]
    assert capsys.readouterr().out.endswith("1 objects of 1 endpoints; 0 requests\n")
    (tmp_path / "bad.orcbrew").write_text(good.replace(":level 1}", ":level ]1}"))
    assert run(monkeypatch, *out, tmp_path / "bad.orcbrew") == 1
    assert "bad.orcbrew:1:" in capsys.readouterr().err
    assert run(monkeypatch, *out, tmp_path / "none.orcbrew") == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unreadable_homebrew_file_gives_one_line_and_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    too_long = tmp_path / f"{'a' * 300}.orcbrew"
    assert run(monkeypatch, "snapshot", "--out", tmp_path / "out", "--orcbrew", too_long) == 1
    err = capsys.readouterr().err
    assert err.startswith("lorekeeper-build: ")
    assert err.count("\n") == 1


def test_help_names_every_option(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "snapshot", "--help") == 0
    shown = capsys.readouterr().out
    options = "out open5e-url dnd5e-url orcbrew sources refresh strict cache-dir cache-ttl error-ttl quiet json"
    assert all(f"--{option}" in shown for option in options.split())


def test_books_can_come_from_a_folder_and_missing_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    books = tmp_path / "books"
    books.mkdir()
    (books / "Feats.md").write_text("# Feats\n\n## Lamps\n\nThey shine.\n", encoding="utf-8")
    arguments = ["--out", tmp_path / "out", "--sources", "srd", "--srd-dir", books, "--cache-dir", tmp_path / "cache"]
    assert run(monkeypatch, "snapshot", *arguments, "--json") == 1
    summary = json.loads(capsys.readouterr().out)
    assert (summary["objects"], summary["requests"]) == ({"srd": 2}, 0)
    told = {problem["raw"]: problem for problem in summary["problems"]}
    assert told["srd/srd-2024/Equipment.md"]["reason"].startswith("missing (No such file")
    assert any("line 1: the file changed" in problem["reason"] for problem in summary["problems"])
    assert {obj.data["title"] for obj in read_raw_layer(tmp_path / "out")} == {"Feats", "Lamps"}
    assert run(monkeypatch, "snapshot", *arguments, "--strict") == 1


def test_books_can_come_from_a_mirror(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--srd-url", f"{origin.url}/raw", "--cache-dir", tmp_path / "cache"]
    assert run(monkeypatch, "snapshot", "--out", tmp_path / "out", "--sources", "srd", *where, "--json") == 1
    assert json.loads(capsys.readouterr().out)["requests"] == len(origin.log) == 67
    assert all(target.startswith("/raw/") for target in origin.log)


def unreachable() -> str:
    """A base URL on which no server listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_a_missing_network_is_reported_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, cache, nowhere = tmp_path / "out", tmp_path / "caches" / "http", unreachable()
    sites = [word for site in ("srd", "open5e", "dnd5e") for word in (f"--{site}-url", nowhere)]
    assert run(monkeypatch, "snapshot", "--out", out, *sites, "--cache-dir", cache) == 1
    err = capsys.readouterr().err
    assert "no network: cannot connect to 127.0.0.1" in err
    assert err.endswith("; nothing was written\n")
    assert len(err.splitlines()) == 1
    assert not out.exists()


def test_homebrew_alone_needs_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "snapshot", "--out", tmp_path / "out", "--sources", "orcbrew") == 2
    assert "--orcbrew" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_help_names_the_units_of_numbers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "snapshot", "--help") == 0
    assert "a bare number is seconds" in " ".join(capsys.readouterr().out.replace("│", " ").split())
