"""A raw layer from a few hand-written objects."""

from collections.abc import Callable
from typing import Any

import merging
import pytest
from merging import ENDPOINT, linked
from starter_rows import starter_row

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.rules import rules
from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.tables import complaints
from server.dataset.strict_json import dump_json

Objects = dict[str, list[dict[str, Any]]]
"""{"source/endpoint": [object, …]}."""
RawOf = Callable[[Objects], RawLayer]
EntitiesOf = Callable[[Objects], dict[str, Entity]]


@pytest.fixture(scope="session")
def raw_of() -> RawOf:
    """Makes a raw layer of {"source/endpoint": [object, …]}."""

    def build(objects: Objects) -> RawLayer:
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
    """Makes the rules of a raw layer, merged and linked, by id."""

    def read(raw: RawLayer) -> dict[str, Entity]:
        found = rules.prepare(list(rules.drafts(raw, Problems())))
        return {entity.id: entity for entity in linked(found, rules)}

    return read


@pytest.fixture
def merged(raw_of: RawOf, request: pytest.FixtureRequest) -> EntitiesOf:
    """Makes {"document/name": entity} of raw objects by source and endpoint; every column is there, None if unknown.

    The test's module says of which family: `READER` is its module, `TABLE` its table.
    """
    reader, table = request.module.READER, request.module.TABLE

    def build(objects: Objects) -> dict[str, Entity]:
        entities = merging.merged(reader.drafts(raw_of(objects), Problems()), reader)
        for entity in entities:
            assert [c for c in complaints(table, entity.facts) if "required" not in c] == []
            entity.facts = dict.fromkeys(table.schema) | entity.facts
        return {f"{entity.document_key}/{entity.name}": entity for entity in entities}

    return build


@pytest.fixture
def facts_of(merged: EntitiesOf, request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """The facts of one starter object of the module's endpoint `V2`, with some fields changed."""
    endpoint = request.module.V2

    def build(name: str, **changes: Any) -> dict[str, Any]:
        row = starter_row(endpoint, name, f"srd_{name.lower().replace(' ', '-')}") | changes
        (entity,) = merged({endpoint: [row]}).values()
        return entity.facts

    return build
