"""A raw layer from a few hand-written objects."""

from collections.abc import Callable
from typing import Any

import pytest

from build_pipeline.endpoints import ENDPOINT
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
