"""Control characters do not reach a terminal."""

import unicodedata

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.invisible import visible
from server.dataset.printable import HIDDEN, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("a\u202eb", r"a\u202eb"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud800", r"\ud800"),
        ("Élan – “x”\n\tnext", "Élan – “x”\n\tnext"),
    ],
)
def test_a_control_character_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" for c in printable(text))


@pytest.mark.parametrize("character", ["\x07", "\x1b", "\x9b", "\u202e", "\u200b", "\U000e0041", "\ufeff"])
def test_characters_that_no_dataset_may_contain_are_escaped(character: str) -> None:
    assert pl.Series([character]).str.contains(HIDDEN).item()
    assert printable(character) != character


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_visible_text_has_no_characters_that_verify_refuses(text: str) -> None:
    assert not pl.Series([visible(text)], dtype=pl.String).str.contains(HIDDEN).item()
