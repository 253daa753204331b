"""What a question asks about."""

import pytest

from server.library.questions import meant, subject


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
        ("influence an NPC", "influence"),
        ("how do I grapple a creature?", "grapple"),
        ("protection from a creature of the night", "protection from a creature of the night"),
        ("Web", "Web"),
        ("word of recall", "word of recall"),
        ("undead that drain life", "undead that drain life"),
        ("", ""),
        ("?", "?"),
    ],
)
def test_the_words_of_a_question_are_left_out(query: str, asked: str) -> None:
    assert subject(query) == asked


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("DC to track", "ability check to track"),
        ("what's the difficulty class to pick a lock?", "ability check to pick a lock?"),
        ("save DC to poison", "save DC to poison"),
        ("spells with a DC to resist", "spells with a DC to resist"),
        ("DC to", "DC to"),
    ],
)
def test_the_difficulty_of_doing_a_thing_is_told_with_its_check(query: str, told: str) -> None:
    assert meant(query) == told
