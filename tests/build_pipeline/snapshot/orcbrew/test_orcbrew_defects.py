"""Homebrew damaged in its envelope, its Transit JSON or any field, which stops no build."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, Final

import pytest
from brew import STARTER
from hypothesis import given, settings
from hypothesis import strategies as st

from build_pipeline.normalize.records import normalize
from build_pipeline.snapshot.orcbrew.homebrew import add_homebrew
from build_pipeline.snapshot.orcbrew.reader import read_orcbrew
from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.sources import SOURCES
from build_pipeline.tables import complaints
from server.dataset.schema import TABLES
from server.dataset.strict_json import dump_json

ODD: Final[tuple[Any, ...]] = (
    *(None, "", "--", "~:key", "~zWhat", "~nx", 0, -1, 1.5, 10**30, True, [], ["text"], [None], [["a"]], {}),
    *({"~:name": None}, {"~#set": 5}, {"~#ratio": [1, 0]}, {"~#cmap": [1]}, {"~#cmap": [[1], 2]}, {"~#what": None}),
)
"""Valid and invalid values of every type of JSON and Transit."""


def starter() -> RawLayer:
    return RawLayer.of(read_orcbrew([STARTER]).objects, snapshot_at="")


def parts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values inside."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from parts(part, (*path, key))


def damaged(obj: RawObject, rng: random.Random) -> RawObject:
    data = copy.deepcopy(obj.data)
    *outer, last = rng.choice(list(parts(data)))
    holder: Any = data
    for key in outer:
        holder = holder[key]
    if rng.random() < 0.2:
        del holder[last]
    else:
        holder[last] = rng.choice(ODD)
    return RawObject(obj.source, obj.endpoint, obj.key, obj.url, obj.fetched_at, dump_json(data))


@settings(max_examples=settings.default.max_examples // 2)  # each damages every item
@given(rng=st.randoms(use_true_random=False))
def test_defects_in_every_item_stop_and_lose_nothing(rng: random.Random) -> None:
    layer = RawLayer.of((damaged(obj, rng) for obj in starter()), snapshot_at="")
    add_homebrew(layer, [STARTER])
    found = normalize(layer, SOURCES)
    told = {raw for rows in found.tables.values() for r in rows if "provenance" in r for raw in r["provenance"]["raw"]}
    assert {obj.id for obj in layer} == told | ({p["raw"] for p in found.problems} & {obj.id for obj in layer})
    for table in TABLES:
        for record in found.tables[table.name]:
            assert not list(complaints(table, record))


@pytest.mark.parametrize(
    "defect", [{"item": None}, {"item": {"~#cmap": [1]}}, {"option_pack": 1}, {"book": 3}, {"disabled": None}]
)
def test_an_unreadable_item_is_a_problem_and_the_others_are_read(defect: dict[str, Any]) -> None:
    whole = starter()
    layer = RawLayer(info=whole.info)
    for obj in whole:
        text = dump_json(json.loads(obj.text) | defect) if obj.key.endswith("/brine-lash") else obj.text
        layer.add(RawObject(obj.source, obj.endpoint, obj.key, obj.url, obj.fetched_at, text))
    found = normalize(layer, SOURCES)
    assert {spell["name"] for spell in found.tables["spells"]} == {"Fireball", "Kindle Beacon"}
    assert [p["raw"] for p in found.problems if "not shaped like" in p["reason"]] == [
        "orcbrew/spells/the-lantern-coast/brine-lash"
    ]
