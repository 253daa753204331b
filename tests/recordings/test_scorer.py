"""The figures of `eval`, compared with those of the scorer beside the recordings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from build_pipeline.evaluation.evaluate import as_json, engine, evaluate, open_quietly, read_judged
from server.dataset.dataset import Dataset

pytestmark = pytest.mark.recordings

METRICS = {"ndcg@10": "ndcg10", "mrr@10": "mrr10", "recall@20": "recall20", "success@1_names": "success1"}
"""The scorer's names of the metrics."""


@pytest.fixture
def judged_set(recordings: Path) -> Path:
    folder = recordings.parent.parent / "eval"
    if not (folder / "score.py").is_file():
        pytest.skip("no judged set beside the recordings")
    return folder


def test_the_scorer_gives_the_same_figures(judged_set: Path, dataset: Dataset, tmp_path: Path) -> None:
    judged = read_judged(judged_set / "queries.jsonl", judged_set / "qrels.jsonl")
    library = open_quietly(dataset)
    answer = engine(library)
    ours = as_json(judged, evaluate(judged, answer))
    run = tmp_path / "run.jsonl"
    run.write_text("".join(json.dumps({"qid": q.qid, "results": answer(q)}) + "\n" for q in judged.queries))
    library.close()
    command = [sys.executable, str(judged_set / "score.py"), str(run), "--json"]
    theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    figures = {"overall": ours["overall"]}
    for group, label in (("by_class", "class"), ("by_tool", "tool")):
        figures |= {f"{label} {name}": found for name, found in ours[group].items()}
    assert figures.keys() == theirs.keys()
    for name, found in figures.items():
        assert {theirs_: found[metric] for metric, theirs_ in METRICS.items()} == pytest.approx(
            {theirs_: theirs[name][theirs_] for theirs_ in METRICS.values()}
        ), name
