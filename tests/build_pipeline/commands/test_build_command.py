"""`build --strict` and `check` on books with every kind of defect: all are named, and the rest is kept."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from book_pages import FEN_TROLL
from books import book_layer

from build_pipeline import cli, pipeline
from build_pipeline.commands.build import summary
from build_pipeline.release.allowed import read_allow_list
from build_pipeline.snapshot.orcbrew.homebrew import read_homebrew
from build_pipeline.snapshot.raw import SNAPSHOT_FILE, write_endpoint
from server.dataset.manifest import read_manifest

HALF_A_TROLL = FEN_TROLL.replace("Fen Troll", "Half Troll").partition("|  |  | MOD")[0]
CHAPTER = (
    "# Legal Information\n\n> Taken from System Reference Document 5.2.1.\n\n# Monsters\n\n## Monster Descriptions\n\n"
)
WHOLE = f"{CHAPTER}{FEN_TROLL}\n"
DEFECTIVE = f"{WHOLE}{FEN_TROLL.replace('**AC** 14', '**AC** 15')}\n{HALF_A_TROLL}"
MISSING = {
    "raw": "srd/srd-2024/Spells.md",
    "reason": "missing (404); the rest of the book is kept",
    "page": "https://books.example/Spells.md",
    "field": "",
}
OF = "creature/srd-2024/fen-troll"
STALE = f"""\
[[correction]]
entity = "{OF}"
column = "hit_points"
value = 60
instead_of = 58
wrong = ["srd"]
evidence = "an earlier print"
"""

STALE_IS_TOLD = f"the correction of hit_points of {OF} is out of date: the sources now give 59 instead of 58; review it"


def snapshot(
    folder: Path, markdown: str, *, problems: tuple[dict[str, str], ...] = (), corrections: str = "correction = []"
) -> Path:
    folder.mkdir()
    info = {"snapshot_at": "2026-01-01T00:00:00Z", "sources": [], "problems": problems}
    (folder / SNAPSHOT_FILE).write_text(json.dumps(info), encoding="utf-8")
    (folder / "corrections.toml").write_text(corrections, encoding="utf-8")
    write_endpoint(folder, "srd", "srd-2024", list(book_layer("srd-2024", markdown)["srd", "srd-2024"].values()))
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lorekeeper-build", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return run


def test_strict_passes_a_snapshot_without_defects(tmp_path: Path, tiny_model: Path, run) -> None:  # type: ignore[no-untyped-def]
    folder = snapshot(tmp_path / "snapshot", WHOLE)
    build = ("build", "--snapshot", folder, "--out", tmp_path / "dataset", "--model", tiny_model)
    assert run(*build, "--strict", "--quiet") == (0, "", "")


def test_every_defect_is_named_and_the_rest_is_kept(tmp_path: Path, tiny_model: Path, run) -> None:  # type: ignore[no-untyped-def]
    folder = snapshot(tmp_path / "snapshot", DEFECTIVE, problems=(MISSING,), corrections=STALE)
    dataset = tmp_path / "dataset"
    build = ("build", "--snapshot", folder, "--out", dataset, "--model", tiny_model, "--quiet")
    assert run(*build) == (0, "", "")
    code, _, said = run(*build, "--strict")
    assert code == 1
    assert [line.partition(":")[0] for line in said.splitlines()] == ["books-read", "corrections-apply"]
    names = pl.read_parquet(dataset / "creatures.parquet").sort("name")["name"].to_list()
    assert names == ["Fen Troll", "Half Troll"]

    code, found, _ = run("check", dataset, "--corrections", folder / "corrections.toml")
    assert code == 1
    shown = [line.split()[0] for line in found.splitlines()]
    assert "corrections-apply" in shown
    assert "glued-words" not in shown, "rules that nothing breaks are only counted"
    assert "facts checked: " in found
    told = [line for line in found.splitlines() if line.startswith(("books-read: ", "corrections-apply: "))]
    again, half = DEFECTIVE.count("\n", 0, DEFECTIVE.rfind("### Fen")), DEFECTIVE.count("\n", 0, DEFECTIVE.rfind("###"))
    assert [line.partition(": ")[2].partition(": ")[2] for line in told] == [
        "missing (404); the rest of the book is kept (https://books.example/Spells.md)",
        f"book.md:{again + 1}: stat block 'Fen Troll': occurs a second time and differs in armor_class",
        f"book.md:{half + 1}: stat block 'Half Troll': cannot read Challenge",
        f"book.md:{half + 1}: stat block 'Half Troll': cannot read Senses None",
        f"book.md:{half + 1}: stat block 'Half Troll': cannot read the table of abilities",
        STALE_IS_TOLD,
    ]
    assert run("check", dataset, "--corrections", folder / "corrections.toml", "--previous", dataset)[0] == 0


@pytest.mark.parametrize(("damaged", "more"), [(0, []), (1, []), (10, []), (11, ["    … and 1 more"])])
def test_the_summary_names_what_is_damaged_and_doubtful_in_homebrew(
    tmp_path: Path, starter_dataset: Path, damaged: int, more: list[str]
) -> None:
    path = tmp_path / "isles.orcbrew"
    spells = "".join(f'\n:s{n} {{:key :s{n} :name “S” :option-pack "Isles"}}' for n in range(damaged))
    whole = '\n:ok {:key :ok :name "Whole" :option-pack "Isles" :level 12}'
    path.write_text(f"{{:orcpub.dnd.e5/spells {{{spells}{whole}}}}}", encoding="utf-8")
    homebrew = read_homebrew([path])
    manifest = read_manifest(starter_dataset)
    rows = [row for problem in homebrew.problems if (row := problem.as_row())["raw"] != "orcbrew"]
    doubtful = {"raw": "orcbrew/spells/isles/ok", "reason": "school = 'wind' is not one of abjuration, …"}
    manifest["problems"] = [MISSING, *rows, doubtful]
    assert len(rows) == damaged
    heading = f"  homebrew: {damaged} damaged; `lorekeeper-build orcbrew check FILE` shows the places"

    told = summary(tmp_path, manifest).splitlines()
    start = next(at for at, line in enumerate(told) if line.startswith("  homebrew: "))
    assert told[start:] == [
        *([heading] if damaged else []),
        *(f"    {row['page']}: {row['reason']} [spells/s{n}]" for n, row in enumerate(rows[:10])),
        *more,
        "  homebrew: 1 doubtful",
        f"    spells/isles/ok: {doubtful['reason']}",
    ]


def test_an_invalid_previous_dataset_is_refused_before_the_work(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "none").mkdir()
    build = ("build", "--snapshot", tmp_path / "snapshot", "--out", tmp_path / "dataset")
    code, _, said = run(*build, "--previous", tmp_path / "none")
    assert code == 1
    assert "none is not a dataset: it has no manifest.json" in said


@pytest.mark.parametrize("option", ["--chunks", "--max-questions"])
@pytest.mark.parametrize("number", ["-1", "-3"])
def test_a_negative_number_of_texts_is_refused(tmp_path: Path, option: str, number: str, run) -> None:  # type: ignore[no-untyped-def]
    build = ("build", "--snapshot", tmp_path / "snapshot", "--out", tmp_path / "dataset")
    code, _, said = run(*build, option, number)
    assert code == 2
    assert "Must be >= 0" in said


def test_a_damaged_list_of_allowed_documents_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tiny_model: Path,
    run,  # type: ignore[no-untyped-def]
) -> None:
    (tmp_path / "allowed.toml").write_text("documents = 1", encoding="utf-8")
    monkeypatch.setattr(pipeline, "read_allow_list", partial(read_allow_list, tmp_path / "allowed.toml"))
    folder = snapshot(tmp_path / "snapshot", WHOLE)
    code, _, said = run("build", "--snapshot", folder, "--out", tmp_path / "dataset", "--model", tiny_model, "--quiet")
    assert code == 1
    assert "allowed.toml is not a valid list of allowed documents" in said
