"""The main job on the real APIs' recordings: served over HTTP, snapshot, built.

The recordings and the server that replays them are not part of the repository; without `LOREKEEPER_RECORDINGS` these
checks skip. To save time the vectors are fewer than in a release (one per entity, of the beginning of its text, and one
question per thing).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from build_pipeline.index.models import find_model

BIN = Path(sys.executable).parent


@pytest.fixture(scope="session")
def shared(recordings: Path) -> Path:
    """The folder around the recordings: tools, scenarios and OrcBrew files."""
    folder = recordings.parent.parent
    if not (folder / "tools" / "replay_api.py").is_file():
        pytest.skip("no replay server beside the recordings")
    return folder


@contextmanager
def replayed(shared: Path, recordings: Path, ready: Path) -> Iterator[str]:
    """Base URL of a server that replays the recordings as the three APIs; it writes `ready` once it listens."""
    command = [sys.executable, shared / "tools" / "replay_api.py", "--port", "0", "--data", recordings]
    process = subprocess.Popen([*map(str, command), "--ready-file", str(ready)], stdout=subprocess.DEVNULL)
    try:
        while not (ready.exists() and ready.read_text().strip()):
            assert process.poll() is None, "the replay server stopped"
            time.sleep(0.05)
        yield json.loads(ready.read_text())["root"]
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="session")
def built(once_a_session, shared: Path, recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of all recordings and the acceptance homebrew, made by the two commands."""
    from sentence_transformers import SentenceTransformer

    work = tmp_path_factory.mktemp("full")

    def make(dataset: Path) -> None:
        homebrew = ["--orcbrew", shared / "data" / "orcbrew" / "acceptance.orcbrew"]
        with replayed(shared, recordings, work / "ready.json") as api:
            snapshot = [BIN / "lorekeeper-build", "snapshot", "--open5e-url", api, "--dnd5e-url", api]
            snapshot += ["--srd-url", f"{api}/raw"]
            run(*snapshot, *homebrew, "--out", work / "snapshot", "--cache-dir", work / "cache", "--quiet")
        model = SentenceTransformer(str(find_model().folder), device="cpu")
        model.max_seq_length = 32
        model.save(str(work / "model"))
        build = [BIN / "lorekeeper-build", "build", "--snapshot", work / "snapshot", "--out", dataset]
        run(*build, "--model", work / "model", "--chunks", "0", "--max-questions", "1", "--quiet")

    return once_a_session("full-dataset", make)


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr[-2000:]}"
    return done.stdout
