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
        ("* It cannot move.\n* It drops what it holds.", "It cannot move."),
        ("* first point\n* second point", "first point"),
        ("Choose one of these:\n- a torch\n- a rope", "Choose one of these:"),
        ("> A quotation over\n> two lines. More.", "A quotation over two lines."),
        ("One sentence over\ntwo lines. More.", "One sentence over two lines."),
        ("| a | b |\n|---|---|", None),
        ("1 sq. yd. of cloth.", "1 sq. yd. of cloth."),
        ("It is 10 ft. long. It bites.", "It is 10 ft. long."),
        ("_It flies._ It lands.", "It flies."),
        (r"\*The cost is halved. It is less.", "The cost is halved."),
        ("Breath: 15 ft. cone (Dex. save). It hurts.", "Breath: 15 ft. cone (Dex. save)."),
        ("It says, “Farewell.” Then it leaves.", "It says, “Farewell.”"),
        ("word " * 100, "word " * 59 + "word…"),
        ('"Run!" he said. They ran.', '"Run!"'),
        ("No end", "No end"),
        ("This wand is a magic item. It sings.", "It sings."),
        ("This wand is a magic item.", "This wand is a magic item."),
        ("This wand is a magic item that sings. It hums.", "This wand is a magic item that sings."),
        ("*Marsh Magic: mud.* You sink a boat.", "You sink a boat."),
        ("Ability: Wisdom — Weight: 8 lb.\n\nIt mends nets.", "It mends nets."),
        ("Speed: 40 ft.\n\nCarrying capacity: 420 lb.", "Speed: 40 ft."),
        ("**Keen Senses.** You hear well.", "You hear well."),
        (
            "**Score Increase.** Increase your Wisdom score by 1, to a maximum of 30.\n\n**Newt Song.** You sing.",
            "You sing.",
        ),
        (
            "Increase your Wisdom or Charisma score by 1, to a maximum of 20.",
            "Increase your Wisdom or Charisma score by 1, to a maximum of 20.",
        ),
        ("Newts sing. They hum.", "Newts sing."),
    ],
)
def test_the_first_sentence_of_a_text(text: str | None, sentence: str | None) -> None:
    assert first_sentence(text) == sentence


@given(st.text(alphabet=st.sampled_from("ab .!?#|*_\n-"), max_size=800))
def test_a_first_sentence_is_short_and_on_one_line(text: str) -> None:
    sentence = first_sentence(text)
    assert sentence is None or (0 < len(sentence) <= MAX_CHARS + 1 and "\n" not in sentence)
