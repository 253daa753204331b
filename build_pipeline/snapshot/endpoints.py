"""Endpoints: where the objects of a source are, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
