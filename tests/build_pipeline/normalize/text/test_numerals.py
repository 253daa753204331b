"""Small numbers as words."""

from __future__ import annotations

import re

import pytest

from build_pipeline.normalize.text.numerals import NUMBER, number


@pytest.mark.parametrize(("text", "expected"), [("one", 1), ("Twelve", 12), ("7", 7), ("20", 20)])
def test_numbers_are_read(text, expected):
    assert re.fullmatch(NUMBER, text, re.IGNORECASE)
    assert number(text) == expected


def test_other_words_are_not_numbers():
    with pytest.raises(ValueError, match="several"):
        number("several")
