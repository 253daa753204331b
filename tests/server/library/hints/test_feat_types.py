"""Lists of feats come to the feats first, and say how many of them are options of classes, and of which type."""

from __future__ import annotations

from typing import Any

import pytest

from server.library.library import Library
from server.library.requests.request import Request

FEATS: dict[str, Any] = {"family": "character_option", "kind": "feat", "limit": 100}


def _found(library: Library, **asked: Any) -> tuple[list[dict[str, Any]], str]:
    response = library.find(Request(**asked))
    return response["results"], response["message"] or ""


def test_feats_come_before_options_of_classes(library: Library) -> None:
    records, _ = _found(library, **FEATS)
    offered = [bool(record["option_of"]) for record in records]
    assert offered == sorted(offered)
    assert len(set(offered)) == 2
    names = [record["name"].casefold() for record in records if not record["option_of"]]
    assert names == sorted(names)


@pytest.mark.parametrize("asked", [FEATS, {**FEATS, "search": "extra damage"}, {**FEATS, "detail": "names"}])
def test_the_types_are_counted(library: Library, asked: dict[str, Any]) -> None:
    records, _ = _found(library, **FEATS)
    _, message = _found(library, **asked)
    free = sum(record["feat_type"] is not None and not record["option_of"] for record in records)
    offered = sum(bool(record["option_of"]) for record in records)
    assert f"Found {free} feats (4 origin, " in message
    assert f") and {offered} options of classes or races (4 invocation, " in message
    assert message.endswith('): feat_type="origin" finds only one type.')


def test_the_type_is_a_filter(library: Library) -> None:
    records, message = _found(library, **FEATS, filters={"feat_type": "Origin"})
    assert {record["feat_type"] for record in records} == {"origin"}
    assert len(records) == 4
    assert message == ""
    _, message = _found(library, **FEATS | {"kind": "class"}, filters={"feat_type": "origin"})
    assert message == "feat_type applies only to type feat."


def test_who_searches_everything_is_told_which_search_has_the_filter(library: Library) -> None:
    _, message = _found(library, family="all", search="", content_types=("Feat",))
    assert message.endswith('search_character_option(type="feat", feat_type="origin") finds only one type.')


@pytest.mark.parametrize(
    "asked",
    [
        {**FEATS, "offset": 5},
        {**FEATS, "name": "alert"},
        {**FEATS, "kind": "class"},
        {"family": "character_option", "search": "alert"},
    ],
)
def test_others_are_told_nothing(library: Library, asked: dict[str, Any]) -> None:
    assert "options of classes" not in _found(library, **asked)[1]
