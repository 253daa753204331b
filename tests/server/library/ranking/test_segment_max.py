"""The best item of each owner, compared with a loop."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from server.library.ranking.segment_max import SegmentMax

OWNERS = 5


@given(
    st.lists(st.tuples(st.integers(0, OWNERS), st.floats(-1, 1, width=32)), max_size=20),
    st.lists(st.integers(0, OWNERS - 1), unique=True),
)
def test_each_owner_gets_the_best_score_of_its_items(items: list[tuple[int, float]], asked: list[int]) -> None:
    segments = SegmentMax(np.array([owner for owner, _ in items], dtype=np.int64), OWNERS)
    scores = np.array([score for _, score in items], dtype=np.float32)
    expected = [max((score for owner, score in items if owner == who), default=0) for who in asked]
    best = segments.best(np.array(asked, dtype=np.int64), lambda places: scores[places])
    assert best.tolist() == expected
    assert best.dtype == np.float32


@given(st.lists(st.tuples(st.integers(0, OWNERS), st.integers(0, 3)), max_size=20), st.permutations(range(OWNERS)))
def test_owners_may_share_items(shares: list[tuple[int, int]], asked: list[int]) -> None:
    owners, shared = np.array(shares, dtype=np.int64).reshape(-1, 2).T
    segments = SegmentMax(owners, OWNERS, shared)
    scores = np.array([0.3, -0.5, 0.1, 0.9], dtype=np.float32)
    expected = [max((scores[item] for owner, item in shares if owner == who), default=0) for who in asked]
    for some in (asked, asked[1:]):
        best = segments.best(np.array(some, dtype=np.int64), lambda items: scores[items])
        assert best.tolist() == expected[-len(some) :]


def test_only_items_of_the_requested_owners_are_scored() -> None:
    segments = SegmentMax(np.array([2, 0, 2, 5, 1]), OWNERS)
    scored = []

    def score(items: np.ndarray) -> np.ndarray:
        scored.extend(items.tolist())
        return items.astype(np.float32)

    assert segments.best(np.array([2, 4, 0]), score).tolist() == [2, 0, 1]
    assert sorted(scored) == [0, 1, 2]
