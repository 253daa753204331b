"""A build killed at any moment and repeated gives the same bytes as an uninterrupted one."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hashes import contents
from starter_rows import STARTER

KILLED = """
import os, signal, sys
from pathlib import Path
from build_pipeline.index import engines
from build_pipeline.pipeline import build_dataset

snapshot, out, model, cache, last = sys.argv[1:]
engines._BLOCK = 16
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


def killed_build(model: Path, out: Path, cache: Path, last: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KILLED, STARTER, out, model, cache, last]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def rows(vectors: Path) -> int:
    with closing(sqlite3.connect(vectors)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    return int(count)


@pytest.fixture
def cache(tmp_path: Path, build_cache: Path, tiny_model: Path) -> Path:
    """An empty cache, except for the exported model."""
    from build_pipeline.index.export import exported
    from build_pipeline.index.models import find_model

    exported(find_model(str(tiny_model)), build_cache)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "encoders").symlink_to(build_cache / "encoders")
    return tmp_path / "cache"


@pytest.mark.thorough
def test_a_killed_build_continues_and_gives_the_same_bytes(cache: Path, tiny_model: Path, tmp_path: Path) -> None:
    from build_pipeline.pipeline import build_dataset

    vectors = cache / "vectors.sqlite"
    killed = killed_build(tiny_model, tmp_path / "killed", cache, 30)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not (tmp_path / "killed").exists()
    kept = rows(vectors)
    build_dataset(STARTER, tmp_path / "killed", model=str(tiny_model), cache=cache, chunks=1)
    assert 0 < kept < rows(vectors)
    vectors.unlink()
    build_dataset(STARTER, tmp_path / "whole", model=str(tiny_model), cache=cache, chunks=1)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert {path.name for path in tmp_path.iterdir()} == {
        "whole", "killed", "cache", ".whole.lock", ".killed.lock",
    }  # fmt: skip
