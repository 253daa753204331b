"""The recorded APIs, replayed over HTTP: the snapshot has exactly what was recorded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from merging import ENDPOINT, recorded_lines
from origin_server import manners, origins

from build_pipeline.snapshot.crawl import SnapshotRequest, snapshot
from build_pipeline.snapshot.endpoints import Fetch

pytestmark = pytest.mark.recordings

CHOSEN = [
    ("open5e_v1", "feats"),
    ("open5e_v1", "classes"),
    ("open5e_v1", "documents"),
    ("open5e_v2", "items"),
    ("open5e_v2", "abilities"),
    ("open5e_v2", "rulesets"),
    ("dnd5e_api", "2014/classes"),
    ("dnd5e_api", "2014/classes-levels"),
    ("dnd5e_api", "2014/classes-spells"),
    ("dnd5e_api", "2024/proficiencies"),
]


@pytest.fixture
def replay(recordings: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The addresses of a server that replays the recordings."""
    server = recordings.parent.parent / "tools" / "replay_api.py"
    if not server.is_file():
        pytest.skip("there is no replay server next to the recordings")
    ready = tmp_path / "ready.json"
    command = [sys.executable, str(server), "--port", "0", "--data", str(recordings), "--ready-file", str(ready)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not ready.exists() and process.poll() is None:
        time.sleep(0.01)
    yield json.loads(ready.read_text())
    process.terminate()
    process.wait()


def without_host(text: str) -> str:
    """Only absolute links depend on the address of the API."""
    return re.sub(r"https?://(?:127\.0\.0\.1:\d+(?:/open5e)?|api\.open5e\.com)", "", text)


def test_replayed_objects_are_the_recorded_ones(replay: dict[str, str], recordings: Path, tmp_path: Path) -> None:
    endpoints = [ENDPOINT[where] for where in CHOSEN]
    request = SnapshotRequest(tmp_path / "out", origins(replay["root"], *endpoints), strict=True)
    taken = snapshot(request, tmp_path / "cache", manners())
    for endpoint in endpoints:
        objects = taken.objects[endpoint.source, endpoint.name]
        if endpoint.fetch in {Fetch.PAGES, Fetch.DETAILS}:
            texts = sorted(without_host(obj.text) for obj in objects)
            assert texts == sorted(map(without_host, recorded_lines(recordings, endpoint.source, endpoint.name)))
    assert len(taken.objects["dnd5e_api", "2014/classes-levels"]) == 12 * 20
    assert len(taken.objects["dnd5e_api", "2014/classes-spells"]) == 12
    again = snapshot(request, tmp_path / "cache", manners())
    assert again.requests == 0
    assert again.info == taken.info
