"""Words that mean nearly the same: pairs that stand for each other, and files that are refused."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from build_pipeline.index.near_words import NEIGHBOURS, with_neighbours, write_near_words
from server.dataset.files import NEAR_WORDS_FILE
from server.dataset.index.lexicon import read_near_words
from server.dataset.manifest import DatasetError

TERMS = ["hare", "rabbit", "sword"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "lexicon").mkdir()
    vectors = np.array([[0.8, 0.6], [1, 0], [0, 1]], dtype=np.float32)
    write_near_words(tmp_path, TERMS, vectors)
    return tmp_path / NEAR_WORDS_FILE


def test_near_words_stand_for_each_other(file: Path) -> None:
    pairs = read_near_words(file, TERMS).rows()
    assert [(word, near, round(similarity, 3)) for word, near, similarity in pairs] == [
        ("hare", "rabbit", 0.8),
        ("hare", "sword", 0.6),
        ("rabbit", "hare", 0.8),
        ("sword", "hare", 0.6),
    ]


def test_only_the_nearest_words_do(tmp_path: Path) -> None:
    (tmp_path / "lexicon").mkdir()
    terms = [f"word{letter}" for letter in "abcdef"]
    write_near_words(tmp_path, terms, np.ones((6, 1), dtype=np.float32))
    pairs = read_near_words(tmp_path / NEAR_WORDS_FILE, terms).rows()
    assert [near for word, near, _ in pairs if word == "worda"] == ["wordb", "wordc", "wordd"]
    assert len(pairs) == 6 * NEIGHBOURS


def test_short_words_numbers_and_function_words_have_no_neighbours() -> None:
    assert list(with_neighbours({"rabbit": "rabbits", "ax": "axe", "3d6": "3d6", "with": "with"})) == ["rabbit"]


def test_older_datasets_have_no_near_words(tmp_path: Path) -> None:
    assert read_near_words(tmp_path / NEAR_WORDS_FILE, TERMS).is_empty()


def test_near_words_that_no_text_has_are_refused(file: Path) -> None:
    with pytest.raises(DatasetError, match=r"words that no text has: 4, such as 'hare'"):
        read_near_words(file, ["rabbit", "sword"])


def test_impossible_similarities_are_refused(file: Path) -> None:
    pl.read_parquet(file).with_columns(similarity=pl.lit(float("nan"), dtype=pl.Float32)).write_parquet(file)
    with pytest.raises(DatasetError, match="similarities that are not from 0 to 1"):
        read_near_words(file, TERMS)
