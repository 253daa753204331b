"""How long datasets take to build from a snapshot: from nothing, and after a small change. Takes many minutes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.speed.results import Row
from build_pipeline.snapshot.raw import SNAPSHOT_FILE, read_raw_layer, recounted, write_endpoint
from build_pipeline.sources import SOURCES

MOST_SECONDS: Final = 8 * 60
CHANGED: Final = 50
"""One raw object in this many is changed: two per cent."""
MOST_SHARE: Final = 0.1
_DESCRIPTION: Final = re.compile(r'"desc": ?"')


def builds(snapshot: Path) -> list[Row]:
    """The rows for a build with an empty cache, and for one after two per cent of the snapshot's objects changed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        full = _build(snapshot, folder)
        changed = folder / "snapshot"
        shutil.copytree(snapshot, changed)
        change(changed)
        again = _build(changed, folder)
    return [
        Row("full build from a snapshot", full, "s", target=MOST_SECONDS),
        Row("rebuild after 2% of the objects changed", again, "s", full, MOST_SHARE),
    ]


def change(snapshot: Path) -> None:
    """Add a word to the description of every fiftieth object that has one."""
    layer = read_raw_layer(snapshot, (endpoint for source in SOURCES for endpoint in source.endpoints))
    shutil.rmtree(snapshot / "raw")
    for (source, endpoint), objects in layer.endpoints.items():
        for number, obj in enumerate(list(objects.values())):
            if number % CHANGED == 0:
                objects[obj.key] = replace(obj, text=_DESCRIPTION.sub(r"\g<0>Changed. ", obj.text, count=1))
        write_endpoint(snapshot, source, endpoint, list(objects.values()))
    (snapshot / SNAPSHOT_FILE).write_text(json.dumps(recounted(layer)), encoding="utf-8")


def _build(snapshot: Path, folder: Path) -> float:
    """The seconds that a build takes."""
    start = time.perf_counter()
    program = "from build_pipeline.cli import main; main()"
    options = ["--snapshot", str(snapshot), "--out", str(folder / "dataset"), "--cache-dir", str(folder / "cache")]
    subprocess.run([sys.executable, "-c", program, "build", "--quiet", *options], check=True)
    return time.perf_counter() - start
