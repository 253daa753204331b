"""The words of names: which names have some words, and in what form."""

import pytest

from server.library.names.name_words import NameWords

NAMES = (
    "wall of fire",
    "fire bolt",
    "wolves of ash",
    "casting the bones",
    "witch hex",
    "grey bolt",
    "witches grappling imps",
)
WORDS = NameWords(NAMES)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("fire", ["wall of fire", "fire bolt"]),
        ("fires", ["wall of fire", "fire bolt"]),
        ("fire bolts", ["fire bolt"]),
        ("fir", []),
        ("wolf", ["wolves of ash"]),
        ("cast bone", ["casting the bones"]),
        ("witches", ["witch hex", "witches grappling imps"]),
        ("hexes", ["witch hex"]),
        ("witch", ["witch hex", "witches grappling imps"]),
        ("grapple witches", ["witches grappling imps"]),
        ("grapp", []),
        ("gray", ["grey bolt"]),
        ("grey", ["grey bolt"]),
        ("fire hex", []),
    ],
)
def test_a_name_has_words_whole_in_any_number_or_as_gerunds(text: str, whole: list[str]) -> None:
    assert [NAMES[row] for row in WORDS.having_whole(text, range(len(NAMES)))] == whole


@pytest.mark.parametrize(
    ("text", "rows", "is_all"),
    [
        ("fire wall", [0], True),
        ("walls fires", [0], True),
        ("wall", [0], False),
        ("fire bolt of ash", [0, 1], True),
        ("fire bolt of ash", [0, 2], False),
        ("cast a bone", [3], True),
        ("some hexes for a witch", [4], True),
        ("gray bolt", [5], True),
        ("witch", [6], False),
        ("wall of flames", [0], False),
        ("fire", [], False),
    ],
)
def test_a_text_has_all_words_of_one_of_some_names(text: str, rows: list[int], *, is_all: bool) -> None:
    assert WORDS.are_all(text, rows) is is_all
