"""The subject of a question."""

import pytest

from server.library.queries.questions import facts_in, meant, subject


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
def test_question_words_are_removed(query: str, asked: str) -> None:
    assert subject(query) == asked


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("DC to track", "ability check to track"),
        ("what's the difficulty class to pick a lock?", "ability check to pick a lock?"),
        ("save DC to poison", "save DC to poison"),
        ("spells with a DC to resist", "spells with a DC to resist"),
        ("DC to", "DC to"),
        ("hide DC", "hide"),
        ("concentration when taking damage DC", "concentration when taking damage"),
        ("how to hide, DC and conditions", "how to hide, and conditions"),
        ("what is a DC?", "what is a DC?"),
        ("spell save DC", "spell save DC"),
        ("DC 15 trap", "DC 15 trap"),
    ],
)
def test_a_difficulty_is_searched_with_its_check_or_removed(query: str, told: str) -> None:
    assert meant(query) == told


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("grappled creature how to escape", "how to escape"),
        ("cure for a poisoned ally", "cure for a"),
        ("how do I knock a creature unconscious", "how do I knock unconscious"),
        ("a creature that grapples", "a creature that grapples"),
        ("is there a creature that grapples", "is there a creature that grapples"),
        ("how many cantrips does a level 4 wizard know", ""),
        ("how far can I jump", ""),
        ("undead that paralyze", "undead that paralyze"),
        ("how do spell slots work when multiclassing warlock and bard", ""),
        ("multi-class rules for a bard's spells", ""),
        ("at what level does a wizard get 6th level spells", ""),
        ("what level 6 spells deal fire damage", "what level 6 spells deal fire damage"),
        ("spell slots of a paladin", "of a paladin"),
        ("spell that restores spell slots", "spell that restores"),
    ],
)
def test_the_subject_of_a_question_about_a_rule_is_not_a_fact(query: str, told: str) -> None:
    assert facts_in(query) == told
