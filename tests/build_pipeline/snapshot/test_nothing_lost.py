"""Temporary errors of an API are retried, and missing objects are named: nothing is lost silently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from crawls import keys, take
from origin_server import LEVELS, RARITIES, SCHOOL, SCHOOLS, SPELLS, Answer, Origin, rarities, send

from build_pipeline.snapshot.crawl import StrictError
from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.raw import read_raw_layer

TWO_LEVELS = replace(LEVELS, least=2)
SPELLS_OF_CASTERS = replace(SPELLS, least=1, least_where="casts")


@pytest.fixture
def schools(origin: Origin) -> Origin:
    """Two schools, one of which has spells."""
    origin.lists[SCHOOLS.path] = [{"index": "a"}, {"index": "b"}]
    for key in "ab":
        school = f"{SCHOOLS.path}/{key}"
        origin.pages[school] = {"index": key, "name": key} | ({"casts": True} if key == "a" else {})
        origin.pages[f"{school}/levels"] = [{"index": f"{key}-1"}, {"index": f"{key}-2"}]
        origin.pages[f"{school}/spells"] = {"count": 1, "results": [{"index": "ward"}]}
    origin.pages[f"{SCHOOLS.path}/b/spells"] = {"count": 0, "results": []}
    return origin


BAD_BODIES = {
    "a page for people": send("<html>Bad gateway</html>"),
    "nothing": send(""),
    "cut off": send('{"count": 2, "results": [{"key": "a'),
    "a number that is none": send('{"count": 1, "next": null, "results": [{"key": "a", "name": "A", "rank": NaN}]}'),
    "a number beyond all": send('{"count": 1, "next": null, "results": [{"key": "a", "name": "A", "rank": 1e999}]}'),
    "a wrong count": send('{"count": 7, "next": null, "results": [{"key": "a", "name": "A", "rank": 0}]}'),
    "no results": send('{"count": 1, "next": null, "results": null}'),
    "an empty endpoint": send('{"count": 0, "next": null, "results": []}'),
    "an object without its rank": send('{"count": 1, "next": null, "results": [{"key": "a", "name": "A"}]}'),
}


@pytest.mark.parametrize("body", BAD_BODIES)
def test_one_temporary_bad_body_changes_nothing(origin: Origin, tmp_path: Path, body: str) -> None:
    origin.lists[RARITIES.path] = rarities("a", "b")
    origin.faults[RARITIES.path].append(BAD_BODIES[body])
    taken = take(origin, tmp_path, RARITIES)
    assert keys(taken, RARITIES) == ["a", "b"]
    assert not taken.problems


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("a/levels", send("[]")),
        ("a/levels", send('[{"index": "a-1"}]')),
        ("a/levels", send("null")),
        ("a/spells", send('{"count": 0, "results": []}')),
        ("a/spells", send("null")),
        ("a/spells", send('{"count": 2, "results": [{"index": "ward"}, {"index": "ward"}]}')),
        ("a", send('{"index": "a", "name": "a", "casts": true, "updated_at": "", "url": ""}')),
    ],
)
def test_temporarily_missing_children_are_requested_again(
    schools: Origin, tmp_path: Path, path: str, answer: Answer
) -> None:
    schools.faults[f"{SCHOOLS.path}/{path}"].append(answer)
    taken = take(schools, tmp_path, SCHOOLS, TWO_LEVELS, SPELLS_OF_CASTERS)
    assert not taken.problems
    assert keys(taken, TWO_LEVELS) == ["a-1", "a-2", "b-1", "b-2"]
    assert keys(taken, SPELLS_OF_CASTERS) == ["a", "b"]


def test_children_that_stay_missing_are_named_and_never_cached(schools: Origin, tmp_path: Path) -> None:
    schools.pages[f"{SCHOOLS.path}/a/levels"] = []
    with pytest.raises(StrictError):
        take(schools, tmp_path, SCHOOLS, TWO_LEVELS, SPELLS_OF_CASTERS, strict=True)
    taken = take(schools, tmp_path, SCHOOLS, TWO_LEVELS, SPELLS_OF_CASTERS)
    (problem,) = taken.problems
    assert problem.raw == "dnd5e_api/2014/schools-levels/a"
    assert problem.reason == "0 where there must be at least 2; what was received is kept"
    schools.pages[f"{SCHOOLS.path}/a/levels"] = [{"index": "a-1"}, {"index": "a-2"}]
    assert not take(schools, tmp_path, SCHOOLS, TWO_LEVELS, SPELLS_OF_CASTERS).problems


def test_one_null_answer_does_not_drop_the_other_children(schools: Origin, tmp_path: Path) -> None:
    schools.pages[f"{SCHOOLS.path}/a/spells"] = None
    taken = take(schools, tmp_path, SCHOOLS, SPELLS_OF_CASTERS)
    assert keys(taken, SPELLS_OF_CASTERS) == ["b"]
    assert [problem.raw for problem in taken.problems] == ["dnd5e_api/2014/schools-spells/a"]


def test_a_missing_declared_field_is_named_for_every_source(schools: Origin, tmp_path: Path) -> None:
    schools.pages[f"{SCHOOLS.path}/b"] = b'{"index": "b", "name": "b", "updated_at": "", "url": ""}'
    (problem,) = take(schools, tmp_path, SCHOOLS).problems
    assert problem.field == "desc"
    assert problem.reason == "missing in 1 of 2 objects, such as b; they are kept"


def test_a_missing_undeclared_field_that_others_have_is_named(origin: Origin, tmp_path: Path) -> None:
    origin.lists[RARITIES.path] = [{**row, "colour": "red"} for row in rarities(*"abcdefghijk")]
    del origin.lists[RARITIES.path][4]["colour"]
    (problem,) = take(origin, tmp_path, RARITIES).problems
    assert (problem.field, problem.reason) == ("colour", "missing in 1 of 11 objects, such as e; they are kept")


def test_an_unexpectedly_empty_list_is_named(origin: Origin, tmp_path: Path) -> None:
    spells = Endpoint("dnd5e_api", "2014/conditions", "/api/2014/conditions", "index", None, fetch=SCHOOLS.fetch)
    origin.lists[spells.path] = [{"index": "a"}]
    origin.pages[f"{spells.path}/a"] = SCHOOL | {"index": "a", "desc": []}
    (problem,) = take(origin, tmp_path, spells).problems
    assert (problem.field, problem.reason) == ("desc", "an empty list in 1 of 1 objects, such as a; they are kept")


def test_fewer_objects_than_before_are_named(origin: Origin, tmp_path: Path) -> None:
    origin.lists[RARITIES.path] = rarities("a", "b")
    take(origin, tmp_path, RARITIES)
    origin.lists[RARITIES.path] = rarities("a")
    with pytest.raises(StrictError):
        take(origin, tmp_path, RARITIES, refresh=True, strict=True)
    (problem,) = take(origin, tmp_path, RARITIES, refresh=True).problems
    assert problem.reason == "1 objects, fewer than the 2 of the snapshot before"
    assert len(read_raw_layer(tmp_path / "out")["open5e_v2", "itemrarities"]) == 1
