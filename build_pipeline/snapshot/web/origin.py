"""What a snapshot knows about a source: where it is, how it is read, which endpoints it has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build_pipeline.snapshot.endpoints import Endpoint
    from build_pipeline.snapshot.web.harvest import Reader

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
