"""Vectors as 8-bit integers: their products with a query are nearly exact, in a fifth of the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from server.dataset.files import QUANTIZED_FILE
from server.dataset.index.inference import open_session
from server.dataset.manifest import DatasetError

if TYPE_CHECKING:
    from pathlib import Path

    import faiss

    from server.dataset.dataset import Dataset

Vector = npt.NDArray[np.float32]

MAX_ERROR: Final = 0.02
"""Largest difference allowed from the product of unit vectors; in real datasets it is below 0.005."""
_PROBED: Final = 64
"""Vectors whose products are compared with the exact ones."""


class QuantizedProducts:
    """Inner products of a query with all vectors of a file. Thread-safe; a call uses one thread.

    onnxruntime multiplies 8-bit integers with the instructions that processors have for them; NumPy and FAISS do not.
    """

    def __init__(self, file: Path) -> None:
        """Load a graph from `query`, float32[1, dimensions], to `products`, float32[1, vectors].

        Raises:
            DatasetError: it is not such a graph.
        """
        try:
            self._session = open_session(file)
            (query,), (products,) = self._session.get_inputs(), self._session.get_outputs()
            self.shape = (products.shape[1], query.shape[1])
        except Exception as error:  # onnxruntime's exceptions have no common base class
            msg = f"is not a graph of products ({type(error).__name__})"
            raise _unusable(file.name, msg) from error

    def __call__(self, query: Vector) -> Vector:
        """float32[vectors]: the product of a query, float32[dimensions], with each vector."""
        (products,) = self._session.run(["products"], {"query": query[np.newaxis]})
        return np.asarray(products[0], dtype=np.float32)


def load_quantized(dataset: Dataset) -> QuantizedProducts | None:
    """The products of a dataset's vectors; None if it has none, like those of older builders.

    Raises:
        DatasetError: they are products of other vectors.
    """
    file, index = dataset.path / QUANTIZED_FILE, dataset.index
    if not file.is_file():
        return None
    products = QuantizedProducts(file)
    if problem := _problem(products, index):
        raise _unusable(file.name, problem)
    return products


def load_phrase_products(file: Path, phrases: int, dimensions: int) -> QuantizedProducts:
    """The products of phrases' vectors.

    Args:
        file: `PHRASE_VECTORS_FILE` of a dataset.
        phrases: how many there are.
        dimensions: of the encoder's vectors.

    Raises:
        DatasetError: they are of other vectors, or not of unit vectors.
    """
    products = QuantizedProducts(file)
    if products.shape != (phrases, dimensions):
        raise _unusable(file.name, f"is for vectors of shape {products.shape} instead of {(phrases, dimensions)}")
    try:
        found = products(np.full(dimensions, dimensions**-0.5, dtype=np.float32))
    except Exception as error:  # onnxruntime's exceptions have no common base class
        raise _unusable(file.name, f"fails to multiply ({type(error).__name__})") from error
    if not (np.abs(found) <= 1 + MAX_ERROR).all():  # NaN is not less than anything
        raise _unusable(file.name, "gives products that unit vectors cannot have")
    return products


def _problem(products: QuantizedProducts, index: faiss.IndexFlat) -> str | None:
    """The problem with products of the index's vectors; None if they are right."""
    if products.shape != (index.ntotal, index.d):
        return f"is for vectors of shape {products.shape} instead of {(index.ntotal, index.d)}"
    probed = index.reconstruct_n(0, min(_PROBED, index.ntotal))
    try:
        found = products(probed[0])[: len(probed)]
    except Exception as error:  # noqa: BLE001 - onnxruntime's exceptions have no common base class
        return f"fails to multiply ({type(error).__name__})"
    # NaN is not close to anything.
    return None if np.abs(found - probed @ probed[0]).max() <= MAX_ERROR else "gives products of other vectors"


def _unusable(name: str, problem: str) -> DatasetError:
    return DatasetError(f"{name} {problem}: get the dataset again")
