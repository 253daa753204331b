"""Open5e: pages of whole objects. Its detail pages are the same objects, so they are never fetched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.web.harvest import Harvest, Reader, read_list

PAGE_SIZE: Final = 500
"""Open5e has no maximum. With this size, every endpoint without a guaranteed order fits on one page."""


def _v1(name: str, table: str) -> Endpoint:
    return Endpoint("open5e_v1", name, f"/v1/{name}/", "slug", table)


def _v2(name: str, table: str | None, no_entities: str = "") -> Endpoint:
    return Endpoint("open5e_v2", name, f"/v2/{name}/", "key", table, no_entities)


V1_ENDPOINTS: Final = (
    _v1("spells", "spells"),
    _v1("spelllist", "spells"),
    _v1("monsters", "creatures"),
    _v1("documents", "documents"),
    _v1("backgrounds", "character_options"),
    _v1("feats", "character_options"),
    _v1("races", "character_options"),
    _v1("classes", "character_options"),
    _v1("planes", "rules"),
    _v1("sections", "rules"),
    _v1("conditions", "rules"),
    _v1("magicitems", "equipment"),
    _v1("weapons", "equipment"),
    _v1("armor", "equipment"),
)

V2_ENDPOINTS: Final = (
    _v2("spells", "spells"),
    _v2("creatures", "creatures"),
    _v2("creaturesets", None, "groups of creatures by key only, without text"),
    _v2("items", "equipment"),
    _v2("magicitems", "equipment"),
    _v2("weapons", "equipment"),
    _v2("armor", "equipment"),
    _v2("itemsets", "equipment"),
    _v2("services", "equipment"),
    _v2("itemcategories", None, "a vocabulary that every item repeats"),
    _v2("itemrarities", None, "a vocabulary that every magic item repeats"),
    _v2("classes", "character_options"),
    _v2("species", "character_options"),
    _v2("backgrounds", "character_options"),
    _v2("feats", "character_options"),
    _v2("rules", "rules"),
    _v2("rulesets", "rules"),
    _v2("conditions", "rules"),
    _v2("damagetypes", "rules"),
    _v2("weaponproperties", "rules"),
    _v2("skills", "rules"),
    _v2("abilities", "rules"),
    _v2("spellschools", "rules"),
    _v2("languages", "rules"),
    _v2("alignments", "rules"),
    _v2("environments", "rules"),
    _v2("creaturetypes", "rules"),
    _v2("sizes", None, "a vocabulary without text that every creature repeats"),
    _v2("images", None, "links to pictures"),
    _v2("documents", "documents"),
    _v2("licenses", "documents"),
    _v2("publishers", "documents"),
    _v2("gamesystems", "documents"),
)


async def read_pages(reader: Reader, base_url: str, _parents: Sequence[str] = ()) -> None:
    """Read all pages of an endpoint into the reader's harvest.

    Raises:
        BrokenEndpointError: a page is unavailable or malformed, `next` points elsewhere, or `count` is wrong.
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

    Only the query is used: the host and scheme in `next` are whatever the server believes them to be.
    """
    if following is None:
        return ""
    parts = urlsplit(following) if isinstance(following, str) else None
    if parts is None or not parts.query or not parts.path.endswith(harvest.endpoint.path):
        raise harvest.broken(url, f"{following!r} is not a page of this endpoint", "next")
    return parts.query
