"""Nothing that a terminal would obey passes."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.printable import printable


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
def test_it_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" for c in printable(text))
