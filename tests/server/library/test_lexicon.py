"""Words: coverage of a query by the texts."""

import numpy as np
import pytest

from server.dataset.lexicon import Glossary, terms
from server.dataset.load import Dataset
from server.library.catalogue import Catalogue
from server.library.lexicon import Lexicon


@pytest.fixture(scope="module")
def catalogue(tiny: Dataset) -> Catalogue:
    return Catalogue(tiny.tables, tiny.documents["document_key"].to_list())


@pytest.fixture(scope="module")
def lexicon(tiny: Dataset, catalogue: Catalogue) -> Lexicon:
    order = {identity: number for number, identity in enumerate(dict.fromkeys(tiny.vectors["entity_id"].to_list()))}
    return Lexicon(tiny.lexicon_path, np.array([order[identity] for identity in catalogue.ids]))


def test_the_text_that_says_it_is_covered_best(catalogue: Catalogue, lexicon: Lexicon) -> None:
    coverage = lexicon.coverage("drains life")
    assert catalogue.names[int(np.argmax(coverage))] == "Wraith"
    assert coverage.min() == 0
    assert 0.5 < coverage.max() < 2.5


def test_endings_and_nested_texts_count(catalogue: Catalogue, lexicon: Lexicon) -> None:
    coverage = lexicon.coverage("breathed cones")
    best = {catalogue.names[i] for i in np.argsort(-coverage)[:6]}
    assert all("Dragon" in name for name in best)


def test_what_players_say_counts(catalogue: Catalogue, lexicon: Lexicon) -> None:
    best = int(np.argmax(lexicon.coverage("hot stuff")))
    assert "fire" in str(catalogue.column("description")[best]).casefold()


def test_foreign_words_lower_the_coverage(lexicon: Lexicon) -> None:
    assert lexicon.coverage("wraith kubernetes ingress").max() < lexicon.coverage("wraith").max() / 2
    assert not lexicon.coverage("kubernetes").any()
    assert not lexicon.coverage("").any()


def test_coverage_does_not_depend_on_order_or_repetition(lexicon: Lexicon) -> None:
    once = lexicon.coverage("fire dragon")
    assert np.array_equal(once, lexicon.coverage("dragon fire fire"))


def test_terms() -> None:
    assert terms("burning burned burns") == ["burn"] * 3
    assert terms("fire fires Hunter’s MÄRK gas") == ["fir", "fir", "hunter", "mark", "gas"]
    assert terms("...") == []


def test_the_glossary_adds_what_whole_words_stand_for() -> None:
    glossary = Glossary({"AoE": "area of effect", "nat 20": "critical hit", "AC": "Armor Class"})
    assert glossary.expand("AOE on a Nat 20") == "AOE on a Nat 20; area of effect; critical hit"
    assert glossary.expand("acid aoes") == "acid aoes"
    assert Glossary({}).expand("ac") == "ac"
