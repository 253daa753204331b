"""Rules that a query names in full among other words."""

import numpy as np
import pytest

from server.library.library import Library
from server.library.ranking.named_rules import NAMED, NamedRules
from server.library.requests.request import Request

NAMES = ["short rest", "long rest", "death saving throws", "saving throws", "resting", "sneak attack"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("what do I recover on a short rest", ["short rest"]),
        ("short or long rests?", ["long rest"]),
        ("do I roll a death saving throw", ["death saving throws"]),
        ("does resting heal me", []),
        ("how does sneak attack work", []),
        ("", []),
    ],
)
def test_names_of_several_words_are_found_the_longest_first(query: str, named: list[str]) -> None:
    scores = NamedRules(NAMES, np.arange(5)).scores(query)
    assert [name for name, score in zip(NAMES, scores, strict=True) if score == NAMED] == named
    assert set(scores.tolist()) <= {0, NAMED}


@pytest.mark.parametrize("query", ["what can I do during magical contagions", "how long does a magical contagion last"])
def test_a_rule_named_in_a_question_comes_before_its_siblings(library: Library, query: str) -> None:
    results = library.find(Request("rule", search=query, limit=3, detail="names"))["results"]
    assert results[0]["name"] == "Magical Contagions"
