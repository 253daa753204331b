"""The speed benchmark runs on the starter dataset with the fewest calls."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.speed.results import Row

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.mark.thorough
def test_every_line_of_the_table_is_measured(starter_dataset: Path, tmp_path: Path):
    few = ["--starts", "1", "--calls", "2", "--http-seconds", "0.5", "--memory-calls", "20", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "benchmarks.speed", str(starter_dataset), *few]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = {row["what"]: row for row in json.loads((tmp_path / "bench.json").read_text())["rows"]}
    assert [what.partition(",")[0] for what in rows] == [
        "process start to `initialize` answered",
        "process start to first semantic answer",
        *["structured call"] * 5,
        "semantic call",
        "the encoder alone on that text",
        *["HTTP"] * 4,
        "memory after 20 mixed calls",
    ]
    assert all(row["measured"] > 0 and (row["floor"] is None or row["floor"] > 0) for row in rows.values())
    assert all(row["what"] in (tmp_path / "bench.md").read_text() for row in rows.values())


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (Row("start", 3.0, "s", floor=2.0, target=1.5), True),
        (Row("start", 3.1, "s", floor=2.0, target=1.5), False),
        (Row("rate", 120.0, "a second", floor=200.0, target=0.6, at_least=True), True),
        (Row("rate", 119.0, "a second", floor=200.0, target=0.6, at_least=True), False),
        (Row("memory", 351.0, "MB", target=350), False),
        (Row("alone", 3.0, "ms"), None),
    ],
)
def test_a_target_is_a_multiple_of_the_baseline_or_a_quantity(row: Row, met):
    assert row.met is met
