"""The EDN reader: what it reads and refuses, and the places that it names."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import edn_format  # type: ignore[import-untyped]
import pytest
from edn_beside import comparable, their_value
from edn_strategies import COMMON_VALUES, VALUES
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.snapshot.orcbrew.edn import MAX_DEPTH, EdnError, Lines, LocatedMap, read
from build_pipeline.snapshot.orcbrew.edn_values import CompoundKey, EdnSet, Keyword, Symbol, Tagged, write_edn

K = Keyword


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nil", None),
        ("[true false]", [True, False]),
        ("+5", 5),
        ("12N", 12),
        ("1.5M", 1.5),
        ("1e3", 1000.0),
        ("0x1F", 31),
        ("2r101", 5),
        ("-3/4", Fraction(-3, 4)),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        (r'"a\tb\n\"c\" \u00e9 \\"', 'a\tb\n"c" é \\'),
        (r'"\ud83d\udc09"', "🐉"),
        (r"[\a \newline \u0041 \{ \"]", ["a", "\n", "A", "{", '"']),
        (":tasha's-x", K("tasha's-x")),
        (":9-lives", K("9-lives")),
        ("{:a 1,, :b 2,}", {K("a"): 1, K("b"): 2}),
        ("#:n{:a 1 :_/b 2 :c/d 3}", {K("n/a"): 1, K("b"): 2, K("c/d"): 3}),
        ("#{:a :b}", EdnSet([K("a"), K("b")])),
        ("(1 ())", (1, ())),
        ("[1 #_ 2 #_ #_ 3 4 5]", [1, 5]),
        ('^{:doc "d"} [^:x 1]', [1]),
        ('#inst "2020"', Tagged("inst", "2020")),
        ("{{:a 1} 2}", {CompoundKey("{:a 1}"): 2}),
        ('\ufeff; a comment { with "\r\n\u00a0[1]', [1]),
        ("{#inst [1] 2}", {CompoundKey("#inst [1]"): 2}),
    ],
)
def test_values_are_read(text: str, value: Any) -> None:
    reading = read(text)
    assert reading.forms == [value]
    assert reading.notes == []


@pytest.mark.parametrize(
    ("text", "value", "column"),
    [
        ("[##Inf]", [math.inf], 2),
        ("[1 007]", [1, 7], 4),
        ("[1/0]", [None], 2),
        ("[1e999]", [None], 2),
        (f"[{'1' * 500}]", [None], 2),
        ("[undefined]", [Symbol("undefined")], 2),
        ("[:a foo]", [K("a"), Symbol("foo")], 5),
        ("[# {:a}]", [EdnSet([K("a")])], 2),
        ('[#"a+"]', ["a+"], 2),
        ("[#other/tag 1]", [Tagged("other/tag", 1)], 2),
        (r'["a\d"]', ["ad"], 2),
        ("{:a 1 :b 2 :a 3}", {K("a"): 3, K("b"): 2}, 12),
        ("[1 #{:a :a}]", [1, EdnSet([K("a"), K("a")])], 4),
    ],
)
def test_values_are_read_with_a_note(text: str, value: Any, column: int) -> None:
    reading = read(text)
    assert reading.forms == [value]
    assert [note.offset + 1 for note in reading.notes] == [column]


@pytest.mark.parametrize("word", ["1/0", "3rd", "2r9", "99r1"])
def test_a_word_that_is_no_number_is_named_as_such(word: str) -> None:
    reading = read(f"[{word}]")
    assert reading.forms == [[None]]
    assert [note.message for note in reading.notes] == [f"`{word}` is not a number; read as unknown"]


def test_nan_is_noted_and_kept() -> None:
    reading = read("##NaN")
    assert math.isnan(reading.forms[0])
    assert len(reading.notes) == 1


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("{:a 1", 1, "never closed"),
        ("{:a 1}}", 7, "closes nothing"),
        ("[1 2}", 5, "where `]` is expected"),
        ("{:a 1 :b}", 7, "one key too many"),
        ('{:a 1 "b"}', 7, "one key too many"),
        ('["abc]', 2, "never closed"),
        ('["a" b "c"d]', 10, "quote"),
        ('[abc"d"]', 5, "quote"),
        ("[:]", 2, "lone"),
        ("[#_]", 2, "nothing follows"),
        ("[" * 100_000, MAX_DEPTH + 1, "deeper"),
        ("#_" * 100_000, 2 * MAX_DEPTH + 1, "deeper"),
        ("#t " * 100_000 + "1", 3 * MAX_DEPTH + 1, "deeper"),
    ],
)
def test_invalid_edn_is_refused_with_its_place(text: str, column: int, words: str) -> None:
    with pytest.raises(EdnError, match=words) as caught:
        read(text)
    assert caught.value.offset + 1 == column


def test_located_maps_keep_every_entry_and_its_place() -> None:
    form = read("{:a 1\n :a {:b 2}}", located=1).forms[0]
    assert isinstance(form, LocatedMap)
    assert [(e.key, e.value) for e in form.entries] == [(K("a"), 1), (K("a"), {K("b"): 2})]
    assert [e.key_span for e in form.entries] == [(1, 3), (7, 9)]
    assert form.entries[1].value_span == (10, 16)
    assert type(form.entries[1].value) is dict


def test_lines_count_every_kind_of_line_break() -> None:
    lines = Lines("a\nb\r\nc\rd")
    assert [lines.at(i) for i in (0, 2, 5, 7)] == [(1, 1), (2, 1), (3, 1), (4, 1)]
    assert lines.offset(3, 1) == 5


def test_keywords_are_not_strings() -> None:
    assert K("a") is K("a")
    assert len({K("a"), "a"}) == 2
    assert read('{:a 1 "a" 2}').forms == [{K("a"): 1, "a": 2}]


@given(VALUES)
def test_written_values_are_read_back(value: Any) -> None:
    assert read(write_edn(value)).forms == [value]


@given(COMMON_VALUES)
def test_another_reader_gives_the_same_values(value: Any) -> None:
    text = write_edn(value)
    assert their_value(edn_format.loads(text)) == comparable(read(text).forms[0])


@given(st.text('{}[]()"\\#:;,^_ a1/\n~', max_size=64))
def test_any_text_is_read_or_refused(text: str) -> None:
    offset = 0
    try:
        read(text, located=3)
    except EdnError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
