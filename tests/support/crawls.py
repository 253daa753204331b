"""Snapshots of the hand-written endpoints of `origin_server`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from origin_server import Origin, manners, origins

from build_pipeline.snapshot.crawl import Snapshot, SnapshotRequest, snapshot
from build_pipeline.snapshot.endpoints import Endpoint


def take(origin: Origin, folder: Path, *endpoints: Endpoint, strict: bool = False, **how: Any) -> Snapshot:
    """Take a snapshot of endpoints into `out` in a folder, with its cache beside it; `how` goes to `manners`."""
    request = SnapshotRequest(folder / "out", origins(origin.url, *endpoints), strict=strict)
    return snapshot(request, folder / "cache", manners(**how))


def keys(taken: Snapshot, endpoint: Endpoint) -> list[str]:
    """The keys of an endpoint's objects, in their order."""
    return [obj.key for obj in taken.objects[endpoint.source, endpoint.name]]
