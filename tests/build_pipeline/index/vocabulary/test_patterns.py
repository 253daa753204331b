"""Patterns over many texts, and the printed words that they match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.index.vocabulary.patterns import PatternError, Texts

TEXTS = [
    "Ember Kiss. The target is Frightened until dawn. It can’t move.",
    "Élan. You give an ally courage; nobody near you is afraid.",
    "Still Pond. Nothing happens.",
]


def test_every_pattern_finds_its_texts() -> None:
    texts = Texts(TEXTS, ["frightened", r"(courage|happens)", "dragon", r"can.t [a-z]+"])
    assert texts.matching == {"frightened": {0}, "(courage|happens)": {1, 2}, "dragon": set(), "can.t [a-z]+": {0}}


def test_words_are_whole_and_as_printed() -> None:
    texts = Texts(TEXTS, ["is fright", "can.t mo", "lan. you", "afraid"])
    assert texts.words(0, "is fright") == "is Frightened"
    assert texts.words(0, "can.t mo") == "can’t move"
    assert texts.words(1, "lan. you") == "Élan. You"
    assert texts.words(1, "afraid") == "afraid"


def test_letters_that_lengthen_in_lower_case_are_quoted_as_searched() -> None:
    texts = Texts(["İstanbul. The Bell tolls."], ["bell"])
    assert texts.words(0, "bell") == "bell"


def test_no_patterns_match_nothing() -> None:
    assert Texts(TEXTS, []).matching == {}


def test_a_broken_pattern_is_quoted() -> None:
    with pytest.raises(PatternError, match=r"'\(burn' is not a regular expression"):
        Texts(TEXTS, ["fine", "(burn"])


@given(
    st.lists(st.text("ab c.", min_size=1, max_size=12), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a+b", r"\bb", "[^.]{0,3}c", "a|c c", "b.{2}a"]), unique=True),
)
def test_matches_are_those_of_pythons_re(printed: list[str], patterns: list[str]) -> None:
    found = Texts(printed, patterns).matching
    assert found == {p: {n for n, text in enumerate(printed) if re.search(p, text)} for p in patterns}
