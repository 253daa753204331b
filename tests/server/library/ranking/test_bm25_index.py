"""BM25: how much of a query the texts contain."""

import numpy as np
import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.dataset.index.bm25 import read_bm25
from server.dataset.index.lexicon import NEAR_WORDS_SCHEMA
from server.dataset.index.terms import read_glossary
from server.library.catalogue import Catalogue
from server.library.ranking.bm25_index import Bm25Index


@pytest.fixture(scope="module")
def catalogue(tiny: Dataset) -> Catalogue:
    return Catalogue(tiny.tables, tiny.documents["document_key"].to_list())


@pytest.fixture(scope="module")
def index(tiny: Dataset, catalogue: Catalogue) -> Bm25Index:
    return opened(tiny, catalogue)


def opened(tiny: Dataset, catalogue: Catalogue, *near_words: tuple[str, str, float]) -> Bm25Index:
    bm25_row_of = {identity: row for row, identity in enumerate(dict.fromkeys(tiny.vectors["entity_id"].to_list()))}
    rows = np.array([bm25_row_of[identity] for identity in catalogue.ids])
    near = pl.DataFrame(near_words, schema=NEAR_WORDS_SCHEMA, orient="row")
    return Bm25Index(read_bm25(tiny.lexicon_path, len(tiny.ids)), read_glossary(tiny.lexicon_path), rows, near)


def test_the_text_with_the_words_has_the_best_coverage(catalogue: Catalogue, index: Bm25Index) -> None:
    coverage = index.coverage("drains life")
    assert catalogue.names[int(np.argmax(coverage))] == "Wraith"
    assert coverage.min() == 0
    assert 0.5 < coverage.max() < 2.5


def test_inflected_words_and_nested_texts_count(catalogue: Catalogue, index: Bm25Index) -> None:
    coverage = index.coverage("breathed cones")
    best = {catalogue.names[i] for i in np.argsort(-coverage)[:6]}
    assert all("Dragon" in name for name in best)


def test_players_words_count(catalogue: Catalogue, index: Bm25Index) -> None:
    best = int(np.argmax(index.coverage("hot stuff")))
    assert "fire" in str(catalogue.column("description")[best]).casefold()


def test_function_words_count_only_if_there_are_no_others(index: Bm25Index) -> None:
    assert index.coverage("something that drains life for us").tolist() == index.coverage("drains life").tolist()
    assert index.coverage("all of them").any()


def test_unknown_words_lower_the_coverage(index: Bm25Index) -> None:
    assert index.coverage("wraith kubernetes ingress").max() < index.coverage("wraith").max() / 2
    assert not index.coverage("kubernetes").any()
    assert not index.coverage("").any()


def test_near_words_stand_for_the_words_asked_for(tiny: Dataset, catalogue: Catalogue, index: Bm25Index) -> None:
    near = opened(tiny, catalogue, ("wolf", "wraith", 0.8), ("wolf", "lif", 0.5))
    wraith = catalogue.names.index("Wraith")
    assert index.coverage("wolf")[wraith] == 0
    assert 0 < near.coverage("wolf")[wraith] < index.coverage("wraith")[wraith]
    assert near.coverage("wolf", denied="no wolf")[wraith] == 0
    assert np.array_equal(near.coverage("wolf wraith life"), index.coverage("wolf wraith life"))


def test_coverage_does_not_depend_on_order_or_repetition(index: Bm25Index) -> None:
    once = index.coverage("fire dragon")
    assert np.array_equal(once, index.coverage("dragon fire fire"))


def test_the_share_of_unknown_words_is_counted(index: Bm25Index) -> None:
    assert index.unknown_share("drains life") == 0
    assert index.unknown_share("kubernetes") == 1
    assert 0.3 < index.unknown_share("a kubernetes wraith") < 0.8
    assert index.unknown_share("what is it") == 0
    assert index.unknown_share("") == 0


def test_an_unknown_word_means_less_in_a_small_dataset(index: Bm25Index) -> None:
    assert index.doubt("drains life") == 0
    assert 0 < index.doubt("a kubernetes wraith") < index.unknown_share("a kubernetes wraith")
    assert index.doubt("kubernetes") == 1
