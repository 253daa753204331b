"""A build killed at any moment, started again, ends in the same bytes as one left alone."""

import hashlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest

STARTER = Path(__file__).parents[2] / "data" / "starter"

KILLED = """
import os, signal, sys
from pathlib import Path
from build_pipeline.index import embed
from build_pipeline.pipeline import build_dataset

snapshot, out, model, cache, last = sys.argv[1:]
embed._BLOCK = 16
steps = 0

def hook(event, arguments):
    global steps
    if event == "sqlite3.connect" or (event == "open" and ".partial" in str(arguments[0])):
        step()

def step(*_):
    global steps
    steps += 1
    if steps == int(last):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
build_dataset(Path(snapshot), Path(out), model=model, cache=Path(cache), progress=step, chunks=1)
print(steps)
"""


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def build(model: Path, out: Path, cache: Path, last: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KILLED, STARTER, out, model, cache, last]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


@pytest.fixture
def cache(tmp_path: Path, build_cache: Path, tiny_model: Path) -> Path:
    """A cache of its own, but for the exported model."""
    from build_pipeline.index.export import exported
    from build_pipeline.index.models import find_model

    exported(find_model(str(tiny_model)), build_cache)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "encoders").symlink_to(build_cache / "encoders")
    return tmp_path / "cache"


def test_a_killed_build_goes_on_and_ends_in_the_same_bytes(cache: Path, tiny_model: Path, tmp_path: Path) -> None:
    whole = build(tiny_model, tmp_path / "whole", tmp_path / "cache", 0)
    assert whole.returncode == 0, whole.stderr
    steps = int(whole.stdout)
    (cache / "vectors.sqlite").unlink()
    for last in (3, steps // 5, steps // 3):  # with ever more in the cache there are fewer steps
        killed = build(tiny_model, tmp_path / "killed", cache, last)
        assert killed.returncode == -signal.SIGKILL
        assert not (tmp_path / "killed").exists()
    again = build(tiny_model, tmp_path / "killed", cache, 0)
    assert again.returncode == 0, again.stderr
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert {path.name for path in tmp_path.iterdir()} == {
        "whole", "killed", "cache", ".whole.lock", ".killed.lock",
    }  # fmt: skip
