"""Search before and after a change, measured with the shipped judged queries."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from build_pipeline.command_line import app
from build_pipeline.commands.terminal import CommandError
from build_pipeline.evaluation.evaluate import Judged, JudgementError, read_judged
from build_pipeline.evaluation.metrics import EXACT, METRICS, NAME_CLASSES
from build_pipeline.release.comparison.changes import as_json, as_markdown, as_text
from build_pipeline.release.comparison.retrieval import compare_with_search, read_given
from build_pipeline.resources import DATA
from server.dataset.files import RANKING_FILE
from server.dataset.index.ranking_weights import Weights, read_fit, write_fit
from server.dataset.manifest import MANIFEST_FILE, file_sha256, read_manifest

QUERIES, QRELS = DATA / "judged" / "queries.jsonl", DATA / "judged" / "qrels.jsonl"
CLASSES = {*NAME_CLASSES, "paraphrase", "effect", "attribute", "jargon", "rules-question", "concept", "long"}
TOOLS = {f"search_{family}" for family in ("spell", "creature", "equipment", "character_option", "rule", "all")}

Reweigh = Callable[[Weights], Weights]


@pytest.fixture(scope="module")
def judged() -> Judged:
    return read_judged(QUERIES, QRELS)


def upside_down(weights: Weights) -> Weights:
    return replace(weights, coverage=-weights.coverage, name=-weights.name, effect=-weights.effect)


@pytest.fixture
def reweighed(small_dataset: Path, tmp_path: Path) -> Callable[[Reweigh], Path]:
    """A copy of the dataset with other ranking weights."""

    def copy(reweigh: Reweigh) -> Path:
        folder = shutil.copytree(small_dataset, tmp_path / "reweighed")
        path = folder / RANKING_FILE
        fit = read_fit(path)
        write_fit(path, replace(fit, weights=reweigh(fit.weights)))
        manifest = read_manifest(folder)
        manifest["files"][RANKING_FILE] |= {"sha256": file_sha256(path), "bytes": path.stat().st_size}
        (folder / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
        return folder

    return copy


def test_the_shipped_queries_are_judged(judged: Judged) -> None:
    assert {query.query_class for query in judged.queries} == CLASSES
    assert {query.tool for query in judged.queries} == TOOLS
    assert [query.qid for query in judged.queries] == sorted(judged.grades)
    assert max(Counter(query.text for query in judged.queries).values()) == 1
    for query in judged.queries:
        found = set(judged.grades[query.qid].values())
        assert EXACT in found
        assert found <= ({EXACT} if query.query_class in NAME_CLASSES else {1, 2, EXACT})


@pytest.mark.thorough
def test_a_worse_search_is_reported_and_stops_a_release(
    small_dataset: Path,
    judged: Judged,
    reweighed: Callable[[Reweigh], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    worse = reweighed(upside_down)

    comparison = compare_with_search(small_dataset, worse, judged)

    overall, *others = comparison.retrieval
    assert comparison.identical  # what it holds is the same
    assert overall.worse
    assert overall.queries == len(judged.queries)
    assert {change.group for change in others} == {
        *(f"class {name}" for name in CLASSES),
        *(f"tool {name}" for name in TOOLS),
        *(f"books {name}" for name in ("any", "srd-2014 and srd-2024")),
    }
    told = json.loads(as_json(comparison))["retrieval"][0]
    assert told["difference"].keys() == set(METRICS)
    assert told["difference"]["ndcg@10"]["mean"] == pytest.approx(
        told["new"]["ndcg@10"]["mean"] - told["old"]["ndcg@10"]["mean"]
    )
    lines = (
        f"search answers {len(judged.queries)} judged queries clearly worse than before",
        "class effect (8): ndcg@10",
    )
    for line in lines:
        assert f"\n  {line}" in as_text(comparison)
        assert f"\n- {line}" in as_markdown(comparison)

    effects = [line for line in QUERIES.read_text(encoding="utf-8").splitlines() if '"class": "effect"' in line]
    few = worse.parent / "queries.jsonl"  # these show it in an eighth of the time
    few.write_text("\n".join(effects), encoding="utf-8")
    words = ["diff", str(small_dataset), str(worse), "--queries", str(few), "--qrels", str(QRELS)]
    assert app(words, result_action="return_value", exit_on_error=False) == 0
    with pytest.raises(CommandError, match=r"is clearly worse than in .* \(ndcg@10 0.* -0.* do not release"):
        app([*words, "--strict"], result_action="return_value", exit_on_error=False)
    assert "clearly worse" in capsys.readouterr().out


@pytest.mark.thorough
def test_the_same_search_is_not_worse(small_dataset: Path, judged: Judged) -> None:
    overall, *_ = compare_with_search(small_dataset, small_dataset, judged).retrieval

    assert not overall.worse
    assert overall.difference["ndcg@10"].mean == 0


def test_unjudged_queries_have_no_figures(small_dataset: Path, judged: Judged) -> None:
    comparison = compare_with_search(small_dataset, small_dataset, Judged(judged.queries[:2], {}))

    assert not comparison.retrieval[0].worse
    assert "ndcg" not in as_text(comparison)


def test_queries_and_judgements_must_be_given_together(small_dataset: Path) -> None:
    assert read_given(None, None) is None
    with pytest.raises(JudgementError, match="must be given together"):
        read_given(QUERIES, None)
    words = ["diff", str(small_dataset), str(small_dataset), "--strict"]
    with pytest.raises(CommandError, match="needs --queries and --qrels"):
        app(words, result_action="return_value", exit_on_error=False)
