"""Rules of a page whose text another rule of the page has are summaries: nothing is read twice, and nothing is lost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from server.library import page_messages
from server.library.library import Library
from server.library.records.contained import contained, fit_once
from server.library.requests.request import Request

TEXTS = [
    "Falling hurts. Water helps. Rolling, too.",
    "Water helps.",
    "Water helps. A lot.",
    "Rolling, too.",
    "Water helps.",
]
ABOVE = {1: [0], 2: [0], 3: [0, 1]}
"""Row 4 has a text of the first rule, but is no part of it."""
CATALOGUE: Any = SimpleNamespace(
    part_of=lambda _: SimpleNamespace(frame=pl.DataFrame({"description": TEXTS}), start=10)
)
CHAPTERS: Any = SimpleNamespace(above=lambda row: [10 + each for each in ABOVE.get(row - 10, [])])


def _of(*rows: int, without: tuple[int, ...] = ()) -> dict[int, int]:
    return contained(rows, CATALOGUE, CHAPTERS, without=without)


def test_a_rule_is_contained_in_one_above_it_that_has_its_whole_text() -> None:
    assert _of(10, 11, 12, 13, 14) == {11: 10, 13: 10}
    assert _of(14, 11, 10) == {11: 10}
    assert _of(14, 11, 13) == {}


def test_the_first_record_is_never_shortened() -> None:
    assert _of(11, 13, 10) == {13: 10}


def test_what_is_shown_in_part_only_contains_nothing_and_is_in_nothing() -> None:
    assert _of(14, 11, 10, without=(10,)) == {}
    assert _of(14, 11, 10, without=(11,)) == {}


def _full(rows: Any) -> list[dict[str, Any]]:
    return [{"row": row, "text": "x" * (300 if row == 10 else 100)} for row in rows]


def _summary(rows: Any) -> list[dict[str, Any]]:
    return [{"row": row} for row in rows]


def test_contained_records_are_summaries_that_are_marked() -> None:
    page, restated = fit_once([14, 11, 10], 10_000, [_summary, _full], {11: 10})
    assert page.records == [*_full([14]), {"row": 11, "truncated": True}, *_full([10])]
    assert restated == {2: 3}


def test_without_room_for_the_rule_that_has_the_text_nothing_is_left_out() -> None:
    page, restated = fit_once([14, 11, 10], 350, [_summary, _full], {11: 10})
    assert page.records == [*_full([14, 11]), {"row": 10, "truncated": True}]
    assert restated == {}


@pytest.mark.parametrize(
    ("holders", "said"),
    [
        ({2: 1}, "Record 2 is shortened (`truncated`): the text is also in record 1."),
        ({4: 3, 2: 1}, "Records 2 and 4 are shortened (`truncated`): the text is also in records 1 and 3."),
        ({4: 3, 2: 3}, "Records 2 and 4 are shortened (`truncated`): the text is also in record 3."),
    ],
)
def test_the_message_says_where_the_text_is(holders: dict[int, int], said: str) -> None:
    assert page_messages.stands_in(holders) == said


def test_a_search_gives_no_text_twice(library: Library) -> None:
    found = library.find(Request("rule", kind="rule", search="cover", limit=40))
    whole = {record["id"]: record for record in found["results"] if "truncated" not in record}
    short = [record for record in found["results"] if "truncated" in record]
    assert short
    assert "truncated" not in found["results"][0]
    assert "the text is also in record" in found["message"]
    for record in short:
        (full,) = library.find(
            Request(
                "rule",
                kind="rule",
                name=record["slug"] if "slug" in record else record["name"],
                documents=(record["document"],),
            )
        )["results"][:1]
        assert any(full["description"] in each["description"] for each in whole.values())
