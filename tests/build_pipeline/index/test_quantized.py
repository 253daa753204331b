"""Vectors as 8-bit integers: written by the builder, checked and used by the server."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.index.quantized import write_quantized
from server.dataset.dataset import Dataset
from server.dataset.files import QUANTIZED_FILE
from server.dataset.index.quantized import MAX_ERROR, QuantizedProducts, load_quantized
from server.dataset.manifest import DatasetError
from server.library.catalogue import Catalogue
from server.library.ranking import vector_index
from server.library.ranking.vector_index import VectorIndex

DIMENSIONS = 48


def unit_vectors(number: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((number, DIMENSIONS)).astype(np.float32)
    faiss.normalize_L2(vectors)
    return vectors


def index_of(vectors: np.ndarray) -> faiss.IndexFlat:
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    return index


@pytest.fixture
def quantized(dataset: Dataset, tmp_path: Path) -> tuple[Dataset, np.ndarray]:
    """The dataset with other vectors, quantized too; and these vectors."""
    vectors = unit_vectors(dataset.vectors.height, 7)
    write_quantized(tmp_path / QUANTIZED_FILE, vectors)
    return replace(dataset, path=tmp_path, index=index_of(vectors)), vectors


@given(st.integers(1, 40), st.integers(0, 99))
def test_products_are_nearly_exact(number: int, seed: int) -> None:
    vectors = unit_vectors(number, seed)
    query = unit_vectors(1, seed + 100)[0]
    with TemporaryDirectory() as folder:
        write_quantized(Path(folder) / QUANTIZED_FILE, vectors)
        products = QuantizedProducts(Path(folder) / QUANTIZED_FILE)
    assert products.shape == (number, DIMENSIONS)
    assert np.abs(products(query) - vectors @ query).max() < MAX_ERROR


def test_the_same_vectors_give_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for _ in range(2):
        write_quantized(tmp_path / QUANTIZED_FILE, unit_vectors(5, 1))
        written.append((tmp_path / QUANTIZED_FILE).read_bytes())
    assert written[0] == written[1]


def test_a_built_dataset_has_its_vectors_quantized(dataset: Dataset) -> None:
    products = load_quantized(dataset)
    assert products is not None
    vectors = dataset.index.reconstruct_n(0, dataset.index.ntotal)
    assert np.abs(products(vectors[3]) - vectors @ vectors[3]).max() < MAX_ERROR


def test_quantized_forms_of_other_vectors_are_refused(quantized: tuple[Dataset, np.ndarray]) -> None:
    dataset, vectors = quantized
    other = np.ascontiguousarray(vectors[::-1])
    with pytest.raises(DatasetError, match=r"index\.int8\.onnx gives products of other vectors"):
        load_quantized(replace(dataset, index=index_of(other)))
    with pytest.raises(DatasetError, match=r"is for vectors of shape .* instead of \(2, 48\)"):
        load_quantized(replace(dataset, index=index_of(vectors[:2])))


def test_the_nearest_of_many_vectors_are_compared_exactly(
    quantized: tuple[Dataset, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, vectors = quantized
    catalogue = Catalogue(dataset.tables, dataset.documents["document_key"].to_list())
    row_of = {identity: row for row, identity in enumerate(catalogue.ids)}
    everything = np.arange(catalogue.size)
    exact = VectorIndex(catalogue, dataset, row_of).similarity(vectors[0], everything)
    monkeypatch.setattr(vector_index, "MAX_EXACT", 100)
    monkeypatch.setattr(vector_index, "NEAREST", 20)
    nearly = VectorIndex(catalogue, dataset, row_of).similarity(vectors[0], everything)
    strongest = np.argsort(-exact)[:5]
    assert (nearly[strongest] == exact[strongest]).all()
    assert (nearly != exact).any()
    assert np.abs(nearly - exact).max() < MAX_ERROR
