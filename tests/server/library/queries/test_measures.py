"""Comparisons of numbers in queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.library.catalogue import Catalogue
from server.library.queries.measures import Measures

if TYPE_CHECKING:
    from server.dataset.dataset import Dataset


@pytest.fixture(scope="module")
def catalogue(dataset: Dataset) -> Catalogue:
    return Catalogue(dataset.tables, dataset.documents["document_key"].to_list())


@pytest.fixture(scope="module")
def measures(catalogue: Catalogue) -> Measures:
    return Measures(catalogue)


@pytest.mark.parametrize(
    ("text", "says", "rest"),
    [
        ("fire spell under level 3", {"level below 3"}, "fire spell"),
        ("lower than 3rd level that charms", {"level below 3"}, "that charms"),
        ("no higher than level 2 spell", {"level 2 at most"}, "spell"),
        ("3rd level and up", {"level 3 at least"}, ""),
        ("level 3+ evocation", {"level 3 at least"}, "evocation"),
        ("between 1st and 3rd level", {"level 1 at least", "level 3 at most"}, ""),
        ("level 2-4 spells", {"level 2 at least", "level 4 at most"}, "spells"),
        ("2nd or 3rd level", {"level 2 at least", "level 3 at most"}, ""),
        ("undead cr of 1/2 or less", {"challenge rating 1/2 at most"}, "undead"),
        ("cr between 2 and 5", {"challenge rating 2 at least", "challenge rating 5 at most"}, ""),
        ("cr < 3", {"challenge rating below 3"}, ""),
        ("with ac under 12", {"armor class below 12"}, "with"),
        ("more than 100 hit points", {"over 100 hit points"}, ""),
        ("100+ hp", {"100 hit points at least"}, ""),
        ("armor between 50 and 1,500 gp", {"50 gp at least", "1500 gp at most"}, "armor"),
        ("2 lb or less", {"2 lb at most"}, ""),
        ("range over 60 feet", {"range over 60 feet"}, ""),
        ("lasting more than an hour", {"lasts over 1 hour"}, ""),
        ("component worth less than 300 gp", {"a component of under 300 gp", "under 300 gp"}, "component worth"),
        ("intelligence below 5", {"intelligence below 5"}, ""),
    ],
)
def test_comparisons_are_facts(measures: Measures, text: str, says: set[str], rest: str) -> None:
    compared = measures.compared(text)
    assert {fact.label for fact in compared.facts} == says
    assert compared.rest == rest


@pytest.mark.parametrize(
    "text", ["level 3 spell", "below level 3 party", "up to three", "cr 4", "level 2 or 5", "1d6 gp"]
)
def test_other_numbers_are_ignored(measures: Measures, text: str) -> None:
    compared = measures.compared(text)
    assert not compared.facts
    assert compared.rest == text


def test_a_comparison_holds_for_entities_with_such_a_number(dataset: Dataset, catalogue: Catalogue) -> None:
    (fact,) = Measures(catalogue).compared("below cr 1/2").facts
    rated = dict(dataset.tables["creatures"].select("id", "challenge_rating").iter_rows())
    having = {identity for identity, has in zip(catalogue.ids, fact.entities, strict=True) if has}
    assert having == {identity for identity, rating in rated.items() if rating is not None and rating < 0.5}
    assert fact.filters == {"cr_max": "1/4"}
    assert fact.opposite == "challenge rating 1/2 at least"
