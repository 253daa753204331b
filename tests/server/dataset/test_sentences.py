"""The first sentence of a description."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.sentences import MAX_CHARS, first_sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, None),
        ("", None),
        ("A flash. Then thunder.", "A flash."),
        (
            "**_Melee Weapon Attack:_** +4 to hit, reach 5 ft., one target. Hit: 5.",
            "Melee Weapon Attack: +4 to hit, reach 5 ft., one target.",
        ),
        ("# Heading\n\nThe text under it. More.", "The text under it."),
        ("| a | b |\n|---|---|\n\nAfter the table.", "After the table."),
        ("* first point\n* second point", "first point second point"),
        ('"Run!" he said. They ran.', '"Run!"'),
        ("No end", "No end"),
    ],
)
def test_first_sentence(text: str | None, sentence: str | None) -> None:
    assert first_sentence(text) == sentence


@given(st.text(alphabet=st.sampled_from("ab .!?#|*_\n-"), max_size=800))
def test_it_is_short_and_on_one_line(text: str) -> None:
    sentence = first_sentence(text)
    assert sentence is None or (0 < len(sentence) <= MAX_CHARS + 1 and "\n" not in sentence)
