"""EDN as Transit JSON and back."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from edn_strategies import VALUES
from hypothesis import given

from build_pipeline.snapshot.orcbrew.edn_values import CompoundKey, EdnSet, Keyword, Symbol, Tagged
from build_pipeline.snapshot.orcbrew.transit import from_transit, to_transit


@given(VALUES)
def test_every_value_is_read_back(value: Any) -> None:
    there = json.loads(json.dumps(to_transit(value)))
    assert from_transit(there) == value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Keyword("n/a"), "~:n/a"),
        ("~:not a keyword", "~~:not a keyword"),
        (Symbol("x"), "~$x"),
        (Fraction(1, 4), {"~#ratio": [1, 4]}),
        (EdnSet([Keyword("a")]), {"~#set": ["~:a"]}),
        ({Keyword("a"): 1, "b": 2, 3: 4}, {"~:a": 1, "b": 2, "~i3": 4}),
        ({None: 1}, {"~#cmap": [None, 1]}),
        (10**20, "~n100000000000000000000"),
        (float("inf"), "~zINF"),
        (Tagged("inst", "2020"), {"~#inst": "2020"}),
        ({CompoundKey("[1]"): 1}, {"~#cmap": [{"~#edn": "[1]"}, 1]}),
    ],
)
def test_values_have_their_transit_forms(value: Any, form: Any) -> None:
    assert to_transit(value) == form
    assert from_transit(form) == value
