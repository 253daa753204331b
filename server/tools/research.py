"""`search` and `fetch`, as ChatGPT's connectors and deep research require them.

Their contract fixes names, arguments and answers: `search(query)` gives `{"results": [{"id", "title", "url"}]}`,
`fetch(id)` gives `{"id", "title", "text", "url", "metadata"}`; each as structured content and, identically, as JSON in
a single text. So these two answers have no envelope.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from server.library.message import Message, Named, NamedTool
from server.library.requests.request import Request, RequestError
from server.sheets.sheet import render
from server.tools import values
from server.tools.output import STRING, object_of
from server.tools.parameters import words
from server.tools.tool import Envelope, Tool
from server.tools.values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.library import Library

TOOLSET: Final = "research"
MOST_RESULTS: Final = 20
"""Maximum number of results of a search; another search is shorter to read than a second page."""

RESOURCES: Final = "lorekeeper://"
"""Prefix that turns a record's id into the URI of its sheet among the server's resources, as sources give none."""

_METADATA: Final = ("entity_type", "document_key", "document_name", "game_system", "license")


def linking_to(address: str) -> tuple[Tool, Tool]:
    """`search` and `fetch`, whose answers link to the pages that begin at `address`."""
    return (
        replace(SEARCH, answer=partial(_search, address=address)),
        replace(FETCH, answer=partial(_fetch, address=address)),
    )


def _title(record: Mapping[str, Any]) -> str:
    return f"{record['name']} ({record['document_name']})"


def _search(library: Library, given: Mapping[str, Any], _: tuple[str, ...], address: str = RESOURCES) -> Envelope:
    asked = Request("all", search=given["query"], limit=MOST_RESULTS, detail="summary")
    found = library.find(asked)["results"] if given["query"] else []
    return {
        "results": [
            {"id": record["id"], "title": _title(record), "url": f"{address}{record['id']}"} for record in found
        ]
    }


def _fetch(library: Library, given: Mapping[str, Any], _: tuple[str, ...], address: str = RESOURCES) -> Envelope:
    identity = given["id"].removeprefix(address).removeprefix(RESOURCES)
    record = library.entity(identity)
    if record is None:
        message = Message(Named("id"), f": there is no {shown(identity)}; ", NamedTool("search"), " returns ids.")
        raise RequestError(parameter="id", value=identity, message=message)
    credit = library.credit(record["document_key"]) or {}
    metadata = {name: record[name] for name in _METADATA} | {"published_at": credit.get("permalink")}
    return {
        "id": record["id"],
        "title": _title(record),
        "text": render(record),
        "url": f"{address}{record['id']}",
        "metadata": {name: value for name, value in metadata.items() if value is not None},
    }


SEARCH: Final = Tool(
    "search",
    "Search the library",
    TOOLSET,
    "Find D&D 5e rules, spells, monsters, items, classes and other options by meaning or name, best first. The title "
    'names the book, and with it the edition. fetch gives the text. E.g. query="undead that drain life"; '
    'query="fireball".',
    parameters=(words("query", "E.g. grappled condition 2024", required=True),),
    tables=(),
    answer=_search,
    answers={"results": {"type": "array", "items": object_of(dict.fromkeys(("id", "title", "url"), STRING))}},
)

FETCH: Final = Tool(
    "fetch",
    "Fetch a text",
    TOOLSET,
    'The full text of a search result, as its book prints it. E.g. id="spell/srd-2024/fireball".',
    parameters=(words("id", "The result's id", longest=values.MAX_NAME, required=True),),
    tables=(),
    answer=_fetch,
    answers={**dict.fromkeys(("id", "title", "text", "url"), STRING), "metadata": {"type": "object"}},
)
