"""SIGKILL at every step of a pull and a flipped byte in every file: nothing damaged is served."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mirror import NEW, OLD, SILENT, Mirror

from server.dataset.listing import archive_name
from server.dataset.manifest import DatasetError
from server.settings import open_library
from server.store.home import HOME_VARIABLE, Home
from server.store.pull import pull

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


@pytest.mark.thorough
@posix
def test_a_pull_killed_at_any_step_leaves_a_valid_dataset(settled: Path, mirror: Mirror, tmp_path: Path):
    script = Path(__file__).parents[2] / "support" / "killed_pulls.py"
    done = subprocess.run(
        [sys.executable, str(script), str(settled), str(tmp_path / "homes"), mirror.listing],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert done.returncode == 0, done.stderr
    deaths = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(deaths) > 30
    assert [death for death in deaths if death["wrong"] or death.get("left") or death.get("after", NEW) != NEW] == []
    assert [death["in_use"] for death in deaths] == sorted(death["in_use"] for death in deaths)
    assert {death["in_use"] for death in deaths} == {OLD, NEW}


@pytest.mark.thorough
@posix
def test_a_download_killed_midway_is_resumed(home: Home, mirror: Mirror):
    """The bytes that had arrived are not downloaded again."""
    mirror.cuts = [10_000, 0, 0, 0, 0]
    code = "from server.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "pull", "--url", mirror.listing],
        env=os.environ | {HOME_VARIABLE: str(home.root)},
        stderr=subprocess.DEVNULL,
    )
    while not any(asked for asked in mirror.fetched(NEW)):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert home.current() == OLD
    mirror.cuts = []
    pull(home, None, mirror.listing, SILENT)
    assert mirror.fetched(NEW)[-1] == "bytes=10000-"
    assert home.current() == NEW


def test_a_flipped_byte_in_any_file_is_refused_and_named(home: Home, monkeypatch, lorekeeper):
    monkeypatch.setenv(HOME_VARIABLE, str(home.root))
    monkeypatch.delenv("LOREKEEPER_DATASET", raising=False)
    folder = home.folder(OLD)
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    assert {"manifest.json", "spells.parquet", "index.faiss", "encoder/model.onnx"} < set(names)
    for name in names:
        whole = (folder / name).read_bytes()
        content = bytearray(whole)
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)
        with pytest.raises(DatasetError, match=name):
            open_library(None)
        for words in (["use", OLD], ["verify", str(folder)]):
            code, _, err = lorekeeper(*words)
            assert code == 1
            assert name in err
        (folder / name).write_bytes(whole)
    open_library(None).close()


def test_a_flipped_byte_in_the_archive_is_refused_and_named(home: Home, mirror: Mirror, tmp_path: Path):
    archive = mirror.folder / archive_name(NEW)
    whole = archive.read_bytes()
    for position in range(0, len(whole), len(whole) // 6):
        content = bytearray(whole)
        content[position] ^= 1
        archive.write_bytes(content)
        with pytest.raises(DatasetError, match=f"{archive.name} is refused"):
            pull(home, None, mirror.listing, SILENT)
    assert home.current() == OLD
    shutil.rmtree(tmp_path / "shop")
