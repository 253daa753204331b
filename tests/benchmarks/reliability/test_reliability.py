"""The reliability benchmark with tiny counts: every part runs, finds failures and writes its rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.reliability import page
from benchmarks.reliability.outcome import Row
from server.dataset.manifest import MANIFEST_FILE

pytestmark = pytest.mark.slow


def trial(*options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.reliability", *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from /proc")
def test_a_short_soak_finds_no_wrong_answer(starter_dataset: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text(f"before\n{page.BEGIN}\n{page.END}\nafter\n")
    done = trial(
        "soak", "--dataset", starter_dataset, "--soak", 3, "--clients", 4, "--work", tmp_path / "work", "--page", file
    )  # fmt: skip
    rows = json.loads(file.with_suffix(".json").read_bytes())["soak"]["rows"]
    assert rows[0]["tries"] > 0, done.stderr
    assert rows[0]["wrong"] == []
    version = json.loads((starter_dataset / MANIFEST_FILE).read_bytes())["dataset_version"]
    text = file.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert f"dataset {version} of" in text


@pytest.mark.thorough
def test_homebrew_and_generated_calls_pass(starter_dataset: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    done = trial(
        "calls", "orcbrew", "--dataset", starter_dataset, "--calls", 3, "--orcbrew", 20,
        "--work", tmp_path / "work", "--page", file,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "| calls (" in file.read_text()
    assert "mutated OrcBrew inputs, read down to drafts | 20 |" in file.read_text()


def test_a_part_can_be_measured_alone_and_failures_are_bold(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    about = {"date": "2026-11-20", "dataset": "a dataset", "seconds": 1.0}
    page.record(file, "one", about, [Row("a | b", 2, "well")])
    page.record(file, "two", about, [Row("c", 1000, "else well", ["it fell", "again", "and", "again"])])
    page.record(file, "one", about, [Row("a", 3, "better")])
    assert "| one (2026-11-20, a dataset, 1 s) | a | 3 | better |" in file.read_text()
    assert "| c | 1,000 | **4 gave way**: it fell; again; and. else well |" in file.read_text()
