"""The map of vectors, which puts similar things near each other and is reproducible."""

from pathlib import Path

import numpy as np
import pytest

from build_pipeline.release.contents import Contents
from build_pipeline.release.report.roll import call_the_roll
from build_pipeline.release.report.vector_map import SIDE, layout, vector_map


def groups(count: int, members: int) -> np.ndarray:
    """Vectors in groups, float32[count · members, 64]: one direction per group, with noise."""
    random = np.random.default_rng(7)
    centres = np.repeat(random.normal(size=(count, 64)), members, axis=0)
    return (centres + 0.2 * random.normal(size=centres.shape)).astype(np.float32)


def test_groups_are_compact_and_separate() -> None:
    places = layout(groups(6, 40)).reshape(6, 40, 2)

    middles = places.mean(axis=1)
    spread = np.linalg.norm(places - middles[:, None], axis=2).mean()
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)[np.triu_indices(6, 1)].min()
    assert apart > 2 * spread


def test_it_is_reproducible() -> None:
    vectors = groups(3, 20)

    assert (layout(vectors) == layout(vectors)).all()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_few_vectors_have_places(count: int) -> None:
    places = layout(groups(count, 1))

    assert places.shape == (count, 2)
    assert np.isfinite(places).all()


def test_equal_vectors_have_finite_places() -> None:
    places = layout(np.ones((30, 8), dtype=np.float32))

    assert np.isfinite(places).all()


def test_every_entity_of_a_dataset_has_a_place_on_the_map(small_dataset: Path) -> None:
    ids = call_the_roll(Contents.of(small_dataset)).ids
    places = vector_map(small_dataset, ids)

    assert places.shape == (len(ids), 2)
    assert places.min() >= 0
    assert places.max() <= SIDE
    assert len(np.unique(places, axis=0)) > len(ids) // 2
