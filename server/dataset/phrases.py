"""What people ask for entities with: a dataset's phrases, and their products with a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from server.dataset.files import PHRASE_VECTORS_FILE, PHRASES_FILE
from server.dataset.lexicon import read_phrases
from server.dataset.quantized import load_phrase_products

if TYPE_CHECKING:
    from server.dataset.load import Dataset
    from server.dataset.quantized import QuantizedProducts


class Phrases(NamedTuple):
    """The ids of each phrase's entities, those of their kin, and the phrases' products with a query."""

    entities: list[list[str]]
    kin: list[list[str]]
    products: QuantizedProducts


def load_phrases(dataset: Dataset) -> Phrases | None:
    """A dataset's phrases; None if it has none.

    Raises:
        DatasetError: what it has is damaged.
    """
    entities, kin = read_phrases(dataset.path / PHRASES_FILE, dataset.ids)
    if not entities:
        return None
    dimensions = dataset.manifest["encoder"]["dimensions"]
    products = load_phrase_products(dataset.path / PHRASE_VECTORS_FILE, len(entities), dimensions)
    return Phrases(entities, kin, products)
