"""A complete source to copy: a small API of dishes, one page of whole objects. `docs/sources.md` explains each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from build_pipeline.normalize.merging.authority import Wins
from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.source import Source
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.money import gold
from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.snapshot.web.harvest import Reader, read_list

NAME = "tavern"
BOOK = "tavern-fare"


async def fetch(reader: Reader, base_url: str, _parents: Sequence[str]) -> None:
    """Read the one page of an endpoint: `{"count": 2, "results": [{"id": "stew", …}, …]}`.

    Retries, caching and politeness are the reader's; a missing page or a wrong count becomes a problem.
    """
    harvest = reader.harvest
    page = await reader.need(f"{base_url}{harvest.endpoint.path}")
    count, items, _ = read_list(harvest, page)
    if count != len(items):
        raise harvest.broken(page.url, f"says {count}, but {len(items)} objects came", "count")
    for number, item in enumerate(items):
        harvest.add(page, item, f"results[{number}]")


def documents(raw: RawLayer, _known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The one book that the API prints, where the snapshot has anything of it."""
    if not raw[NAME, "dishes"]:
        return {}
    credit = "Tavern Fare by the Innkeepers' Guild, CC-BY-4.0."
    licence = "Creative Commons Attribution 4.0"
    return {BOOK: DocumentMeta(BOOK, "Tavern Fare", "Innkeepers' Guild", licence, "5e-2014", attribution=credit)}


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every dish as adventuring gear."""
    return read_each(raw[NAME, "dishes"].values(), problems, _dish)


def _dish(obj: RawObject) -> Draft:
    data = obj.data
    facts = {
        "description": clean_text(data["about"]),
        "item_category": "food",
        "cost_gp": gold(data["price"]),
        "is_magic": False,
        "is_weapon": False,
        "is_armor": False,
    }
    document = "srd-2014" if data["in_srd"] else BOOK
    return Draft(NAME, (obj.id,), "adventuring-gear", document, data["name"], (obj.key,), facts=facts)


TAVERN = Source(
    name=NAME,
    site="tavern",
    base_url="https://tavern.example.org",
    fetch=fetch,
    endpoints=(Endpoint(NAME, "dishes", "/api/dishes", "id", "equipment"),),
    documents=documents,
    drafts=(drafts,),
    forms={"dishes": {"id": str, "name": str, "about": str, "price": str, "in_srd": bool}},
    wins=(Wins(("equipment.cost_gp",), "innkeepers know what a meal costs", documents=("srd-2014",)),),
)
