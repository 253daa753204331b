"""Measures of encounters in the books."""

from server.library.library import Library
from server.play.measures import measure_of


def test_budgets_equal_the_books_examples(library: Library):
    """The totals of the worked examples of SRD 5.2.1, "Combat Encounters"."""
    measure = measure_of(library, "5e-2024")
    assert measure.budgets([1] * 4)["low"] == 200
    assert measure.budgets([3] * 5)["moderate"] == 1_125
    assert [rule["id"] for rule in measure.rules] == ["rule/srd-2024/xp-budget-per-character"]
    assert list(measure.budgets([5])) == ["low", "moderate", "high"]


def test_budgets_of_different_levels_are_added(library: Library):
    measure = measure_of(library, "5e-2024")
    assert measure.budgets([1, 3, 5])["high"] == 100 + 400 + 1_100


def test_a_level_that_the_table_lacks_has_no_budget(library: Library):
    assert measure_of(library, "5e-2024").budgets([5, 20]) == {}


def test_2014_has_the_challenge_rating_for_a_party_of_four(book_library: Library):
    measure = measure_of(book_library, "5e-2014")
    assert measure.budgets([3] * 4) == {"worthy": 700}
    assert measure.budgets([1, 2]) == {"worthy": (200 + 450) // 4}
    assert {rule["id"] for rule in measure.rules} == {"rule/srd-2014/surprise"}
    assert "multipliers" in measure.note


def test_an_edition_without_such_rules_has_no_measure(library: Library):
    assert measure_of(library, "5e-2014") is None
    assert measure_of(library, "a5e") is None
