"""Replacing files and folders, and what is left when it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.dataset.replacing import replacing_file, replacing_folder, take_place


def folder(path: Path, said: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "said").write_text(said)
    return path


def said(path: Path) -> str:
    return (path / "said").read_text()


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """The errors that the next renames raise, in order; the first rename of a swap succeeds."""
    raised: list[BaseException] = []
    rename = Path.rename

    def renamed(path: Path, target: Path) -> Path:
        if raised and path.name != "out":
            raise raised.pop(0)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", renamed)
    return raised


def test_a_new_folder_replaces_an_old_one(tmp_path: Path) -> None:
    out = folder(tmp_path / "deep" / "out", "old")
    with replacing_folder(out) as new:
        folder(new, "new")
        assert said(out) == "old"
    assert said(out) == "new"
    assert list(out.parent.iterdir()) == [out]


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    real = folder(tmp_path / "disk" / "real", "old")
    (tmp_path / "out").symlink_to(real)
    with replacing_folder(tmp_path / "out") as new:
        folder(new, "new")
    assert (tmp_path / "out").is_symlink()
    assert said(real) == "new"


@pytest.mark.parametrize("error", [PermissionError("in use"), KeyboardInterrupt()])
def test_the_old_folder_is_restored_when_the_new_one_cannot_replace_it(
    tmp_path: Path, fails: list[BaseException], error: BaseException
) -> None:
    out = folder(tmp_path / "out", "old")

    def replace() -> None:
        with replacing_folder(out) as new:
            folder(new, "new")
            fails.append(error)

    with pytest.raises(type(error)):
        replace()
    assert said(out) == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_an_old_folder_that_cannot_be_restored_is_kept_where_it_is(tmp_path: Path, fails: list[BaseException]) -> None:
    out = folder(tmp_path / "out", "old")

    def replace() -> None:
        with replacing_folder(out) as new:
            folder(new, "new")
            fails.extend([PermissionError("in use"), PermissionError("in use")])

    with pytest.raises(PermissionError):
        replace()
    (work,) = tmp_path.iterdir()
    assert said(work / "old") == "old"


def test_a_folder_that_cannot_be_moved_aside_stays(tmp_path: Path) -> None:
    out, new, old = (folder(tmp_path / name, name) for name in ("out", "new", "old"))
    with pytest.raises(OSError, match="old"):
        take_place(new, out, old)
    assert [said(path) for path in (out, new, old)] == ["out", "new", "old"]


def test_a_file_is_replaced_only_by_a_complete_one(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def write(text: str, error: Exception | None = None) -> None:
        with replacing_file(path) as new:
            new.write_text(text)
            if error:
                raise error

    write("first")
    write("second")
    with pytest.raises(ZeroDivisionError):
        write("third", ZeroDivisionError())
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="has other permissions")
def test_files_and_folders_have_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replacing_file(tmp_path / "file") as new:
            new.write_text("text")
        with replacing_folder(tmp_path / "folder"):
            pass
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("file", "folder")] == [0o640, 0o750]
