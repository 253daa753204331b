"""Comparisons of numbers in queries."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.library.catalogue import Catalogue
from server.library.queries.measures import Measures
from server.library.requests.filters import FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize(
    ("words", "holds"),
    [("at most", operator.le), ("at least", operator.ge), ("below", operator.lt), ("above", operator.gt)],
)
@pytest.mark.parametrize(
    ("measure", "table", "path", "unit", "number", "highest", "lowest"),
    [
        ("level {n}", "spells", "level", 1, 3, "level_max", "level_min"),
        ("level {n}", "spells", "level", 1, 1.5, "level_max", "level_min"),
        ("level {n}", "spells", "level", 1, 12, "level_max", "level_min"),
        ("lasting {n} hours", "spells", "duration_minutes", 60, 1, None, None),
        ("cr {n}", "creatures", "challenge_rating", 1, 0.25, "cr_max", "cr_min"),
        ("cr {n}", "creatures", "challenge_rating", 1, 0.3, "cr_max", "cr_min"),
        ("cr {n}", "creatures", "challenge_rating", 1, 40, "cr_max", "cr_min"),
        ("{n} hit points", "creatures", "hit_points", 1, 45, None, "hit_points_min"),
        ("{n} gp", "equipment", "cost_gp", 1, 50, "cost_max", "cost_min"),
        ("{n} gp", "equipment", "cost_gp", 1, 1_234_567, "cost_max", "cost_min"),
        ("{n} lb", "equipment", "weight_lb", 1, 2.5, "weight_max", None),
    ],
)
def test_a_comparison_has_the_filter_that_keeps_the_same(  # noqa: PLR0917
    dataset: Dataset,
    catalogue: Catalogue,
    measures: Measures,
    words: str,
    holds: Callable[[float, float], bool],
    measure: str,
    table: str,
    path: str,
    unit: float,
    number: float,
    highest: str | None,
    lowest: str | None,
) -> None:
    (fact,) = measures.compared(f"{words} {measure.format(n=number)}").facts
    values = dict(dataset.tables[table].select("id", path).drop_nulls().iter_rows())
    expected = {identity for identity, value in values.items() if holds(value, number * unit)}
    assert {identity for identity, has in zip(catalogue.ids, fact.entities, strict=True) if has} == expected

    parameter, compares = (highest, operator.le) if words in ("at most", "below") else (lowest, operator.ge)
    if parameter is None or not expected:
        assert fact.filters.keys() <= {parameter}
        return
    (told,) = fact.filters.items()
    limit = Fraction(told[1])
    assert told[0] == parameter
    assert {identity for identity, value in values.items() if compares(value, limit)} == expected
    (declared,) = (each for each in FILTERS if each.parameter == parameter and table.startswith(each.family))
    assert declared.takes(float(limit))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("cr at most 1/3", "challenge rating 1/3 at most"),
        ("cr at most 1/0", "challenge rating 1 at most"),
        ("under 1,234,567 gp", "under 1234567 gp"),
        ("over 2.25 lb", "over 2.25 lb"),
        ("lasting at most 1 hour", "lasts 1 hour at most"),
    ],
)
def test_numbers_are_worded_as_they_were_written(measures: Measures, text: str, label: str) -> None:
    (fact,) = measures.compared(text).facts
    assert fact.label == label


@given(st.text("0123456789/.", max_size=400))
def test_any_number_can_be_compared(measures: Measures, number: str) -> None:
    for measure in ("cr", "level"):
        for fact in measures.compared(f"{measure} at most {number}").facts:
            assert len(fact.label) < 60


def test_an_endless_number_is_no_comparison(measures: Measures) -> None:
    assert not measures.compared(f"cr at most {400 * '9'}").facts
