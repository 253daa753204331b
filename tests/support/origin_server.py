"""A few hand-written endpoints, served by the server of the reliability benchmark."""

from __future__ import annotations

from typing import Any

from benchmarks.reliability import origin
from benchmarks.reliability.apis import manners, origins
from benchmarks.reliability.origin import Answer, dump, gone, reset, send, serve, truncated
from build_pipeline.snapshot.endpoints import Endpoint, Fetch

__all__ = ["Answer", "Origin", "gone", "manners", "origins", "reset", "send", "serve", "truncated"]

RARITIES = Endpoint("open5e_v2", "itemrarities", "/v2/itemrarities/", "key", "equipment")
"""An endpoint whose declared fields are key, name and rank."""
SCHOOLS = Endpoint("dnd5e_api", "2014/magic-schools", "/api/2014/magic-schools", "index", None, "", Fetch.DETAILS)
LEVELS = Endpoint(
    "dnd5e_api",
    "2014/schools-levels",
    "/api/2014/magic-schools/{key}/levels",
    "index",
    None,
    "",
    Fetch.CHILDREN,
    "2014/magic-schools",
)
SPELLS = Endpoint(
    "dnd5e_api",
    "2014/schools-spells",
    "/api/2014/magic-schools/{key}/spells",
    "index",
    None,
    "",
    Fetch.CHILD,
    "2014/magic-schools",
)


SCHOOL = {"name": "School", "desc": "Magic of a kind.", "updated_at": "2026-11-01T00:00:00Z", "url": "/"}
"""The fields of every school of magic besides its key."""


class Origin(origin.Origin):
    """Both APIs on one port; schools get their common fields by themselves."""

    def body(self, target: str) -> bytes | None:
        value = self.pages.get(target.partition("?")[0])
        if isinstance(value, dict) and target.startswith(f"{SCHOOLS.path}/") and "index" in value:
            return dump(SCHOOL | value)
        return super().body(target)


def rarities(*keys: str) -> list[dict[str, Any]]:
    return [{"name": key.title(), "key": key, "rank": rank} for rank, key in enumerate(keys)]
