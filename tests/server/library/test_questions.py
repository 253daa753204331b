"""What a question asks about."""

import pytest

from server.library.questions import subject


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("DC to hide", "hide"),
        ("DC to hide, Hide action", "hide"),
        ("rope, hempen", "rope, hempen"),
        ("how do I hide?", "hide"),
        ("how does surprise work", "surprise"),
        ("what is the DC of a concentration check", "concentration check"),
        ("What's the save DC of Fireball?", "Fireball"),
        ("can I ready an action?", "ready an action"),
        ("the rules for grappling", "grappling"),
        ("cover rules", "cover"),
        ("Web", "Web"),
        ("word of recall", "word of recall"),
        ("undead that drain life", "undead that drain life"),
        ("", ""),
        ("?", "?"),
    ],
)
def test_the_words_of_a_question_are_left_out(query: str, asked: str) -> None:
    assert subject(query) == asked
