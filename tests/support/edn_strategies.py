"""Hypothesis strategies for EDN values and OrcBrew libraries."""

from __future__ import annotations

import string
from fractions import Fraction

from hypothesis import strategies as st

from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, Symbol

NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=8)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYWORDS = st.builds(lambda *parts: Keyword("/".join(parts)), NAMES) | st.builds(
    lambda *parts: Keyword("/".join(parts)), NAMES, NAMES
)
RATIOS = st.builds(Fraction, st.integers(-99, 99), st.integers(2, 99)).filter(lambda r: r.denominator > 1)
ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | KEYWORDS
)


def _collections(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.lists(KEYWORDS, max_size=4, unique=True).map(EdnSet)
        | st.dictionaries(KEYWORDS | TEXTS, inner, max_size=4)
    )


COMMON_VALUES = st.recursive(ATOMS, _collections, max_leaves=12)
"""Values that every EDN reader knows."""
VALUES = st.recursive(ATOMS | RATIOS | NAMES.map(lambda n: Symbol(f"{n}-x")), _collections, max_leaves=12)
"""Values that our reader knows, including symbols and ratios."""
