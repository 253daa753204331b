"""Phrases that people ask for entities with, and their inner products with a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from server.dataset.files import PHRASE_VECTORS_FILE, PHRASES_FILE
from server.dataset.index.lexicon import read_phrases
from server.dataset.index.quantized import load_phrase_products

if TYPE_CHECKING:
    import polars as pl

    from server.dataset.dataset import Dataset
    from server.dataset.index.quantized import QuantizedProducts


class Phrases(NamedTuple):
    """The ids of each phrase's entities, those of their kin, and the phrases' inner products with a query."""

    entities: pl.Series
    kin: pl.Series
    products: QuantizedProducts


def load_phrases(dataset: Dataset) -> Phrases | None:
    """A dataset's phrases; None if it has none.

    Raises:
        DatasetError: its files are damaged.
    """
    file = dataset.path / PHRASES_FILE
    if not file.is_file():
        return None
    entities, kin = read_phrases(file, dataset.ids)
    if entities.is_empty():
        return None
    dimensions = dataset.manifest["encoder"]["dimensions"]
    products = load_phrase_products(dataset.path / PHRASE_VECTORS_FILE, len(entities), dimensions)
    return Phrases(entities, kin, products)
