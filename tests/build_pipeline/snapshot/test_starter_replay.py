"""The starter content, served as the APIs serve theirs, gives a whole snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from merging import ENDPOINT
from origin_server import Origin, manners, origins, serve
from starter_rows import STARTER

from benchmarks.reliability.apis import api_objects, reachable, serve_as_apis
from build_pipeline.normalize.records import normalize
from build_pipeline.snapshot.crawl import Snapshot, SnapshotRequest, snapshot
from build_pipeline.snapshot.raw import RawLayer, RawObject, read_raw_layer
from build_pipeline.sources import ENDPOINTS, SOURCES

NOT_IN_THE_STARTER: Final = {
    ("open5e_v2/creatures", "skill_bonuses_all"),
    ("dnd5e_api/2014/backgrounds", "starting_equipment_options"),
    ("dnd5e_api/2024/species", "traits"),
    ("dnd5e_api/2014/classes-levels/cleric", ""),
    ("dnd5e_api/2014/classes-levels/paladin", ""),
    ("dnd5e_api/2014/classes-spells/paladin", ""),
    ("dnd5e_api/2014/subclasses-levels/life", ""),
}
"""Declared fields and expected children that the starter's objects leave out."""


@pytest.fixture(scope="module")
def starter() -> RawLayer:
    """The starter's objects of the APIs, without its books."""
    return api_objects(STARTER)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("snapshot")


@pytest.fixture(scope="module")
def taken(starter: RawLayer, out: Path) -> Snapshot:
    origin = Origin()
    server = serve(origin)
    endpoints = serve_as_apis(origin, starter)
    found = snapshot(SnapshotRequest(out, origins(origin.url, *endpoints)), out / "cache", manners())
    server.shutdown()
    server.server_close()
    return found


def texts(objects: Iterable[RawObject]) -> dict[str, str]:
    return {obj.id: obj.text for obj in objects}


def test_every_object_arrives_as_it_was_sent(taken: Snapshot, starter: RawLayer) -> None:
    arrived = texts(obj for objects in taken.objects.values() for obj in objects)
    sent = texts(reachable(starter))
    assert {key: text for key, text in arrived.items() if key in sent} == sent
    empty_lists = {key: json.loads(arrived[key])["results"] for key in arrived.keys() - sent.keys()}
    assert empty_lists == {"dnd5e_api/2014/classes-spells/paladin": []}


def test_only_what_the_starter_leaves_out_is_reported(taken: Snapshot) -> None:
    assert {(problem.raw, problem.field) for problem in taken.problems} == NOT_IN_THE_STARTER


def test_the_snapshot_on_disk_gives_the_same_records(taken: Snapshot, starter: RawLayer, out: Path) -> None:
    assert taken.requests > len(ENDPOINTS)
    expected = normalize(RawLayer.of(reachable(starter)), SOURCES)
    found = normalize(read_raw_layer(out), SOURCES)
    for name, records in expected.tables.items():
        assert sorted(map(repr, found.tables[name])) == sorted(map(repr, records))


def test_another_page_size_changes_nothing(
    origin: Origin, starter: RawLayer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("build_pipeline.snapshot.web.open5e.PAGE_SIZE", 7)
    where = ("open5e_v2", "spells")
    serve_as_apis(origin, starter)
    request = SnapshotRequest(tmp_path / "out", origins(origin.url, ENDPOINT[where]), strict=True)
    taken = snapshot(request, tmp_path / "cache", manners())
    assert texts(taken.objects[where]) == texts(starter[where].values())
    assert taken.requests == -(-len(starter[where]) // 7)
