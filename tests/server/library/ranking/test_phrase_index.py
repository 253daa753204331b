"""Phrases: the closest one counts for the entities that are served."""

from functools import partial

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from server.library.ranking.phrase_index import KIN_SHARE, PhraseIndex

IDS = pl.List(pl.String)


@given(st.lists(st.sets(st.integers(-1, 5), max_size=4), max_size=6))
def test_the_closest_phrase_of_each_entity_counts(phrases: list[set[int]]) -> None:
    """Each phrase has entities; entity -1 is in a document that is not served."""
    vectors = np.eye(8, dtype=np.float32)[: len(phrases)]
    ids = [[str(entity) for entity in sorted(entities)] for entities in phrases]
    effects = PhraseIndex(
        pl.Series(ids, dtype=IDS), partial(np.matmul, vectors), {str(number): number for number in range(6)}
    )
    query = np.array([0.1, -0.2, 0.3, -0.4, 0.5, 0.6, 0.0, 0.0], dtype=np.float32)
    expected = [
        max((query[p] for p, entities in enumerate(phrases) if entity in entities), default=0) for entity in range(6)
    ]
    for asked in (np.arange(6), np.array([1, 3, 4])):
        assert np.allclose(effects.similarity(query, asked), np.maximum(0, expected)[asked])


def test_phrases_count_less_for_kin() -> None:
    phrases = PhraseIndex(
        pl.Series([["sphinx"], ["rat"]]),
        lambda query: query,
        {"sphinx": 0, "kitten": 1, "rat": 2},
        pl.Series([["kitten"], []], dtype=IDS),
    )
    found = phrases.similarity(np.array([0.8, 0.4], dtype=np.float32), np.arange(3))
    assert np.allclose(found, [0.8, KIN_SHARE * 0.8, 0.4])
