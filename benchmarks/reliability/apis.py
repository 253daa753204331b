"""Serves a raw layer in the form of the APIs, so that a snapshot of it can be taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from benchmarks.reliability.origin import Origin
from build_pipeline.snapshot.endpoints import Endpoint, Fetch
from build_pipeline.snapshot.raw import RawLayer, RawObject, read_raw_layer
from build_pipeline.snapshot.web.http import Manners
from build_pipeline.snapshot.web.origin import Origin as ApiOrigin
from build_pipeline.sources import ENDPOINTS, SOURCES

ENDPOINT: Final = {(endpoint.source, endpoint.name): endpoint for endpoint in ENDPOINTS}


def api_objects(source: Path) -> RawLayer:
    """The objects of a raw layer that come from APIs; its books are files elsewhere."""
    return RawLayer.of(obj for obj in read_raw_layer(source, ENDPOINTS) if obj.source not in {"srd", "orcbrew"})


def served(layer: RawLayer) -> list[Endpoint]:
    """The endpoints of a layer's objects, parents before children."""
    return [endpoint for endpoint in ENDPOINTS if (endpoint.source, endpoint.name) in layer.endpoints]


def reachable(layer: RawLayer) -> Iterator[RawObject]:
    """The objects that the lists of their APIs lead to: those below a parent only if the parent exists."""
    for obj in layer:
        endpoint = ENDPOINT[obj.source, obj.endpoint]
        if not endpoint.parent or parent_key(obj, endpoint) in layer[obj.source, endpoint.parent]:
            yield obj


def parent_key(obj: RawObject, endpoint: Endpoint) -> str:
    """The key of an object's parent."""
    if endpoint.fetch is Fetch.CHILD:
        return obj.key
    member = "subclass" if endpoint.parent.endswith("subclasses") else "class"
    return str(obj.data[member]["index"])


def serve_as_apis(origin: Origin, layer: RawLayer) -> list[Endpoint]:
    """Serve every object at the addresses of its API; returns the endpoints, parents before children."""
    endpoints = served(layer)
    for endpoint in endpoints:
        objects = list(layer[endpoint.source, endpoint.name].values())
        if endpoint.fetch in {Fetch.PAGES, Fetch.DETAILS}:
            origin.lists[endpoint.path] = [obj.data for obj in objects]
        if endpoint.fetch is Fetch.DETAILS:
            origin.pages |= {f"{endpoint.path}/{obj.key}": obj.text.encode() for obj in objects}
        for parent in layer[endpoint.source, endpoint.parent]:
            below = [obj for obj in objects if parent_key(obj, endpoint) == parent]
            path = endpoint.path.format(key=parent)
            if endpoint.fetch is Fetch.CHILDREN:
                origin.pages[path] = [obj.data for obj in below]
            else:
                origin.pages[path] = below[0].text.encode() if below else {"index": parent, "count": 0, "results": []}
    return endpoints


def origins(url: str, *endpoints: Endpoint) -> list[ApiOrigin]:
    """The sources of these endpoints, with only these endpoints, at one address."""
    return [
        replace(source, base_url=url, endpoints=tuple(e for e in endpoints if e.source == source.name))
        for source in SOURCES
        if source.name in {e.source for e in endpoints}
    ]


def manners(**changes: Any) -> Manners:
    """Quick manners, for a local server."""
    return Manners(**{"wait_initial": 0.01, "wait_max": 2, "attempts": 3, **changes})
