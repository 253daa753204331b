"""No defective object stops a build: it becomes a problem, or an entity without the facts that are defective."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from merging import ENDPOINT, recorded
from starter_rows import STARTER

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.merging.forms import FORMS, shape_error, well_formed
from build_pipeline.normalize.records import Normalized, normalize
from build_pipeline.snapshot.raw import RawLayer, RawObject, read_raw_layer
from build_pipeline.sources import ENDPOINTS, SOURCES
from build_pipeline.tables import complaints
from server.dataset.schema import TABLES
from server.dataset.strict_json import dump_json

ODD: Final[tuple[Any, ...]] = (
    None,
    "",
    "--",
    "text",
    0,
    -1,
    1.5,
    3_000_000_000,
    True,
    [],
    ["text"],
    [None],
    {},
    {"name": None},
    {"key": 1},
)
"""Values of every JSON type, to replace an API's value with."""

Path_ = tuple[str | int, ...]


@pytest.fixture(scope="module")
def starter() -> RawLayer:
    return read_raw_layer(STARTER, ENDPOINTS)


def parts(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every member and of the first items of every list."""
    inner = list(value.items()) if isinstance(value, dict) else list(enumerate(value))[:3]
    for key, part in inner:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from parts(part, (*path, key))


def damaged(obj: RawObject, rng: random.Random) -> RawObject:
    """The object with one of its parts removed or replaced, but not its key."""
    data = copy.deepcopy(obj.data)
    own_key = ENDPOINT[obj.source, obj.endpoint].key
    *outer, last = rng.choice([path for path in parts(data) if path != (own_key,)])
    holder: Any = data
    for key in outer:
        holder = holder[key]
    if rng.random() < 0.3:
        del holder[last]
    else:
        holder[last] = copy.deepcopy(rng.choice(ODD))
    return RawObject(obj.source, obj.endpoint, obj.key, obj.url, obj.fetched_at, dump_json(data))


def with_damage(layer: RawLayer, rng: random.Random) -> RawLayer:
    """The layer with a damaged object in every endpoint."""
    made = RawLayer(info=layer.info)
    for objects in layer.endpoints.values():
        unlucky = rng.choice(list(objects))
        for key, obj in objects.items():
            made.add(damaged(obj, rng) if key == unlucky else obj)
    return made


@pytest.mark.slow
# Each example is a build, with a defect in every endpoint.
@pytest.mark.thorough
@settings(max_examples=settings.default.max_examples // 8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rng=st.randoms(use_true_random=False))
def test_a_defect_anywhere_stops_nothing_and_loses_nothing(starter: RawLayer, rng: random.Random) -> None:
    layer = with_damage(starter, rng)
    found = normalize(layer, SOURCES)
    objects = found.coverage["objects"]
    assert objects == len(list(layer)) == sum(found.coverage.values()) - objects
    reported = {problem["raw"] for problem in found.problems}
    assert not {obj.id for obj in layer if ENDPOINT[obj.source, obj.endpoint].table} - reported - read_in(found)
    for table in TABLES:
        for record in found.tables[table.name]:
            assert not list(complaints(table, record))


def read_in(found: Normalized) -> set[str]:
    """Ids of the raw objects behind records and the metadata of documents."""
    documents = {"documents", "licenses", "publishers", "gamesystems"}
    records = [r for name, rows in found.tables.items() if name != "documents" for r in rows]
    told = {raw for record in records for raw in record["provenance"]["raw"]}
    layer = read_raw_layer(STARTER, ENDPOINTS)
    return told | {obj.id for obj in layer if obj.endpoint in documents}


def test_the_other_objects_of_an_endpoint_are_read(starter: RawLayer) -> None:
    layer = RawLayer(info=starter.info)
    for obj in starter:
        nameless = obj.id == "open5e_v2/weapons/srd_club"
        text = dump_json({k: v for k, v in obj.data.items() if k != "name"}) if nameless else obj.text
        layer.add(RawObject(obj.source, obj.endpoint, obj.key, obj.url, obj.fetched_at, text))
    found = normalize(layer, SOURCES)
    assert {
        "raw": "open5e_v2/weapons/srd_club",
        "reason": "not shaped like the other objects of its endpoint: it.name is missing",
    } in (found.problems)
    before = {record["id"] for record in normalize(starter, SOURCES).tables["equipment"]}
    assert {record["id"] for record in found.tables["equipment"]} == before


def test_an_environment_without_a_name_stops_nothing(
    raw_of: Callable[[dict[str, list[dict[str, Any]]]], RawLayer],
) -> None:
    reef = {"key": "reef", "desc": "Coral under the waves.", "planar": False, "document": {"key": "srd-2014"}}
    found = normalize(raw_of({"open5e_v2/environments": [reef]}), SOURCES)
    assert [p["reason"] for p in found.problems if p["raw"] == "open5e_v2/environments/reef"] == [
        "not shaped like the other objects of its endpoint: it.name is missing"
    ]


def test_a_save_without_an_ability_stops_nothing(raw_of: Callable[[dict[str, list[dict[str, Any]]]], RawLayer]) -> None:
    luck = {
        "index": "saving-throw-luck",
        "name": "Saving Throw: LUCK",
        "type": "Saving Throws",
        "classes": [],
        "races": [],
    }
    luck["reference"] = {"index": "luck", "name": "LUCK", "url": "/api/2014/ability-scores/luck"}
    found = normalize(raw_of({"dnd5e_api/2014/proficiencies": [luck]}), SOURCES)
    assert [p["reason"] for p in found.problems if p["raw"] == "dnd5e_api/2014/proficiencies/saving-throw-luck"] == [
        "not shaped like the other objects of its endpoint: KeyError: 'luck'"
    ]


def test_objects_of_an_unknown_document_are_kept_and_reported(
    raw_of: Callable[[dict[str, list[dict[str, Any]]]], RawLayer],
) -> None:
    service = {"key": "x_ferry", "name": "Ferry", "desc": "Over the river.", "detail": "", "cost": "0.01"}
    found = normalize(raw_of({"open5e_v2/services": [service | {"document": {"key": "lost-book"}}]}), SOURCES)
    (record,) = found.tables["equipment"]
    assert (record["document_key"], record["document_name"]) == ("lost-book", "lost-book")
    assert "its document 'lost-book' is unknown" in found.problems[0]["reason"]


def test_a_form_names_what_is_missing() -> None:
    form = {"name": str, "size?": (str, None), "of": [{"index": str}]}
    assert shape_error({"name": "Elf", "of": []}, form) is None
    assert shape_error({"name": "Elf", "size": None, "of": [{"index": "a"}]}, form) is None
    assert shape_error({"name": "Elf", "size": 3, "of": []}, form) == "it.size is int"
    assert shape_error({"name": "Elf", "of": [{"index": "a"}, {}]}, form) == "it.of[1].index is missing"
    assert shape_error({"name": "Elf", "of": None}, form) == "it.of is NoneType"


@pytest.mark.recordings
def test_every_recorded_object_matches_its_form(recordings: Path) -> None:
    for table in {endpoint.table for endpoint in ENDPOINTS if endpoint.table}:
        for obj in recorded(recordings, table):
            assert shape_error(obj.data, FORMS[obj.source].get(obj.endpoint, dict)) is None, obj.id


def test_every_starter_object_matches_its_form(starter: RawLayer) -> None:
    problems = Problems()
    well_formed(starter, problems)
    assert not problems.entries
