"""The judged halves in data/judged: complete, disjoint and alike."""

from collections import Counter
from pathlib import Path

import pytest

from build_pipeline.evaluation.evaluate import Judged, read_judged
from build_pipeline.evaluation.metrics import EXACT, NAME_CLASSES, USEFUL

JUDGED = Path(__file__).parents[3] / "data" / "judged"
HALVES = ("tuning", "sealed")


@pytest.fixture(scope="module")
def halves() -> dict[str, Judged]:
    return {half: read_judged(JUDGED / half / "queries.jsonl", JUDGED / half / "qrels.jsonl") for half in HALVES}


@pytest.mark.parametrize("half", HALVES)
def test_every_query_has_an_answer(halves: dict[str, Judged], half: str) -> None:
    judged = halves[half]
    assert [query.qid for query in judged.queries] == sorted(judged.grades)
    for query in judged.queries:
        known = set(judged.grades[query.qid].values())
        assert max(known) >= USEFUL, query.qid
        assert known <= ({0, EXACT} if query.query_class in NAME_CLASSES else {0, 1, USEFUL, EXACT}), query.qid


def test_no_query_is_in_both_halves(halves: dict[str, Judged]) -> None:
    texts = Counter(query.text.casefold() for judged in halves.values() for query in judged.queries)
    assert sum(texts.values()) >= 300
    assert [text for text, times in texts.items() if times > 1] == []


def test_both_halves_are_alike(halves: dict[str, Judged]) -> None:
    classes = [Counter(query.query_class for query in judged.queries) for judged in halves.values()]
    assert classes[0].keys() == classes[1].keys()
    assert max(abs(classes[0][name] - classes[1][name]) for name in classes[0]) <= 1
