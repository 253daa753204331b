"""Meanings: the rows of entities, few or many, chapters and their parts, a query moved towards answers."""

from dataclasses import replace

import faiss
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.load import Dataset
from server.dataset.schema import RULES
from server.library.catalogue import Catalogue
from server.library.meaning import OF_A_PART, Meaning

DIMENSIONS = 16


@pytest.fixture(scope="module")
def catalogue(tiny: Dataset) -> Catalogue:
    """The tiny dataset's, its second rule the chapter that the first is a part of."""
    rules = tiny.tables["rules"]
    chapter = rules.row(1, named=True)
    above = {key: chapter[key] for key in ("id", "name", "document_key")}
    parents = pl.Series("parent", [above, *[None] * (rules.height - 1)], dtype=rules.schema["parent"])
    return Catalogue(tiny.tables | {"rules": rules.with_columns(parents)}, tiny.documents["document_key"].to_list())


@pytest.fixture(scope="module")
def rows(catalogue: Catalogue) -> pl.DataFrame:
    """Three rows for each entity, those of one entity apart from each other."""
    labelled = [(identity, label) for label in ("facts", "1", "2") for identity in catalogue.ids]
    return pl.DataFrame(labelled, schema=["entity_id", "passage"], orient="row")


@pytest.fixture(scope="module")
def vectors(rows: pl.DataFrame) -> np.ndarray:
    vectors = np.random.default_rng(3).standard_normal((rows.height, DIMENSIONS)).astype(np.float32)
    faiss.normalize_L2(vectors)
    return vectors


@pytest.fixture(scope="module")
def meaning(tiny: Dataset, catalogue: Catalogue, rows: pl.DataFrame, vectors: np.ndarray) -> Meaning:
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(vectors)
    numbers = {identity: number for number, identity in enumerate(catalogue.ids)}
    return Meaning(catalogue, replace(tiny, index=index, vectors=rows), numbers)


@given(data=st.data())
def test_few_and_many_entities_are_as_near_as_their_best_row(
    meaning: Meaning, catalogue: Catalogue, vectors: np.ndarray, data: st.DataObject
) -> None:
    rules = catalogue.part_of(RULES)
    others = [number for number in range(catalogue.size) if not rules.start <= number < rules.stop]
    chosen = np.array(data.draw(st.lists(st.sampled_from(others), min_size=1, unique=True)), dtype=np.int64)
    expected = (vectors @ vectors[0]).reshape(3, catalogue.size).max(axis=0)[chosen]
    assert np.allclose(meaning.nearness(vectors[0], chosen), expected, atol=1e-5)


def test_a_chapter_is_nearly_as_near_as_its_nearest_part(
    meaning: Meaning, catalogue: Catalogue, vectors: np.ndarray
) -> None:
    part = catalogue.part_of(RULES).start
    chapter = part + 1
    near_part, near_chapter = meaning.nearness(vectors[part], np.array([part, chapter]))
    assert near_part == pytest.approx(1, abs=1e-5)
    assert near_chapter == pytest.approx(OF_A_PART, abs=1e-5)
    # A part that the filters left out gives nothing.
    assert meaning.nearness(vectors[part], np.array([chapter]))[0] < OF_A_PART - 0.1


def test_a_query_moves_towards_what_sums_answers_up(meaning: Meaning, vectors: np.ndarray) -> None:
    models = np.array([1, 2])
    moved = meaning.towards(vectors[0], models)
    assert np.linalg.norm(moved) == pytest.approx(1, abs=1e-5)
    assert (vectors[models] @ moved > vectors[models] @ vectors[0]).all()
    assert np.array_equal(meaning.towards(vectors[0], models[:0]), vectors[0])


def test_a_vector_of_other_dimensions_is_refused(meaning: Meaning) -> None:
    with pytest.raises(ValueError, match="4 dimensions, the index 16"):
        meaning.nearness(np.zeros(4, dtype=np.float32), np.array([0]))
