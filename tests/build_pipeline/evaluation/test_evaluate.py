"""Measuring retrieval: metrics computed by hand, the command on the starter dataset, and the fit."""

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.cli import main
from build_pipeline.evaluation.evaluate import (
    Judged,
    JudgementError,
    Query,
    difference,
    engine,
    evaluate,
    groups,
    open_quietly,
    read_judged,
)
from build_pipeline.evaluation.explain import PARTS, TOP, explain
from build_pipeline.evaluation.fit import GRID, START, fit
from build_pipeline.evaluation.metrics import calibration_error, estimate, grades, judged_item, judged_items, measure
from server.dataset.dataset import Dataset
from server.dataset.index.ranking_weights import read_fit

GRADES = st.dictionaries(st.tuples(st.just("spell"), st.sampled_from("abcdefghijkl")), st.integers(0, 3), min_size=1)


def results(*names: str) -> list[dict[str, Any]]:
    return [{"kind": "spell", "name": name} for name in names]


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("magic-item", "Flame Tongue (Greatsword)", ("equipment", "flame tongue")),
        ("magic-item", "Flame Tongue Longsword", ("equipment", "flame tongue")),
        ("weapon", "Longsword", ("equipment", "longsword")),
        ("magic-item", "Longsword of Sharpness", ("equipment", "weapon of sharpness")),
        ("magic-item", "Plate Armor of Etherealness", ("equipment", "armor of etherealness")),
        ("magic-item", "+1 Longsword", ("equipment", "+1")),
        ("magic-item", "Longsword (+2)", ("equipment", "longsword (+2)")),
        ("subrace", "High  Elf", ("species", "high elf")),
        ("Magic Item", "Ring of the Ram’s Head", ("equipment", "ring of the ram's head")),
        ("spell", "Wall of Fire", ("spell", "wall of fire")),
        ("monster", "Mace", ("creature", "mace")),
        ("boon", "Luck", ("boon", "luck")),
    ],
)
def test_results_are_the_judged_items(kind: str, name: str, expected: tuple[str, str]) -> None:
    assert judged_item(kind, name) == expected


def test_metrics_equal_those_computed_by_hand() -> None:
    judged = {("spell", "a"): 3, ("spell", "b"): 2, ("spell", "c"): 1, ("spell", "d"): 0}
    found = measure("effect", judged, judged_items(results("x", "B", "b", "a", "c")))
    gain = 3 / math.log2(3) + 7 / math.log2(4) + 1 / math.log2(5)
    ideal = 7 / math.log2(2) + 3 / math.log2(3) + 1 / math.log2(4)
    assert found["ndcg@10"] == pytest.approx(gain / ideal)
    assert found["mrr@10"] == 1 / 2
    assert found["recall@20"] == 1.0
    assert found["success@1_names"] is None


def test_success_is_measured_for_names_and_is_the_named_thing_first() -> None:
    judged = {("spell", "a"): 3, ("spell", "b"): 2}
    assert measure("name-typo", judged, judged_items(results("a")))["success@1_names"] == 1.0
    assert measure("exact-name", judged, judged_items(results("b", "a")))["success@1_names"] == 0.0
    assert measure("partial-name", judged, [])["success@1_names"] == 0.0


def test_without_useful_items_there_is_no_recall() -> None:
    found = measure("effect", {("spell", "a"): 1}, judged_items(results("a")))
    assert found["recall@20"] is None
    assert found["mrr@10"] == 0.0
    assert measure("effect", {("spell", "a"): 0}, [])["ndcg@10"] is None


def test_recall_counts_at_most_twenty_items() -> None:
    judged = {("spell", f"s{n}"): 2 for n in range(40)}
    assert measure("effect", judged, list(judged))["recall@20"] == 1.0


@given(GRADES)
def test_the_best_order_scores_one(judged: dict[tuple[str, str], int]) -> None:
    best = sorted(judged, key=lambda key: -judged[key])
    found = measure("effect", judged, best)
    assert found["ndcg@10"] is None or found["ndcg@10"] == pytest.approx(1)
    assert found["recall@20"] in (None, 1.0)


def test_the_best_grade_of_folded_items_counts() -> None:
    rows = [
        {"qid": "q", "kind": "magic-item", "name": name, "grade": grade}
        for name, grade in (("Flame Tongue (Longsword)", 1), ("flame tongue", 3))
    ]
    assert grades(rows) == {"q": {("equipment", "flame tongue"): 3}}


def test_intervals_contain_the_mean_and_are_reproducible() -> None:
    values = [0.1, 0.9, 0.4, None, 0.5]
    found = estimate(values)
    assert found.mean == pytest.approx(0.475)
    assert found.low is not None
    assert found.high is not None
    assert 0.1 <= found.low < found.mean < found.high <= 0.9
    assert estimate(values) == found
    assert estimate([None]).mean is None
    assert estimate([0.5, 0.5]).low == 0.5


def test_calibration_error_is_measured() -> None:
    assert calibration_error([0.25] * 4, [True, False, False, False]) == pytest.approx(0)
    assert calibration_error([0.9] * 10, [False] * 10) == pytest.approx(0.9)
    assert calibration_error([1.0, 0.0], [True, False]) == 0


@pytest.fixture
def judged_files(tmp_path: Path) -> list[Path]:
    queries = [
        {"qid": "1", "tool": "search_spell", "query": "heals wounds", "filters": {"level": 1}, "class": "effect"},
        {"qid": "2", "tool": "search_creature", "query": "breathes fire", "filters": {}, "class": "concept"},
        {"qid": "3", "tool": "search_equipment", "query": "longswrd", "filters": {"kind": "weapon"},
         "class": "name-typo"},
        {"qid": "4", "tool": "search_all", "query": "fear", "filters": {"content_types": ["Spell"]}, "class": "effect"},
        {"qid": "5", "tool": "search_character_option", "query": "x", "filters": {"kind": "feat"}, "class": "effect"},
        {"qid": "6", "tool": "search_rule", "query": "cover", "filters": {}, "class": "exact-name"},
    ]  # fmt: skip
    qrels = [
        {"qid": "1", "kind": "spell", "name": "cure wounds", "grade": 3},
        {"qid": "2", "kind": "creature", "name": "adult red dragon", "grade": 3},
        {"qid": "3", "kind": "weapon", "name": "longsword", "grade": 3},
        {"qid": "4", "kind": "spell", "name": "fear", "grade": 3},
        {"qid": "6", "kind": "rule", "name": "cover", "grade": 3},
    ]
    paths = [tmp_path / "queries.jsonl", tmp_path / "qrels.jsonl"]
    for path, rows in zip(paths, (queries, qrels), strict=True):
        path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return paths


def _eval(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["lorekeeper-build", "eval", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_queries_are_grouped_by_their_books() -> None:
    limits = ([], ["srd-2014"], ["srd-2024", "srd-2014"], ["vom"], ["vom", "srd-2014"])
    asked = tuple(
        Query(f"q{i}", "search_spell", "fire", {"documents": limit}, "effect") for i, limit in enumerate(limits)
    )
    assert groups(Judged(asked, {}))["by_books"] == {
        "any": ["q0"],
        "others": ["q3", "q4"],
        "srd-2014": ["q1"],
        "srd-2014 and srd-2024": ["q2"],
    }


def test_the_command_prints_figures(
    starter_dataset: Path,
    judged_files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    asked = ("--dataset", starter_dataset, "--queries", judged_files[0], "--qrels", judged_files[1])
    assert _eval(monkeypatch, *asked, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"overall", "by_class", "by_tool", "by_books", "ece"}
    assert set(found["overall"]) == {"ndcg@10", "mrr@10", "recall@20", "success@1_names"}
    assert set(found["by_class"]) == {"effect", "concept", "name-typo", "exact-name"}
    assert 0 <= found["ece"] <= 1
    assert _eval(monkeypatch, *asked, "--against", starter_dataset) == 0
    shown = capsys.readouterr().out
    assert "tool search_spell" in shown
    assert "query by query: +0.000" in shown


def test_queries_are_listed_worst_first(
    starter_dataset: Path,
    judged_files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("--dataset", starter_dataset, "--queries", judged_files[0], "--qrels", judged_files[1], "--per-query")
    assert _eval(monkeypatch, *asked, "--json") == 0
    per_query = json.loads(capsys.readouterr().out)["per_query"]
    assert set(per_query) == {"1", "2", "3", "4", "5", "6"}
    assert {"query": "longswrd", "class": "name-typo"}.items() <= per_query["3"].items()
    values = [row["ndcg@10"] for row in per_query.values()]
    assert values[-1] is None  # nothing is judged for this query
    assert values[:-1] == sorted(values[:-1])
    assert _eval(monkeypatch, *asked, "--against", starter_dataset) == 0
    shown = capsys.readouterr().out
    lines = [line.split()[0] for line in shown.splitlines() if line.split()[:1] and line.split()[0] in per_query]
    assert lines == list(per_query)


def test_a_query_is_explained(
    starter_dataset: Path,
    judged_files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("--dataset", starter_dataset, "--queries", judged_files[0], "--qrels", judged_files[1])
    assert _eval(monkeypatch, *asked, "--explain", "1", "--json") == 0
    explained = json.loads(capsys.readouterr().out)
    assert explained["query"] == "heals wounds"
    weights = read_fit(starter_dataset / "ranking.json").weights
    for result in explained["results"]:
        strength = sum(result["gains"].values())
        score = 1 / (1 + math.exp(weights.offset - weights.slope * strength))
        assert result["score"] == pytest.approx(score, abs=0.01)
    judged = {result["name"]: (result["rank"], result["grade"]) for result in explained["results"]}
    assert judged["cure wounds"] == (1, 3)
    assert _eval(monkeypatch, *asked, "--explain", "1") == 0
    assert "cure wounds" in capsys.readouterr().out
    assert _eval(monkeypatch, *asked, "--explain", "none") == 1
    assert "no query has the id 'none'; the ids are 1, 2, 3, 4, 5, 6" in capsys.readouterr().err


def test_useful_items_are_explained_at_any_rank() -> None:
    parts = dict.fromkeys(PARTS, 0.5)
    found = [{"kind": "spell", "name": f"s{n}", "score": 0.5, "parts": parts} for n in range(TOP + 3)]
    query = Query("q", "search_spell", "x", {}, "effect")
    grades_of_it = {("spell", f"s{TOP + 1}"): 3, ("spell", f"s{TOP + 2}"): 1, ("spell", "lost"): 2}
    judged = Judged((query,), {"q": grades_of_it})
    explained = explain(judged, query, lambda _: found, replace(START, coverage=0.25))
    assert [(each.item[1], each.rank, each.grade) for each in explained[TOP:]] == [
        (f"s{TOP + 1}", TOP + 2, 3),
        ("lost", None, 2),
    ]
    assert (explained[0].gains["semantic"], explained[0].gains["coverage"]) == (0.5, 0.125)


def test_a_broken_line_is_named(judged_files: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judged_files[1].write_text('{"qid": "1"}\n', encoding="utf-8")
    with pytest.raises(JudgementError, match=r"qrels.jsonl, line 1: kind.*field required; name.*field required; grade"):
        read_judged(*judged_files)
    judged_files[1].write_text("{\n", encoding="utf-8")
    with pytest.raises(JudgementError, match=r"line 1: .*invalid JSON"):
        read_judged(*judged_files)
    assert _eval(monkeypatch, "--dataset", tmp_path, "--queries", judged_files[0], "--qrels", judged_files[1]) == 1
    graded = '{"qid": "1", "kind": "spell", "name": "x", "grade": "3"}'
    for row, message in (("[1, 2]", "object"), (graded, "grade.*integer")):
        judged_files[1].write_text(row, encoding="utf-8")
        with pytest.raises(JudgementError, match=f"line 1: .*{message}"):
            read_judged(*judged_files)


def test_two_queries_with_one_id_are_named(judged_files: list[Path]) -> None:
    first = judged_files[0].read_text(encoding="utf-8").partition("\n")[0]
    judged_files[0].write_text(f"{first}\n{first}\n", encoding="utf-8")
    with pytest.raises(JudgementError, match="the qid '1' occurs 2 times"):
        read_judged(*judged_files)


def test_queries_without_results_are_not_fitted() -> None:
    nothing = Judged((Query("q", "search_spell", "x", {"documents": ["none"]}, "effect"),), {})
    with pytest.raises(JudgementError, match="'x' finds nothing in this dataset"):
        fit(nothing, lambda _: [], ["fire"], ["tax filing deadline"])


def test_a_fit_chooses_from_its_grid(dataset: Dataset, judged_files: list[Path]) -> None:
    judged = read_judged(*judged_files)
    library = open_quietly(dataset)
    fitted = fit(judged, engine(library), ["fire"], ["kubernetes ingress", "tax filing deadline"])
    library.close()
    assert fitted.fitted_on["queries"] == len(judged.queries)
    assert all(getattr(fitted.weights, part) in (*values, getattr(START, part)) for part, values in GRID.items())
    assert fitted.weights.slope > 0
    assert 0 < fitted.weights.floor <= 1


def test_two_equal_runs_do_not_differ(dataset: Dataset, judged_files: list[Path]) -> None:
    judged = read_judged(*judged_files)
    library = open_quietly(dataset)
    figures = evaluate(judged, engine(library))
    library.close()
    assert difference(figures, figures).mean == 0
