"""Endpoints, and what a snapshot knows about a source: where it is, how it is read, which endpoints it has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build_pipeline.snapshot.web.harvest import Reader


class Fetch(Enum):
    """How an endpoint's objects are obtained."""

    PAGES = "pages"
    """Pages of whole objects: `{count, next, previous, results}`."""
    DETAILS = "details"
    """One list of index rows, then one request per object."""
    CHILDREN = "children"
    """One request for each object of a parent endpoint; the answer is a list of objects."""
    CHILD = "child"
    """One request for each object of a parent endpoint; the answer is one object, keyed like the parent."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of one source.

    Attributes:
        source: name of the source.
        name: its name in the raw layer (`raw/<source>/<name>.parquet`).
        path: URL path below the source's base URL; `{key}` stands for the parent's key.
        key: the field that identifies an object.
        table: the table that its objects go into (`documents` for descriptions of books), or None.
        no_entities: why it holds no entities, if it holds none.
        fetch: how its objects are obtained.
        parent: name of the parent endpoint, for children.
        least: the minimum number of objects below each parent, for children; for a child, of `results` in it.
        least_where: the field that a parent must have for `least` to be expected; every parent if empty.
    """

    source: str
    name: str
    path: str
    key: str
    table: str | None
    no_entities: str = ""
    fetch: Fetch = Fetch.PAGES
    parent: str = ""
    least: int = 0
    least_where: str = ""


Fetcher = Callable[["Reader", str, Sequence[str]], Awaitable[None]]
"""Reads one endpoint into a harvest: (reader, base URL, keys of the parent endpoint)."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where the raw objects of a source come from.

    Attributes:
        name: the source's name in the raw layer, `sources` and `provenance`.
        site: the web site that serves it; sources of one site share the option `--<site>-url`. Empty for files.
        base_url: the site's public address.
        fetch: reads an endpoint; None for sources that are files.
        endpoints: its endpoints, parents before children.
    """

    name: str
    site: str = ""
    base_url: str = ""
    fetch: Fetcher | None = None
    endpoints: tuple[Endpoint, ...] = ()
