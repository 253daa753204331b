"""The index of words has the words of questions beside those of texts."""

from pathlib import Path

import pytest

from build_pipeline.index.lexicon import write_lexicon
from server.dataset.files import LEXICON_FOLDER
from server.dataset.index.bm25 import read_bm25
from server.dataset.index.terms import term_of

RECORDS = [
    {"id": f"creature/book/{name.lower()}", "entity_type": "creature", "name": name, "description": text}
    for name, text in (("Medusa", "Her gaze petrifies."), ("Cockatrice", "A chicken."), ("Moonveil", "Moon. Veil."))
]
ASKED = {
    "lady with snakes": ["creature/book/medusa"],
    "serpents and snakes for hair": ["creature/book/medusa"],
    "the one with snakes": ["creature/book/medusa"],
    "moonveil has a gaze and snaeks": ["creature/book/cockatrice"],
}


@pytest.fixture
def words(tmp_path: Path) -> dict[str, str]:
    return write_lexicon(tmp_path, RECORDS, {}, ASKED)


def having(folder: Path, word: str) -> list[str]:
    """Names of the creatures that have a word in the index."""
    index = read_bm25(folder / LEXICON_FOLDER, len(RECORDS))
    starts = index.starts
    column = index.words[term_of(word)]
    return [RECORDS[row]["name"] for row in sorted(index.rows[starts[column] : starts[column + 1]])]


def test_a_thing_is_found_by_words_of_questions(words: dict[str, str], tmp_path: Path) -> None:
    assert having(tmp_path, "snakes") == ["Medusa"]
    assert having(tmp_path, "chicken") == ["Cockatrice"]
    assert words["snak"] == "snakes"


def test_a_word_of_few_questions_and_no_text_is_left_out(words: dict[str, str]) -> None:
    assert {"snaek", "hair", "lady"}.isdisjoint(words)


@pytest.mark.usefixtures("words")
def test_words_of_texts_count_in_questions(tmp_path: Path) -> None:
    assert having(tmp_path, "gaze") == ["Medusa", "Cockatrice"]


@pytest.mark.usefixtures("words")
def test_a_thing_named_in_a_question_about_another_is_not_asked_for(tmp_path: Path) -> None:
    assert having(tmp_path, "moonveil") == ["Moonveil"]
