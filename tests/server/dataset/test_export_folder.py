"""An export replaces only an earlier export: no file that a person wrote is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from server.dataset.export_folder import WRITTEN_FILE, export_folder


def export(out: Path, files: dict[str, str]) -> None:
    with export_folder(out) as new:
        for name, text in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text)


def content(folder: Path) -> dict[str, str]:
    files = {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*") if p.is_file()}
    return {name: text for name, text in files.items() if name != WRITTEN_FILE}


def test_an_unchanged_export_is_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(out, {"CREDITS.md": "all", "creature/gone/goblin.md": "Goblin", "creature/wolf.md": "Wolf"})
    export(out, {"CREDITS.md": "all", "spells.csv": "name"})
    assert content(out) == {"CREDITS.md": "all", "spells.csv": "name"}
    assert list(tmp_path.iterdir()) == [out]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    export(tmp_path, {"a.csv": "1"})
    assert content(tmp_path) == {"a.csv": "1"}


EXPORTED = {"CREDITS.md": "all", "creature/wolf.md": "Wolf", "spells.csv": "name"}


@pytest.mark.parametrize(
    ("touch", "said"),
    [
        (lambda out: (out / "campaign.md").write_text("mine"), r": campaign\.md;"),
        (lambda out: (out / "budget.csv").write_text("mine"), r": budget\.csv;"),
        (lambda out: (out / "creature" / "dragon.md").write_text("mine"), r": creature/dragon\.md;"),
        (lambda out: (out / "creature" / "wolf.md").write_text("Wolf, of mine"), r": creature/wolf\.md;"),
        (lambda out: shutil.copytree(out / "creature", out / ".obsidian" / "sub"), r": \.obsidian;"),
        (lambda out: (out / "empty").mkdir(), ": empty;"),
        (lambda out: (out / "link.md").symlink_to(out / "CREDITS.md"), r": link\.md;"),
        (lambda out: [(out / f"{n}.md").write_text("mine") for n in "abcde"], r": a\.md, b\.md, c\.md and 2 more;"),
        (lambda out: (out / WRITTEN_FILE).unlink(), r": CREDITS\.md, creature, spells\.csv;"),
        (lambda out: (out / WRITTEN_FILE).write_text("[]"), r": CREDITS\.md, creature, spells\.csv;"),
    ],
)
def test_other_files_are_named_and_kept(tmp_path: Path, touch: Callable[[Path], object], said: str) -> None:
    out = tmp_path / "out"
    export(out, EXPORTED)
    touch(out)
    before = content(out)
    with pytest.raises(FileExistsError, match=f"^{out} holds what no export wrote, or what was changed since{said}"):
        export(out, {"CREDITS.md": "new"})
    assert content(out) == before
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_added_during_an_export_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(out, EXPORTED)
    with pytest.raises(FileExistsError, match="campaign"), export_folder(out):
        (out / "campaign.md").write_text("mine")
    assert content(out) == {**EXPORTED, "campaign.md": "mine"}


def test_a_file_is_not_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(FileExistsError, match="is a file; name a new folder"):
        export(tmp_path / "out", EXPORTED)
    assert (tmp_path / "out").read_text() == "mine"
