"""What stands where there is no page: near names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.library.request import Request
from server.pages import addresses
from server.pages.html import element, markup
from server.pages.layout import Page
from server.tools.values import MAX_NAME

if TYPE_CHECKING:
    from server.library.library import Library

_MOST: Final = 10


def missing_page(library: Library, path: str) -> Page:
    """The page for an address that has none."""
    words = " ".join(path.rstrip("/").rpartition("/")[2].replace("-", " ").split())[:MAX_NAME]
    near = _near(library, words, path.strip("/").partition("/")[0]) if words else []
    links = (
        element(
            "li",
            element("a", record["name"], href=addresses.of_entity(record["id"])),
            element("span", library.reading.title(record["document"]), class_="book"),
        )
        for record in near
    )
    main = markup(
        element("h1", "There is no such page"),
        element("p", f"Nothing is at {path[:MAX_NAME]}.", " Perhaps you mean:" if near else " Search for it above."),
        element("ul", links, class_="hits") if near else None,
    )
    return Page("No such page", main, kind="hits", status=404)


def _near(library: Library, words: str, entity_type: str) -> list[dict[str, Any]]:
    """What is called so or similarly, first what has the type of the address."""

    def named(name: str) -> dict[str, Any]:
        return library.find(Request("all", name=name, limit=_MOST, detail="names"))

    answer = named(words)
    found = answer["results"] or [each for name in answer["suggestions"] for each in named(name)["results"]]
    return sorted(found, key=lambda record: not record["id"].startswith(f"{entity_type}/"))[:_MOST]
