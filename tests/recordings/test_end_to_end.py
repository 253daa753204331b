"""The dataset of the real APIs' recordings, also checked by the acceptance scenarios.

The scenarios, like the recordings, are not part of the repository.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from server.dataset.manifest import read_manifest
from server.dataset.schema import ENTITY_TABLES
from server.dataset.verify import verify

pytestmark = [pytest.mark.recordings, pytest.mark.timeout(1500)]

BIN = Path(sys.executable).parent

FLOORS = {
    "spell": 1955,
    "creature": 3541,
    "magic-item": 2972,
    "adventuring-gear": 440,
    "weapon": 106,
    "armor": 31,
    "class": 26,
    "subclass": 125,
    "race": 29,
    "subrace": 36,
    "background": 58,
    "feat": 91,
}
"""The number of entities of each type after merging; fewer means that something was lost."""

MUST_PASS = {"scenarios.jsonl": 144, "scenarios-2.jsonl": 17}
"""File of acceptance scenarios → the number that pass with these vectors."""
TOOLSETS = {"scenarios.jsonl": "search,lookup", "scenarios-2.jsonl": "search,lookup,query"}
"""The tool sets of each file: the first was written before `query` existed, and lists all tools."""


def test_every_raw_object_is_accounted_for(built: Path) -> None:
    manifest = read_manifest(built)
    coverage = dict(manifest["coverage"])
    assert coverage.pop("objects") == sum(coverage.values())
    unread = [p for p in manifest["problems"] if p["reason"] == "no normaliser read it"]
    assert unread == []
    raw = sum(len(pl.read_parquet(path, columns=["key"])) for path in (built / "raw").rglob("*.parquet"))
    assert raw == read_manifest(built)["coverage"]["objects"]


def test_problems_are_few_and_have_reasons(built: Path) -> None:
    problems = read_manifest(built)["problems"]
    assert all(p["raw"] and p["reason"] for p in problems)
    assert len(problems) < 100


def test_no_entity_is_missing(built: Path) -> None:
    counts = read_manifest(built)["counts"]["by_type"]
    missing = {t: (counts.get(t, 0), floor) for t, floor in FLOORS.items() if counts.get(t, 0) < floor}
    assert missing == {}


def test_the_dataset_verifies(built: Path) -> None:
    assert verify(built) == []


def test_texts_have_no_remnants_of_markup(built: Path) -> None:
    stray = r"<br|</?[a-z]+>|\{\{|\[Column data\]|�|\\n|&[a-z]+;|api\.open5e\.com"
    found = {
        table.name: pl.read_parquet(built / table.file)
        .filter(pl.col("description").str.contains(stray))["id"]
        .to_list()
        for table in ENTITY_TABLES
    }
    assert {name: ids for name, ids in found.items() if ids} == {}


@pytest.mark.parametrize(("file", "must_pass"), MUST_PASS.items())
def test_acceptance_scenarios_pass(built: Path, shared: Path, file: str, must_pass: int) -> None:
    scenarios = shared / "spec" / file
    command = [sys.executable, shared / "tools" / "acceptance.py", "--scenarios", scenarios]
    server = [BIN / "lorekeeper", "serve", "--dataset", built, "--log-level", "error", "--toolsets", TOOLSETS[file]]
    done = subprocess.run([str(p) for p in (*command, "--", *server)], capture_output=True, text=True, check=False)
    summary = re.search(r"(\d+) passed, (\d+) failed", done.stdout)
    assert summary is not None, done.stderr[-2000:]
    total = sum(1 for line in scenarios.read_text().splitlines() if line.strip())
    assert json.loads(summary[1]) + json.loads(summary[2]) == total
    assert int(summary[1]) >= must_pass, done.stdout
