"""Words: coverage of a query by the texts."""

import numpy as np
import pytest

from server.dataset.load import Dataset
from server.library.catalogue import Catalogue
from server.library.lexicon import Lexicon, stem


@pytest.fixture(scope="module")
def catalogue(tiny: Dataset) -> Catalogue:
    return Catalogue(tiny.tables, tiny.documents["document_key"].to_list())


def test_the_text_that_says_it_is_covered_best(catalogue: Catalogue) -> None:
    coverage = Lexicon(catalogue).coverage("drains life")
    assert catalogue.names[int(np.argmax(coverage))] == "Wraith"
    assert coverage.min() == 0
    assert 0.5 < coverage.max() < 2.5


def test_endings_and_nested_texts_count(catalogue: Catalogue) -> None:
    coverage = Lexicon(catalogue).coverage("breathed cones")
    best = {catalogue.names[i] for i in np.argsort(-coverage)[:6]}
    assert all("Dragon" in name for name in best)


def test_foreign_words_lower_the_coverage(catalogue: Catalogue) -> None:
    lexicon = Lexicon(catalogue)
    assert lexicon.coverage("wraith kubernetes ingress").max() < lexicon.coverage("wraith").max() / 2
    assert not lexicon.coverage("kubernetes").any()
    assert not lexicon.coverage("").any()


def test_an_empty_catalogue_has_no_words(tiny: Dataset) -> None:
    assert Lexicon(Catalogue(tiny.tables, ())).coverage("fire").size == 0


def test_stem() -> None:
    assert [stem(w) for w in ("burning", "burned", "burns", "fires", "bed", "gas")] == [
        "burn",
        "burn",
        "burn",
        "fir",
        "bed",
        "gas",
    ]
