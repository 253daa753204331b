"""Answers as JSON: their text, and that their estimated length is never exceeded."""

import json

from hypothesis import given
from hypothesis import strategies as st

from server.library.records.json_text import json_length, json_text

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


@given(VALUES)
def test_the_text_parses_to_the_value(value: object) -> None:
    assert json.loads(json_text(value)) == value


@given(VALUES)
def test_a_value_is_no_longer_than_estimated(value: object) -> None:
    longest = max(len(json_text(value)), len(json.dumps(json.loads(json_text(value)), ensure_ascii=False)))
    assert json_length(value) >= longest


def test_the_estimate_exceeds_spaced_json_only_by_commas_in_texts() -> None:
    assert json_length({"name": "Fireball", "level": 3}) == len('{"name": "Fireball", "level": 3}, ')
    assert json_length(["a, b"]) == len('["a, b"], ') + 1
