"""Similarity of entities: few and many, rules and sub-rules, and queries moved towards answers."""

from dataclasses import replace

import faiss
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.dataset import Dataset
from server.dataset.schema import RULES
from server.library.catalogue import Catalogue
from server.library.ranking.phrase_index import PhraseIndex
from server.library.ranking.vector_index import ASKED_SHARE, FEEDBACK_WEIGHT, PARENT_SHARE, VectorIndex

DIMENSIONS = 16


@pytest.fixture(scope="module")
def catalogue(tiny: Dataset) -> Catalogue:
    """The tiny dataset's index, with the second rule as the parent of the first."""
    rules = tiny.tables["rules"]
    parent = rules.row(1, named=True)
    above = {key: parent[key] for key in ("id", "name", "document_key")}
    parents = pl.Series("parent", [above, *[None] * (rules.height - 1)], dtype=rules.schema["parent"])
    return Catalogue(tiny.tables | {"rules": rules.with_columns(parents)}, tiny.documents["document_key"].to_list())


@pytest.fixture(scope="module")
def rows(catalogue: Catalogue) -> pl.DataFrame:
    """Three rows per entity, not next to each other."""
    labelled = [(identity, label) for label in ("facts", "1", "2") for identity in catalogue.ids]
    return pl.DataFrame(labelled, schema=["entity_id", "passage"], orient="row")


@pytest.fixture(scope="module")
def vectors(rows: pl.DataFrame) -> np.ndarray:
    vectors = np.random.default_rng(3).standard_normal((rows.height, DIMENSIONS)).astype(np.float32)
    faiss.normalize_L2(vectors)
    return vectors


@pytest.fixture(scope="module")
def vector_index(tiny: Dataset, catalogue: Catalogue, rows: pl.DataFrame, vectors: np.ndarray) -> VectorIndex:
    return _vector_index(tiny, catalogue, rows, vectors)


def _vector_index(
    tiny: Dataset,
    catalogue: Catalogue,
    rows: pl.DataFrame,
    vectors: np.ndarray,
    phrases: PhraseIndex | None = None,
) -> VectorIndex:
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(vectors)
    row_of = {identity: row for row, identity in enumerate(catalogue.ids)}
    return VectorIndex(catalogue, replace(tiny, index=index, vectors=rows), row_of, phrases)


@given(data=st.data())
def test_few_and_many_entities_are_as_similar_as_their_best_passage(
    vector_index: VectorIndex, catalogue: Catalogue, vectors: np.ndarray, data: st.DataObject
) -> None:
    rules = catalogue.part_of(RULES)
    others = [row for row in range(catalogue.size) if not rules.start <= row < rules.stop]
    chosen = np.array(data.draw(st.lists(st.sampled_from(others), min_size=1, unique=True)), dtype=np.int64)
    expected = (vectors @ vectors[0]).reshape(3, catalogue.size).max(axis=0)[chosen]
    assert np.allclose(vector_index.similarity(vectors[0], chosen), expected, atol=1e-5)


def test_a_rule_is_nearly_as_similar_as_its_best_sub_rule(
    vector_index: VectorIndex, catalogue: Catalogue, vectors: np.ndarray
) -> None:
    child = catalogue.part_of(RULES).start
    parent = child + 1
    of_child, of_parent = vector_index.similarity(vectors[child], np.array([child, parent]))
    assert of_child == pytest.approx(1, abs=1e-5)
    assert of_parent == pytest.approx(PARENT_SHARE, abs=1e-5)
    # A sub-rule that the filters exclude does not count.
    assert vector_index.similarity(vectors[child], np.array([parent]))[0] < PARENT_SHARE - 0.1


def test_questions_count_nearly_as_much_as_the_text(
    tiny: Dataset, catalogue: Catalogue, rows: pl.DataFrame, vectors: np.ndarray
) -> None:
    asked, others = 0, np.array([1, 2])
    row_of = {identity: row for row, identity in enumerate(catalogue.ids)}
    query = -vectors[asked]  # unlike its summary
    phrases = PhraseIndex(pl.Series([[catalogue.ids[asked]]]), lambda moved: query[np.newaxis] @ moved, row_of)
    with_phrases = _vector_index(tiny, catalogue, rows, vectors, phrases)
    without = _vector_index(tiny, catalogue, rows, vectors)
    assert with_phrases.similarity(query, np.array([asked]))[0] == pytest.approx(ASKED_SHARE, abs=1e-5)
    assert without.similarity(query, np.array([asked]))[0] < ASKED_SHARE - 0.1
    assert (with_phrases.similarity(query, others) == without.similarity(query, others)).all()


def test_a_list_of_rules_inherits_nothing(
    monkeypatch: pytest.MonkeyPatch, tiny: Dataset, catalogue: Catalogue, rows: pl.DataFrame, vectors: np.ndarray
) -> None:
    monkeypatch.setattr("server.library.ranking.vector_index.MAX_SUB_RULES", 0)
    child = catalogue.part_of(RULES).start
    index = _vector_index(tiny, catalogue, rows, vectors)
    _, of_parent = index.similarity(vectors[child], np.array([child, child + 1]))
    assert of_parent < PARENT_SHARE - 0.1


def test_feedback_moves_a_query_towards_summaries(vector_index: VectorIndex, vectors: np.ndarray) -> None:
    models = np.array([1, 2])
    moved = vector_index.with_feedback(vectors[0], models)
    assert np.linalg.norm(moved) == pytest.approx(1, abs=1e-5)
    assert (vectors[models] @ moved > vectors[models] @ vectors[0]).all()
    further = vector_index.with_feedback(vectors[0], models, 2 * FEEDBACK_WEIGHT)
    assert (vectors[models] @ further > vectors[models] @ moved).all()
    assert np.array_equal(vector_index.with_feedback(vectors[0], models[:0]), vectors[0])


def test_a_vector_of_other_dimensions_is_refused(vector_index: VectorIndex) -> None:
    with pytest.raises(ValueError, match="4 dimensions, the index 16"):
        vector_index.similarity(np.zeros(4, dtype=np.float32), np.array([0]))
