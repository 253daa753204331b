"""What people ask for entities with: a dataset's phrases, and their products with a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.dataset.files import PHRASE_VECTORS_FILE, PHRASES_FILE
from server.dataset.lexicon import read_phrases
from server.dataset.quantized import load_phrase_products

if TYPE_CHECKING:
    from server.dataset.load import Dataset
    from server.dataset.quantized import QuantizedProducts


def load_phrases(dataset: Dataset) -> tuple[list[list[str]], QuantizedProducts] | None:
    """For each phrase the ids of its entities, and the products of all; None if a dataset has no phrases.

    Raises:
        DatasetError: what it has is damaged.
    """
    entities = read_phrases(dataset.path / PHRASES_FILE, dataset.ids)
    if not entities:
        return None
    dimensions = dataset.manifest["encoder"]["dimensions"]
    return entities, load_phrase_products(dataset.path / PHRASE_VECTORS_FILE, len(entities), dimensions)
