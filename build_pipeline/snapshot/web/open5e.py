"""Open5e: lists of whole objects, in pages. Its details are the same objects, so they are never asked for."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from build_pipeline.snapshot.web.harvest import Harvest, Reader, read_list

PAGE_SIZE: Final = 500
"""Open5e has no maximum. This fits every endpoint whose order it does not promise into one page."""


async def read_pages(reader: Reader, base_url: str) -> None:
    """Read all pages of an endpoint into the reader's harvest.

    Raises:
        BrokenEndpointError: a page is not to be had or not a page, `next` leads astray, or `count` is wrong.
    """
    harvest = reader.harvest
    address = f"{base_url}{harvest.endpoint.path}"
    query = f"limit={PAGE_SIZE}&page=1"
    visited = set()
    received = 0
    while query:
        visited.add(query)
        page = await reader.need(f"{address}?{query}")
        count, items, whole = read_list(harvest, page)
        for number, item in enumerate(items):
            harvest.add(page, item, f"results[{number}]")
        received += len(items)
        query = _next_query(harvest, page.url, whole.get("next", ""))
        if query in visited:
            raise harvest.broken(page.url, f"a loop: it leads back to {query!r}", "next")
        if query and received >= count:
            raise harvest.broken(page.url, f"says {count}, but after {received} objects there is another page", "count")
    if received != count:
        raise harvest.broken(page.url, f"says {count}, but {received} objects came", "count")


def _next_query(harvest: Harvest, url: str, following: object) -> str:
    """The query of the next page, "" after the last.

    Only the query is taken: `next` is an absolute URL made of whatever host and scheme the server believes it has.
    """
    if following is None:
        return ""
    parts = urlsplit(following) if isinstance(following, str) else None
    if parts is None or not parts.query or not parts.path.endswith(harvest.endpoint.path):
        raise harvest.broken(url, f"{following!r} is no page of this endpoint", "next")
    return parts.query
