"""The output folder of a build: the old dataset stays until the new one is complete."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from build_pipeline.target import TargetError, replacing
from server.dataset.manifest import MANIFEST_FILE

ROOT = Path(__file__).parents[2]


def dataset(folder: Path, said: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST_FILE).write_text(said)
    return folder


def said(folder: Path) -> str:
    return (folder / MANIFEST_FILE).read_text()


def left(folder: Path) -> set[str]:
    """The files in a folder, without the lock, which stays."""
    return {path.name for path in folder.iterdir() if path.suffix != ".lock"}


def test_the_new_dataset_replaces_the_old_one(tmp_path: Path) -> None:
    out = dataset(tmp_path / "deep" / "out", "old")
    (out / "more").write_text("of the old one")
    with replacing(out) as new:
        dataset(new, "new")
        assert said(out) == "old"
    assert [path.name for path in out.iterdir()] == [MANIFEST_FILE]
    assert said(out) == "new"
    assert left(out.parent) == {"out"}


def test_after_an_error_only_the_old_dataset_is_there(tmp_path: Path) -> None:
    out = dataset(tmp_path / "out", "old")

    def fail() -> None:
        with replacing(out) as new:
            dataset(new, "new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert said(out) == "old"
    assert left(tmp_path) == {"out"}


def test_the_old_dataset_is_restored_if_interrupted_between_renames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = dataset(tmp_path / "out", "old")
    rename = Path.rename

    def broken_off(path: Path, target: Path) -> Path:
        if path.name.endswith(".partial"):
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", broken_off)
    with pytest.raises(KeyboardInterrupt), replacing(out) as new:
        dataset(new, "new")
    assert said(out) == "old"
    assert left(tmp_path) == {"out"}


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = dataset(tmp_path / "disk" / "real", "old")
    (tmp_path / "out").symlink_to(real)
    with replacing(tmp_path / "out") as new:
        assert new.parent == real.parent  # the same file system
        dataset(new, "new")
    assert (tmp_path / "out").is_symlink()
    assert said(real) == "new"


def test_the_working_directory_can_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with replacing(Path()) as new:
        dataset(new, "new")
    assert said(tmp_path / "here") == "new"


def refusal(out: Path) -> str:
    with pytest.raises(TargetError) as refused, replacing(out):
        pytest.fail("it was not refused")
    return str(refused.value)


def test_a_target_that_cannot_be_replaced_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("mine")
    assert refusal(tmp_path / "file") == f"{tmp_path / 'file'} is a file; give --out a folder"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    assert refusal(tmp_path / "full").endswith("is not empty and not a dataset; give --out a new folder")
    mount = dataset(tmp_path / "mount", "old")
    monkeypatch.setattr(Path, "is_mount", lambda path: path == mount)
    assert refusal(mount).startswith(f"{mount} is a mount point")
    assert said(mount) == "old"
    assert left(tmp_path) == {"file", "full", "mount"}


@pytest.mark.parametrize("length", [248, 252, 300])
def test_a_name_too_long_for_its_temporary_names_is_refused(tmp_path: Path, length: int) -> None:
    assert "cannot be written (File name too long)" in refusal(tmp_path / ("x" * length))


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert f"{tmp_path / 'loop'} cannot be written" in refusal(tmp_path / "loop")


def test_a_second_build_into_the_folder_is_refused_at_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = (
        "import sys; from pathlib import Path; from build_pipeline.target import TargetError, replacing\n"
        "try:\n    with replacing(Path(sys.argv[1])): pass\n"
        "except TargetError as error: print(error)"
    )
    with replacing(out) as new:
        dataset(new, "first")
        second = subprocess.run(
            [sys.executable, "-c", program, out], cwd=ROOT, capture_output=True, text=True, check=True
        )
    assert second.stdout == f"another build is writing {out}; wait for it to end, or give --out another folder\n"
    assert said(out) == "first"


@pytest.mark.parametrize("step", range(1, 5))
def test_a_dataset_is_found_after_a_kill_between_any_two_renames(tmp_path: Path, step: int) -> None:
    out = dataset(tmp_path / "out", "old")
    program = (
        "import os, sys; from pathlib import Path; from build_pipeline.target import replacing\n"
        "steps = 0\n"
        "def hook(event, arguments):\n"
        "    global steps\n"
        "    if event in ('os.rename', 'os.rmdir', 'os.mkdir'):\n"
        "        steps += 1\n"
        "        if steps == int(sys.argv[2]): os._exit(9)\n"
        "sys.addaudithook(hook)\n"
        "with replacing(Path(sys.argv[1])) as new: (new / 'manifest.json').write_text('new')\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, out, str(step)], cwd=ROOT, check=False)
    assert killed.returncode == 9
    old = tmp_path / ".out.old"
    assert said(out if out.exists() else old) in {"old", "new"}

    def look() -> str:
        with replacing(out):
            found = said(out)
            raise InterruptedError(found)

    with pytest.raises(InterruptedError, match=r"old|new"):
        look()
    assert left(tmp_path) == {"out"}


def test_too_little_disk_space_is_reported_before_the_work(tmp_path: Path) -> None:
    out = dataset(tmp_path / "out", "old")
    with pytest.raises(TargetError, match="MB of room, and the dataset may take"), replacing(out, room=10**18):
        pytest.fail("it was not refused")
    assert said(out) == "old"
    assert left(tmp_path) == {"out"}


def test_a_full_disk_is_named_and_leaves_the_old_dataset(tmp_path: Path) -> None:
    out = dataset(tmp_path / "out", "old")

    def fill(*where: str) -> None:
        with replacing(out) as new:
            dataset(new, "new")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *where)

    with pytest.raises(TargetError, match=f"the disk of {out}, or of the cache or the temporary files, is full"):
        fill()
    with pytest.raises(TargetError, match=r"the disk of /cache/model\.onnx is full"):
        fill("/cache/model.onnx")
    assert said(out) == "old"
    assert left(tmp_path) == {"out"}


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="needs a file system that nobody can write")
def test_an_unwritable_folder_is_reported_before_the_work() -> None:
    assert refusal(Path("/proc/out")).startswith("/proc/out cannot be written")
