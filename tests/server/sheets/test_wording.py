"""Facts in the wording of the books."""

import pytest

from server.sheets.wording import dice, listed, modifier, money, ordinal, pounds, speeds, titled, with_abilities


@pytest.mark.parametrize(
    ("number", "words"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (21, "21st")]
)
def test_ordinals_are_written(number, words):
    assert ordinal(number) == words


@pytest.mark.parametrize(("number", "words"), [(3, "+3"), (0, "+0"), (-1, "−1")])
def test_modifiers_are_signed(number, words):
    assert modifier(number) == words


@pytest.mark.parametrize(
    ("gp", "words"),
    [(1500.0, "1,500 gp"), (0.5, "5 sp"), (0.05, "5 cp"), (2.5, "25 sp"), (0.0, "0 gp"), (0.001, "0.001 gp")],
)
def test_prices_are_in_the_largest_whole_coins(gp, words):
    assert money(gp) == words


@pytest.mark.parametrize(
    ("weight", "words"), [(3.0, "3 lb."), (0.25, "1/4 lb."), (1.5, "1 1/2 lb."), (0.0, "0 lb."), (0.1, "0.1 lb.")]
)
def test_weights_have_units(weight, words):
    assert pounds(weight) == words


def test_abilities_are_proper_names():
    assert with_abilities("1 + wisdom modifier per long rest") == "1 + Wisdom modifier per long rest"


def test_titles_are_capitalised():
    assert titled("sleight_of_hand") == "Sleight of Hand"
    assert titled("weapon (longsword), very rare") == "Weapon (Longsword), Very Rare"
    assert titled("from nonmagical attacks not made with silvered weapons") == (
        "From Nonmagical Attacks Not Made with Silvered Weapons"
    )


def test_dice_are_written_with_spaces_and_a_minus_sign():
    assert dice("18d10+72") == "18d10 + 72"
    assert dice("1d4-1") == "1d4 − 1"


def test_lists_are_joined():
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed("abc")] == ["", "a", "a and b", "a, b, and c"]


def test_speeds_are_listed():
    assert speeds({"walk": 30, "fly": 60, "hover": True, "swim": None}) == "30 ft., fly 60 ft. (hover)"
    assert speeds({"walk": None, "swim": 40}, capitals=True) == "Swim 40 ft."
    assert speeds({}) == ""
