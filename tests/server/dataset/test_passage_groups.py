"""Sentences of an entity's text, and the groups of them that are embedded."""

from hypothesis import given
from hypothesis import strategies as st

from server.dataset.passages import PASSAGE_WORDS, Sentence, passage_groups, sentences_of

BEAST = {
    "name": "Ash Hound",
    "description": "## Origin\nA hound of **ash**. It howls.\n| Age | Weight |\n| --- | --- |",
    "traits": [{"name": "Keen Smell", "description": "It smells smoke. It never errs."}, {"name": "Mute"}],
    "actions": None,
}


def test_sentences_have_their_part_and_whether_they_are_prose() -> None:
    found = [(s.text, s.part, s.prose) for s in sentences_of(BEAST)]
    assert found == [
        ("Origin", None, False),
        ("A hound of ash .", None, True),
        ("It howls.", None, True),
        ("Age Weight", None, False),
        ("Keen Smell: It smells smoke.", "Keen Smell", True),
        ("It never errs.", "Keen Smell", True),
        ("Mute", "Mute", True),
    ]
    assert next(s.markdown for s in sentences_of(BEAST) if "ash" in s.text) == "A hound of **ash**."


def test_table_rows_are_whole_and_have_their_heading() -> None:
    text = "Two. Do.\n\n| Age | Weight |\n|---|---|\n| 1 | 3 lb. or so |\n\n| Name |\n|---|\n| Ash. |\n\nEnd.\n| so |"
    assert [(s.text, s.columns) for s in sentences_of({"description": text})] == [
        ("Two.", None),
        ("Do.", None),
        ("Age Weight", None),
        ("1 3 lb. or so", "| Age | Weight |"),
        ("Name", None),
        ("Ash.", "| Name |"),
        ("End.", None),
        ("so", None),
    ]


@given(st.lists(st.integers(1, 3 * PASSAGE_WORDS), max_size=60))
def test_groups_keep_every_sentence_and_are_as_full_as_possible(lengths: list[int]) -> None:
    sentences = [Sentence("", "word " * length, None, prose=True) for length in lengths]
    groups = list(passage_groups(sentences))
    assert [sentence for group in groups for sentence in group] == sentences
    words = [sum(len(sentence.text.split()) for sentence in group) for group in groups]
    assert all(count <= PASSAGE_WORDS or len(group) == 1 for count, group in zip(words, groups, strict=True))
    following = [len(group[0].text.split()) for group in groups[1:]]
    assert all(count + first > PASSAGE_WORDS for count, first in zip(words[:-1], following, strict=True))
