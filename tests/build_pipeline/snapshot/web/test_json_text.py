from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.snapshot.web.json_text import NotJsonError, parse_page

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
layouts = st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}])


@given(st.lists(values), st.dictionaries(st.text(), values), layouts)
def test_items_are_the_exact_text_of_each_result(
    results: list[Any], members: dict[str, Any], layout: dict[str, Any]
) -> None:
    text = json.dumps({**members, "results": results}, **layout)
    try:
        body = text.encode()
    except UnicodeEncodeError:
        return
    page = parse_page(body)
    assert page.whole.value == json.loads(text)
    assert page.whole.text == text
    assert [json.loads(item.text) for item in page.items] == results
    assert all(item.text in text for item in page.items)


@given(st.lists(values), layouts)
def test_items_of_a_list_are_found(results: list[Any], layout: dict[str, Any]) -> None:
    text = f" {json.dumps(results, **layout)}\n"
    try:
        body = text.encode()
    except UnicodeEncodeError:
        return
    page = parse_page(body)
    assert page.whole.text == text.strip()
    assert [item.value for item in page.items] == results


def test_number_and_escape_forms_are_kept() -> None:
    page = parse_page(rb'{"count":1,"results":[{"cr":0.250,"xp":1e3,"name":"\u00e9\/"} ]}')
    assert page.items[0].text == r'{"cr":0.250,"xp":1e3,"name":"\u00e9\/"}'
    assert page.items[0].value == {"cr": 0.25, "xp": 1000.0, "name": "é/"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not JSON"),
        (b"<html>busy</html>", "<html>busy"),
        (b'{"results": [1, 2', "not JSON"),
        (b'{"results": [1 2]}', "',' delimiter"),
        (b'{"results": [1,]}', "not JSON"),
        (b'{"a": 1} {"a": 2}', "Extra data"),
        (b'{"a": NaN}', "NaN"),
        (b'{"results": [{"a": 1, "a": 2}]}', "'a' occurs twice"),
        (b'{"results": [], "results": [1]}', "'results' occurs twice"),
        (b'\xef\xbb\xbf{"a": 1}', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": ' + b"[" * 200_000, "nested too deeply"),
        (b"{1: 2}", "not JSON"),
        (rb'{"results": ["\ud800"]}', "not JSON"),
        (b'{"a": 1e999}', "not a finite number"),
        (b'{"count": ' + b"1" * 5_000 + b"}", "4300 digits"),
        (b'{"a" 1}', "':' delimiter"),
    ],
)
def test_json_that_is_not_strict_is_refused(body: bytes, message: str) -> None:
    with pytest.raises(NotJsonError, match=message):
        parse_page(body)
