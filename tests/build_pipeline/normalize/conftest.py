"""A raw layer from a few hand-written objects."""

from collections.abc import Callable
from typing import Any

import pytest
from merging import ENDPOINT, linked

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.rules import rules
from build_pipeline.normalize.rules.mentions import with_mentions
from build_pipeline.snapshot.raw import RawLayer, RawObject, dump_json

RawOf = Callable[[dict[str, list[dict[str, Any]]]], RawLayer]


@pytest.fixture(scope="session")
def raw_of() -> RawOf:
    """Makes a raw layer of {"source/endpoint": [object, …]}."""

    def build(objects: dict[str, list[dict[str, Any]]]) -> RawLayer:
        layer = RawLayer()
        for where, found in objects.items():
            source, _, endpoint = where.partition("/")
            for data in found:
                key = str(data[ENDPOINT[source, endpoint].key])
                layer.add(RawObject(source, endpoint, key, "", "", dump_json(data)))
        return layer

    return build


@pytest.fixture(scope="session")
def rules_of() -> Callable[[RawLayer], dict[str, Entity]]:
    """Makes the rules that a raw layer tells of, merged and linked, by id."""

    def read(raw: RawLayer) -> dict[str, Entity]:
        found = with_mentions(list(rules.drafts(raw, Problems())))
        return {entity.id: entity for entity in linked(found, rules)}

    return read
