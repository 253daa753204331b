"""The page for an unknown address, with links to similar names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from rapidfuzz import fuzz

from server.dataset.names import normalize_name
from server.library.requests.request import Request
from server.pages import addresses
from server.pages.html import Html, element, markup
from server.pages.layout import Page
from server.tools.values import MAX_NAME

if TYPE_CHECKING:
    from server.library.library import Library

_MOST: Final = 10


def missing_page(library: Library, path: str) -> Page:
    """The page for an address that has no page."""
    if path.startswith(f"{addresses.DOCUMENTS}/"):
        links = _books(library, unquote(path.removeprefix(f"{addresses.DOCUMENTS}/"))[:MAX_NAME])
    else:
        links = _records(library, path)
    main = markup(
        element("h1", "There is no such page"),
        element("p", f"Nothing is at {path[:MAX_NAME]}.", " Perhaps you mean:" if links else " Search for it above."),
        element("ul", links, class_="hits") if links else None,
    )
    return Page("No such page", main, kind="hits", status=404)


def _books(library: Library, asked: str) -> list[Html]:
    """Links to the books that an alias, a name or an edition stands for, otherwise to those spelt similarly."""
    near = library.reading.unknown([asked]).get(asked, [asked])
    keys = list(library.facts.documents(near))[:_MOST]
    return [element("li", element("a", library.reading.title(key), href=addresses.of_document(key))) for key in keys]


def _records(library: Library, path: str) -> list[Html]:
    """Links to records whose name is the last part of an address, or similar."""
    *_, document, slug = ("", *path.strip("/").split("/"))
    words = " ".join(slug.replace("-", " ").split())[:MAX_NAME]
    near = _near(library, words, (path.strip("/").partition("/")[0], document)) if words else []
    return [
        element(
            "li",
            element("a", record["name"], href=addresses.of_entity(record["id"])),
            element("span", record["id"].partition("/")[0].replace("-", " "), class_="facts"),
            element("span", library.reading.title(record["document"]), class_="book"),
        )
        for record in near
    ]


def _near(library: Library, words: str, asked: tuple[str, str]) -> list[dict[str, Any]]:
    """Records of that name or a similar one, most similar first; among equals, those of the requested type and book."""

    def named(name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = library.find(Request("all", name=name, limit=_MOST, detail="names"))["results"]
        return found

    def distance(record: dict[str, Any]) -> tuple[float, bool, bool]:
        entity_type, document, _ = record["id"].split("/")
        near = fuzz.ratio(normalize_name(record["name"]), normalize_name(words))
        return -near, entity_type != asked[0], document != asked[1]

    suggestions = library.find(Request("all", name=words, limit=1, detail="names"))["suggestions"]
    found = {record["id"]: record for name in (words, *suggestions) for record in named(name)}
    return sorted(found.values(), key=distance)[:_MOST]
